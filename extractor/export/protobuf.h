/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of Protocol Buffers, written one field after the other.
 *
 * A message inside a message is begun and ended; its length is filled in at its
 * end.  Room is limited: what does not fit sets @full, and nothing is written
 * from there on, so that a caller looks once, at the end.
 */
#ifndef EPITAPH_EXPORT_PROTOBUF_H
#define EPITAPH_EXPORT_PROTOBUF_H

#include "base/types.h"

#define PROTO_MAX	(1U << 20)	/* bytes of one outermost message */

/**
 * struct proto - the message under way
 * @data: @size bytes of it; proto_init()'s
 * @full: there was more than PROTO_MAX
 */
struct proto {
	u8 *data;
	u32 size;
	bool full;
};

/* False without memory. */
bool proto_init(struct proto *p);
void proto_free(struct proto *p);

/* Begin anew. */
void proto_reset(struct proto *p);

/* int32, int64, uint32, uint64, bool, enum: negative ones take ten bytes, as the encoding has it. */
void proto_u64(struct proto *p, u32 number, u64 value);

/* string, bytes */
void proto_bytes(struct proto *p, u32 number, const void *data, size_t size);
void proto_str(struct proto *p, u32 number, const char *text);

/* A text of a file, escaped as everywhere: strings of the schema are UTF-8. */
void proto_text(struct proto *p, u32 number, const void *text, size_t size);

/* A message as a field; returns what proto_end() wants. */
u32 proto_begin(struct proto *p, u32 number);
void proto_end(struct proto *p, u32 begun);

/* Take back what came after proto_begin(), and itself. */
void proto_drop(struct proto *p, u32 begun);

#endif
