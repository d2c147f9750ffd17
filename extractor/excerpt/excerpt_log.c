// SPDX-License-Identifier: GPL-2.0-or-later
/* The lines that the recorder copied from the log, and those of the kernel's log that it lacks. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/strbuf.h"
#include "excerpt_impl.h"

#define PREFIX_MAX	48	/* bytes of "<6>[    1.234567890] " at most, and of a newline */

/* Each line of a text has a prefix of its own: without one it would be of no time. */
static void add_text(struct strbuf *buf, const struct klog_line *line, u64 log_ns)
{
	const char *at = line->text, *end = at + line->len;

	while (at < end) {
		const char *stop = memchr(at, '\n', end - at) ?: end;

		if (line->priority >= 0)
			strbuf_put(buf, "<%d>", line->priority);
		strbuf_put(buf, "[%5llu.%09llu] ", log_ns / 1000000000, log_ns % 1000000000);
		/* A NUL byte would end the text for who prints it. */
		for (; at < stop; at++)
			strbuf_add(buf, *at ? at : "?", 1);
		strbuf_add(buf, "\n", 1);
		at = stop + 1;
	}
}

/* No less than what add_text() adds. */
static u64 text_room(const struct klog_line *line)
{
	u64 room = line->len + PREFIX_MAX + 1;

	for (u32 i = 0; i < line->len; i++)
		room += line->text[i] == '\n' ? PREFIX_MAX : 0;
	return room;
}

/* The first of the newest lines that have room in a log. */
static u32 first_of_newest(const struct aux_events *aux)
{
	u64 room = 0;
	u32 i = aux->nr;

	for (; i; i--) {
		if (aux->list[i - 1].kind == AUX_EVENT_LOG)
			room += text_room(aux->list[i - 1].data);
		if (room > KLOG_MAX_BYTES)
			break;
	}
	return i;
}

static int put_log_text(struct excerpt *excerpt, const struct strbuf *buf, bool is_cut, s64 ahead,
			struct err *err)
{
	const struct recording *recording = excerpt->pm->recording;
	u64 size = buf->size;
	u64 room = (sizeof(struct epitaph_log) + size + 7) / 8 * 8;
	u8 *bytes = calloc(1, room);
	struct epitaph_log head = {
		.size = htole32(size), .log_ns = htole64(ahead < 0 ? -ahead : 0),
		.mono_ns = htole64(ahead > 0 ? ahead : 0),
		.is_cut = htole32(is_cut || (recording && recording->klog.is_cut)),
	};

	if (!bytes)
		return err_sys(err, "memory for the log");
	head.check = htole64(checksum(checksum(excerpt->generation.hdr.salt, &head, sizeof(head) - 8),
				      buf->data, size));
	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + sizeof(head), buf->data, size);
	return excerpt_put(excerpt, EPITAPH_SEC_LOG, 1, bytes, room, err);
}

int excerpt_put_log(struct excerpt *excerpt, struct err *err)
{
	const struct aux_events *aux = &excerpt->pm->aux_events;
	const struct recording *recording = excerpt->pm->recording;
	s64 ahead = recording && recording->klog.there ? recording->klog.ahead : 0;
	struct strbuf buf = { 0 };
	u32 first = first_of_newest(aux);
	int ret = 0;

	for (u32 i = first; i < aux->nr; i++) {
		const struct klog_line *line = aux->list[i].data;

		if (aux->list[i].kind != AUX_EVENT_LOG)
			continue;
		/* A time from before the log's clock began is its beginning. */
		add_text(&buf, line, (s64)line->mono_ns > ahead ? line->mono_ns - ahead : 0);
		excerpt->nr_lines++;
	}
	if (buf.failed)
		ret = err_sys(err, "memory for the log");
	else if (buf.size)
		ret = put_log_text(excerpt, &buf, first > 0, ahead, err);
	free(buf.data);
	return ret;
}
