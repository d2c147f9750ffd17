// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What has lines: the log, pstore's records, and the formats.  Of a line of the
 * log, priority and time stay; what it said becomes one pseudonym.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/checksum.h"
#include "redact_impl.h"

#define BATCH_TEXT	(1U << 20)	/* bytes of format texts that are packed together */

/* A text that grows up to its room; what does not fit is left out. */
struct text {
	char *buf;
	size_t room;
	size_t len;
};

static bool add(struct text *t, const char *s, size_t n)
{
	if (n > t->room - t->len)
		return false;
	memcpy(t->buf + t->len, s, n);
	t->len += n;
	return true;
}

/* --- lines of a log ------------------------------------------------------- */

static size_t span(const char *s, size_t n, const char *chars)
{
	size_t i = 0;

	while (i < n && s[i] && strchr(chars, s[i]))
		i++;
	return i;
}

/* "<6>[    0.123456] ", in digits and nothing else; 0: it is not there. */
static size_t prefix_of(const char *line, size_t n)
{
	size_t at = 0, digits;

	if (n && line[0] == '<') {
		digits = span(line + 1, n - 1, "0123456789");
		if (digits && digits < 6 && 1 + digits < n && line[1 + digits] == '>')
			at = digits + 2;
	}
	if (at < n && line[at] == '[') {
		digits = span(line + at + 1, n - at - 1, " 0123456789.");
		if (digits && digits < 24 && at + 1 + digits < n && line[at + 1 + digits] == ']')
			at += digits + 2;
	}
	return at < n && at && line[at] == ' ' ? at + 1 : at;
}

static bool add_line(const struct redaction *r, struct text *t, const char *line, size_t n)
{
	char other[PSEUDONYM_TEXT + 1];
	size_t prefix = prefix_of(line, n);

	if (!add(t, line, prefix))
		return false;
	/* Never longer than what was said, so that it always fits. */
	pseudonym_text(r->names, other, n - prefix < PSEUDONYM_TEXT ? n - prefix + 1 : sizeof(other),
		       line + prefix, n - prefix);
	return add(t, other, strlen(other)) && add(t, "\n", 1);
}

static void add_lines(const struct redaction *r, struct text *t, const char *text, size_t size)
{
	const char *end = text + size, *next;

	for (; text < end; text = next + 1) {
		next = memchr(text, '\n', end - text);
		if (!next)
			next = end;
		if (!add_line(r, t, text, next - text))
			return;
	}
}

/* --- the log -------------------------------------------------------------- */

static u64 check_two(const struct redaction *r, const void *head, size_t head_size,
		     const void *data, size_t size)
{
	return checksum(checksum(r->salt, head, head_size), data, size);
}

static void put_log(struct redaction *r, const struct section *sec, const struct epitaph_log *raw,
		    const struct text *t)
{
	struct epitaph_log head = {
		.size = htole32(t->len), .is_cut = htole32(raw->is_cut != 0),
		.log_ns = raw->log_ns, .mono_ns = raw->mono_ns,
	};

	head.check = htole64(check_two(r, &head, 56, t->buf, t->len));
	redact_put(r, sec->off, &head, sizeof(head));
	redact_put(r, sec->off + sizeof(head), t->buf, t->len);
}

/* False: it does not hold, or is not in the file. */
static bool take_log(struct redaction *r, const struct section *sec, const struct epitaph_log *raw)
{
	struct generation *generation = r->recording->generation;
	u32 size = le32toh(raw->size);
	struct text t;
	char *text;
	bool good;

	if (size > sec->size - sizeof(*raw) || size > 16U << 20)
		return false;
	text = malloc(2 * (size_t)size + 2);
	if (!text)
		return false;
	t = (struct text){ text + size + 1, size, 0 };
	good = generation_read(generation, sec->off + sizeof(*raw), text, size, NULL) == (ssize_t)size &&
	       checksum_ok(checksum(checksum(generation->hdr.salt, raw, 56), text, size),
			   le64toh(raw->check));
	if (good) {
		add_lines(r, &t, text, size);
		put_log(r, sec, raw, &t);
	}
	free(text);
	return good;
}

void redact_log(struct redaction *r, const struct section *sec)
{
	struct epitaph_log raw;
	bool is_there = generation_read(r->recording->generation, sec->off, &raw, sizeof(raw), NULL) == sizeof(raw);

	if (!is_there || (raw.check && !take_log(r, sec, &raw)))
		r->count->dropped++;
}

/* --- pstore's records ------------------------------------------------------ */

/* As pstore packs them; 0: no room. */
static size_t pack(const struct text *t, u8 *out, size_t room)
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

