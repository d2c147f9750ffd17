// SPDX-License-Identifier: GPL-2.0-or-later
#include "protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/escape.h"

enum protobuf_wire_type {
	WIRE_VARINT = 0,
	WIRE_LEN = 2,
};

/* A length not known yet; four bytes say any length up to PROTO_MAX. */
#define LEN_BYTES	4

#define TEXT_MAX	4096	/* bytes of one text before escaping */

bool protobuf_init(struct protobuf *p)
{
	*p = (struct protobuf){ .data = malloc(PROTO_MAX) };
	return p->data;
}

void protobuf_free(struct protobuf *p)
{
	free(p->data);
}

void protobuf_reset(struct protobuf *p)
{
	p->size = 0;
	p->full = false;
}

static u8 *append_room(struct protobuf *p, size_t size)
{
	u8 *at = p->data + p->size;

	if (p->full || size > PROTO_MAX - p->size) {
		p->full = true;
		return NULL;
	}
	p->size += size;
	return at;
}

static void append_varint(struct protobuf *p, u64 value)
{
	u8 buf[10];
	u32 n = 0;
	u8 *at;

	do {
		buf[n++] = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);
		value >>= 7;
	} while (value);
	at = append_room(p, n);
	if (at)
		memcpy(at, buf, n);
}

static void put_tag(struct protobuf *p, u32 number, enum protobuf_wire_type type)
{
	append_varint(p, (u64)number << 3 | type);
}

void protobuf_u64(struct protobuf *p, u32 number, u64 value)
{
	put_tag(p, number, WIRE_VARINT);
	append_varint(p, value);
}

void protobuf_bytes(struct protobuf *p, u32 number, const void *data, size_t size)
{
	u8 *at;

	put_tag(p, number, WIRE_LEN);
	append_varint(p, size);
	at = append_room(p, size);
	if (at && size)
		memcpy(at, data, size);
}

void protobuf_str(struct protobuf *p, u32 number, const char *text)
{
	protobuf_bytes(p, number, text, strlen(text));
}

void protobuf_text(struct protobuf *p, u32 number, const void *text, size_t size)
{
	char buf[TEXT_MAX * 4 + 1];

	size = escape_text(buf, sizeof(buf), text, size < TEXT_MAX ? size : TEXT_MAX);
	protobuf_bytes(p, number, buf, size);
}

u32 protobuf_begin(struct protobuf *p, u32 number)
{
	u32 begun = p->size;

	put_tag(p, number, WIRE_LEN);
	append_room(p, LEN_BYTES);
	return begun;
}

/* A varint may have more bytes than it needs, if all but the last say so. */
static void fill_length(u8 *at, u32 size)
{
	u32 i;

	for (i = 0; i < LEN_BYTES; i++)
		at[i] = ((size >> 7 * i) & 0x7f) | (i + 1 < LEN_BYTES ? 0x80 : 0);
}

void protobuf_end(struct protobuf *p, u32 begun)
{
	u32 at = begun;

	if (p->full)
		return;
	while (p->data[at++] & 0x80)
		;
	fill_length(p->data + at, p->size - at - LEN_BYTES);
}

void protobuf_drop(struct protobuf *p, u32 begun)
{
	p->size = begun;
	p->full = false;
}
