// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_dat_event.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "event/latency_flags.h"

/*
 * A text that would be escaped elsewhere cannot grow here: what is not fit to print is '?'.  A
 * newline at the end, which a marker has of echo, ends it: a line of the report does so itself.
 */
static void tame_payload_text(u8 *text, size_t size)
{
	size_t i, len = strnlen((char *)text, size);
	char *escaped, *p;

	while (len && text[len - 1] == '\n')
		text[--len] = 0;
	escaped = escape_plain(text, len) < len ? malloc(4 * len + 1) : NULL;
	if (!escaped)
		return;
	escape_text(escaped, 4 * len + 1, text, len);
	for (i = 0, p = escaped; i < len; i++, p++) {
		if (*p != '\\')
			continue;
		p += 3;
		if (text[i] != '\\')
			text[i] = '?';
	}
	free(escaped);
}

/*
 * A text without an end is read on by some readers, to wherever there is a zero:
 * it gets a place behind the event.
 */
static void end_text(struct pack *p, const struct layout_field *field, u64 off, u64 size)
{
	u64 to = p->size + TRACEDAT_EVENT_COMMON;
	u32 loc;

	if (!field->is_dynamic || field->is_rest || memchr(p->data + off, 0, size))
		return;
	if (field->is_relative)
		to = p->size - field->off - field->size;
	if (size > SYNTHETIC_MAX_TEXT || to > 0xffff)
		return;
	loc = pack_order32(p->order, (size + 1) << 16 | to);
	memcpy(p->data + field->off, &loc, sizeof(loc));
	if (!pack_room(p, size + 1))
		return;
	memcpy(p->data + p->size, p->data + off, size);
	p->size += size;
	pack_u8(p, 0);
}

void trace_dat_event_payload(struct pack *p, const struct exported *event)
{
	const struct layout *layout = &event->class->layout;
	struct bytes payload = bytes_of(event->payload, event->size, p->order);
	u64 off, size;
	u32 i;

	p->size = 0;
	pack_bytes(p, event->payload, event->size);
	for (i = 0; i < layout->nr && !p->failed; i++) {
		const struct layout_field *field = &layout->fields[i];

		if (field->kind != LAYOUT_TEXT || !field_layout_find(field, &payload, &off, &size))
			continue;
		tame_payload_text(p->data + off, size);
		end_text(p, field, off, size);
	}
}

void trace_dat_event_put(u8 *to, const struct exported *event, const struct pack *payload)
{
	const struct item *item = event->item;
	u16 type = pack_order16(payload->order, event->class->id);
	u32 pid = pack_order32(payload->order, item->pid < 0 ? -1 : item->pid);

	memcpy(to, &type, sizeof(type));
	if (!latency_of(item, &to[2], &to[3]))
		to[2] = to[3] = 0;
	memcpy(to + 4, &pid, sizeof(pid));
	memcpy(to + TRACEDAT_EVENT_COMMON, payload->data, payload->size);
}