static void put_record(struct redaction *r, const struct section *sec, const struct record *record,
		       const struct text *t)
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
		size = pack(t, packed, room);
		data = packed;
		head.is_compressed = htole32(1);
	}
	if (packed && size) {
		head.size = htole32(size);
		head.check = htole64(check_two(r, &head, 56, data, size));
		redact_put(r, at, &head, sizeof(head));
		redact_put(r, at + sizeof(head), data, size);
	} else {
		r->count->dropped++;
	}
	free(packed);
}

static void redact_record(struct redaction *r, const struct section *sec,
			  const struct record *record)
{
	size_t size = record->size;
	char *plain = record->packed ? record_text(record, &size) : NULL;
	const char *text = record->packed ? plain : (const char *)record->data;
	struct text t = { malloc(size + 1), size + 1, 0 };

	if (text && t.buf) {
		add_lines(r, &t, text, size);
		put_record(r, sec, record, &t);
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

	/* They are of the first such section; of another one nothing was read. */
	if (sec != generation_section(r->recording->generation, EPITAPH_SEC_RECORDS)) {
		r->count->dropped++;
		return;
	}
	for (i = 0; i < records->nr; i++)
		redact_record(r, sec, &records->list[i]);
}

/* --- formats --------------------------------------------------------------- */

static bool begins(const char *line, size_t n, const char *with)
{
	return n >= strlen(with) && !memcmp(line, with, strlen(with));
}

/* Lines of which a format consists; others are left out. */
static bool is_format_line(const char *line, size_t n)
{
	return !n || begins(line, n, "name: ") || begins(line, n, "ID: ") ||
	       begins(line, n, "format:") || begins(line, n, "\tfield:");
}

static void add_format(struct text *t, const char *system, const char *text, size_t size)
{
	const char *end = text + size;
	size_t before = t->len;
	bool fits = add(t, "system: ", 8) && add(t, system, strlen(system)) && add(t, "\n", 1);
	bool is_print = false;

	for (; fits && text < end; text++) {
		const char *next = memchr(text, '\n', end - text);
		size_t n = (next ? next : end) - text;

		/* Its strings may have lines of their own. */
		is_print |= begins(text, n, "print fmt: ");
		if (is_print || is_format_line(text, n))
			fits = add(t, text, n) && add(t, "\n", 1);
		text += n;
	}
	if (!fits)
		t->len = before;
}

struct batches {
	struct redaction *r;
	const struct section *sec;
	u64 off;
	u32 nr;
	struct text text;
	u8 *packed;
};

static void put_batch(struct batches *b, enum epitaph_method method)
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
		head.check = htole64(check_two(b->r, &head, 24, data, size));
		redact_put(b->r, b->sec->off + b->off, &head, sizeof(head));
		redact_put(b->r, b->sec->off + b->off + sizeof(head), data, size);
		b->off += sizeof(head) + (size + 7) / 8 * 8;
	}
	b->nr = 0;
	b->text.len = 0;
}

static u32 last_id(const struct formats *formats)
{
	u32 i, last = 0;

	for (i = 0; i < formats_nr(formats); i++)
		if (formats_id(formats, i) > last)
			last = formats_id(formats, i);
	return last;
}

/* Those that can be read, and no others; each once, and none that every reader knows. */
static void add_all(struct batches *b)
{
	struct formats *formats = b->r->recording->formats;
	u32 id, last = last_id(formats);

	for (id = EPITAPH_ID_FIRST; id <= last && !b->r->failed; id++) {
		const struct format *format = formats_has(formats, id) ? formats_get(formats, id) : NULL;
		size_t before = b->text.len, size;
		const char *text;

		if (!format)
			continue;
		text = format->event ? formats_text(formats, id, &size) : NULL;
		if (!text) {
			b->r->count->dropped++;
			continue;
		}
		add_format(&b->text, format->system, text, size);
		if (b->text.len == before) {
			put_batch(b, EPITAPH_ZLIB);
			add_format(&b->text, format->system, text, size);
		}
		b->nr += b->text.len > 0;
	}
	put_batch(b, EPITAPH_ZLIB);
}

/* How events are packed tells nothing of anybody, but for what small ones may. */
static void add_packings(struct batches *b)
{
	FILE *f = fmemopen(b->text.buf, BATCH_TEXT, "w");
	u32 i;

	if (!f)
		return;
	for (i = 1; i < PACKING_ALL; i++) {
		const struct packed_layout *packing = formats_packing(b->r->recording->formats, i);

		if (packing->value || !redact_may_tell(b->r, packing))
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
	struct batches b = {
		.r = r, .sec = sec, .text = { malloc(BATCH_TEXT), BATCH_TEXT, 0 },
		.packed = malloc(compressBound(BATCH_TEXT)),
	};

	if (b.text.buf && b.packed) {
		add_all(&b);
		add_packings(&b);
	}
	free(b.text.buf);
	free(b.packed);
}
