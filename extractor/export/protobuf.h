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
 * struct protobuf - the message under way
 * @data: @size bytes of it; protobuf_init()'s
 * @full: there was more than PROTO_MAX
 */
struct protobuf {
	u8 *data;
	u32 size;
	bool full;
};

/* False without memory. */
bool protobuf_init(struct protobuf *p);
void protobuf_free(struct protobuf *p);

/* Begin anew. */
void protobuf_reset(struct protobuf *p);

/* int32, int64, uint32, uint64, bool, enum: negative ones take ten bytes, as the encoding has it. */
void protobuf_u64(struct protobuf *p, u32 number, u64 value);

/* string, bytes */
void protobuf_bytes(struct protobuf *p, u32 number, const void *data, size_t size);
void protobuf_str(struct protobuf *p, u32 number, const char *text);

/* A text of a file, escaped as everywhere: strings of the schema are UTF-8. */
void protobuf_text(struct protobuf *p, u32 number, const void *text, size_t size);

/* A message as a field; returns what protobuf_end() wants. */
u32 protobuf_begin(struct protobuf *p, u32 number);
void protobuf_end(struct protobuf *p, u32 begun);

/* Take back what came after protobuf_begin(), and itself. */
void protobuf_drop(struct protobuf *p, u32 begun);

#endif
