// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Redacts the log, the pstore records, and the formats. A line of the log keeps priority and time;
 * its text becomes one pseudonym.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/checksum.h"
#include "redact_impl.h"

#define BATCH_TEXT	(1U << 20)	/* bytes of format texts in one batch */

/* --- lines of a log ------------------------------------------------------- */

/* Of a profile, the kernel's own words stay. */
static void append_lines(struct redaction *r, struct bounded_text *t, const char *text,
			 size_t size)
{
	const char *end = text + size, *next;
	char other[PSEUDONYM_TEXT + 1];
	size_t prefix, n;

	if (r->profile) {
		/* Zeroes at the end are no text; one in the middle is a byte of a line. */
		while (size && !text[size - 1])
			size--;
		if (redact_fate(r, CLASS_LOG) == FATE_KEEP)
			redact_append(t, text, size);
		else
			log_words_lines(r, "log: line", t, text, size);
		return;
	}
	for (; text < end; text = next + 1) {
		next = memchr(text, '\n', end - text);
		if (!next)
			next = end;
		prefix = log_prefix_len(text, next - text);
		n = next - text - prefix;
		/* Never longer than the original, so that the copy always fits. */
		pseudonym_text(r->names, other, n < PSEUDONYM_TEXT ? n + 1 : sizeof(other),
			       text + prefix, n);
		if (!redact_append(t, text, prefix) || !redact_append(t, other, strlen(other)) ||
		    !redact_append(t, "\n", 1))
			return;
	}
}

/* --- the log -------------------------------------------------------------- */

static u64 checksum_of_two(const struct redaction *r, const void *head, size_t head_size,
		     const void *data, size_t size)
{
	return checksum(checksum(r->salt, head, head_size), data, size);
}

/* False: the log is damaged, or not in the file. */
static bool redact_log_text(struct redaction *r, const struct section *sec, struct epitaph_log *raw)
{
	u8 *text;
	u64 room = sec->size - sizeof(*raw) < KLOG_MAX_BYTES ? sec->size - sizeof(*raw) : KLOG_MAX_BYTES;
	int failed = section_sized(&text, r->recording->generation, sec->off, raw, sizeof(*raw),
				   offsetof(struct epitaph_log, size), room, NULL);
	u32 size = le32toh(raw->size);
	char *copy = !failed && text ? malloc((size_t)size + 1) : NULL;
	struct bounded_text t = { copy, size, 0 };

	if (copy) {
		struct epitaph_log head = {
			.is_cut = htole32(raw->is_cut != 0), .log_ns = raw->log_ns,
			.mono_ns = raw->mono_ns,
		};

		append_lines(r, &t, (char *)text, size);
		head.size = htole32(t.len);
		head.check = htole64(checksum_of_two(r, &head, 56, t.buf, t.len));
		redact_put(r, sec->off, &head, sizeof(head));
		redact_put(r, sec->off + sizeof(head), t.buf, t.len);
	}
	free(copy);
	free(text);
	return copy != NULL;
}

void redact_log(struct redaction *r, const struct section *sec)
{
	struct epitaph_log raw;
	ssize_t n = generation_read(r->recording->generation, sec->off, &raw, sizeof(raw), NULL);

	if (n != sizeof(raw) || (raw.check && !redact_log_text(r, sec, &raw)))
		r->count->dropped++;
}

/* --- pstore's records ------------------------------------------------------ */

/* Compresses as pstore does; 0: no room. */
static size_t deflate_text(const struct bounded_text *t, u8 *out, size_t room)
{
	z_stream z = { .next_in = (u8 *)t->buf, .avail_in = t->len,
		       .next_out = out, .avail_out = room };
	int ret;

	if (deflateInit2(&z, 9, Z_DEFLATED, -12, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return 0;
	ret = deflate(&z, Z_FINISH);
	deflateEnd(&z);
	return ret == Z_STREAM_END ? z.total_out : 0;
}

static void put_pstore_record(struct redaction *r, const struct section *sec, const struct record *record,
		       const struct bounded_text *t)
{
	struct epitaph_record head = {
		.seq = htole64(record->seq), .real_ns = htole64(record->real_ns),
		.type = htole32(record->type), .reason = htole32(record->reason),
		.part = htole32(record->part), .count = htole32(record->count),
	};
	u64 room = sec->unit - sizeof(head), at = record->off - sizeof(head);
	u8 *packed = malloc(room ? room : 1);
	const void *data = t->buf;
	size_t size = t->len;

	if (packed && size > room) {
		size = deflate_text(t, packed, room);
		data = packed;
		head.is_compressed = htole32(1);
	}
	if (packed && size) {
		head.size = htole32(size);
		head.check = htole64(checksum_of_two(r, &head, 56, data, size));
		redact_put(r, at, &head, sizeof(head));
		redact_put(r, at + sizeof(head), data, size);
	} else {
		r->count->dropped++;
	}
	free(packed);
}

static void redact_pstore_record(struct redaction *r, const struct section *sec,
				 const struct record *record)
{
	size_t size = record->size;
	char *plain = record->packed ? record_text(record, &size) : NULL;
	const char *text = record->packed ? plain : (const char *)record->data;
	struct bounded_text t = { malloc(size + 1), size + 1, 0 };

	if (text && t.buf) {
		append_lines(r, &t, text, size);
		put_pstore_record(r, sec, record, &t);
	} else {
		r->count->dropped++;
	}
	free(t.buf);
	free(plain);
}

void redact_records(struct redaction *r, const struct section *sec)
{
	const struct records *records = &r->recording->records;
	u32 i;

	/* The recording has the records of the first such section alone. */
	if (sec != generation_section(r->recording->generation, EPITAPH_SEC_RECORDS)) {
		r->count->dropped++;
		return;
	}
	for (i = 0; i < records->nr; i++)
		redact_pstore_record(r, sec, &records->list[i]);
}

/* --- formats --------------------------------------------------------------- */

static bool line_begins(const char *line, size_t n, const char *with)
{
	return n >= strlen(with) && !memcmp(line, with, strlen(with));
}

static void append_format(struct bounded_text *t, const char *system, const char *text, size_t size)
{
	const char *end = text + size;
	size_t before = t->len;
	bool fits = redact_append(t, "system: ", 8) && redact_append(t, system, strlen(system)) &&
		    redact_append(t, "\n", 1);
	bool is_print = false;

	for (; fits && text < end; text++) {
		const char *next = memchr(text, '\n', end - text);
		size_t n = (next ? next : end) - text;

		/* The strings of a print format may contain line breaks. */
		is_print |= line_begins(text, n, "print fmt: ");
		if (is_print || !n || line_begins(text, n, "name: ") ||
		    line_begins(text, n, "ID: ") || line_begins(text, n, "format:") ||
		    line_begins(text, n, "\tfield:"))
			fits = redact_append(t, text, n) && redact_append(t, "\n", 1);
		text += n;
	}
	if (!fits)
		t->len = before;
}

struct batch_writer {
	struct redaction *r;
	const struct section *sec;
	u64 off;
	u32 nr;
	struct bounded_text text;
	u8 *packed;
};

static void put_batch(struct batch_writer *b, enum epitaph_method method)
{
	u64 room = b->sec->size - b->off;
	uLongf size = compressBound(BATCH_TEXT);
	struct epitaph_batch head = {
		.raw_size = htole32(b->text.len), .nr_events = htole32(b->nr),
		.method = htole32(method),
	};
	const void *data = method == EPITAPH_ZLIB ? (void *)b->packed : b->text.buf;

	if (!b->nr)
		return;
	if (method != EPITAPH_ZLIB)
		size = b->text.len;
	else if (compress2(b->packed, &size, (u8 *)b->text.buf, b->text.len, 9) != Z_OK)
		size = room;
	if (room < sizeof(head) || size > room - sizeof(head)) {
		b->r->count->dropped += b->nr;
	} else {
		head.size = htole32(size);
		head.check = htole64(checksum_of_two(b->r, &head, 24, data, size));
		redact_put(b->r, b->sec->off + b->off, &head, sizeof(head));
		redact_put(b->r, b->sec->off + b->off + sizeof(head), data, size);
		b->off += sizeof(head) + (size + 7) / 8 * 8;
	}
	b->nr = 0;
	b->text.len = 0;
}

/* Of a profile, that of an event that the kernel did not name has other names. */
static bool format_is_foreign(const struct batch_writer *b, u32 id)
{
	return b->r->profile && b->r->profile != PROFILE_FULL && !redact_is_own_event(b->r, id);
}

static void append_any_format(struct batch_writer *b, u32 id, const char *system, const char *text,
			      size_t size)
{
	if (format_is_foreign(b, id))
		redact_foreign_format(b->r, &b->text, id);
	else
		append_format(&b->text, system, text, size);
}

static void put_one_format(struct batch_writer *b, u32 id)
{
	struct formats *formats = b->r->recording->formats;
	const struct format *format = formats_get(formats, id);
	size_t before = b->text.len, size;
	const char *text = format->is_known ? formats_text(formats, id, &size) : NULL;

	if (!text) {
		b->r->count->dropped++;
		return;
	}
	append_any_format(b, id, format->system, text, size);
	if (b->text.len == before) {
		put_batch(b, EPITAPH_ZLIB);
		append_any_format(b, id, format->system, text, size);
	}
	b->nr += b->text.len > 0;
}

/*
 * Puts each format that was read, once; not those that every reader has. Foreign ones come last,
 * in a batch of their own, which the section may have no room for.
 */
static void put_format_batches(struct batch_writer *b)
{
	struct formats *formats = b->r->recording->formats;
	u32 id, last = 0, i;

	for (i = 0; i < formats_nr(formats); i++)
		if (formats_id(formats, i) > last)
			last = formats_id(formats, i);
	for (id = EPITAPH_ID_FIRST; id <= last && !b->r->failed; id++)
		if (formats_has(formats, id) && !format_is_foreign(b, id))
			put_one_format(b, id);
	put_batch(b, EPITAPH_ZLIB);
	for (id = EPITAPH_ID_FIRST; id <= last && !b->r->failed; id++)
		if (formats_has(formats, id) && format_is_foreign(b, id))
			put_one_format(b, id);
	put_batch(b, EPITAPH_ZLIB);
}

/* Layouts of packed events hold no personal data, except those of small events. */
static void put_layout_batch(struct batch_writer *b)
{
	FILE *f = fmemopen(b->text.buf, BATCH_TEXT, "w");
	u32 i;

	if (!f)
		return;
	for (i = 1; i < PACKING_ALL; i++) {
		const struct packed_layout *packing = formats_packing(b->r->recording->formats, i);

		if (packing->value || !redact_may_publish(b->r, packing))
			continue;
		packed_layout_print(f, packing, i);
		b->nr++;
	}
	b->text.len = ftell(f);
	fclose(f);
	put_batch(b, EPITAPH_PACKINGS);
}

void redact_formats(struct redaction *r, const struct section *sec)
{
	struct batch_writer b = {
		.r = r, .sec = sec, .text = { malloc(BATCH_TEXT), BATCH_TEXT, 0 },
		.packed = malloc(compressBound(BATCH_TEXT)),
	};

	if (b.text.buf && b.packed) {
		put_format_batches(&b);
		put_layout_batch(&b);
	}
	free(b.text.buf);
	free(b.packed);
}
