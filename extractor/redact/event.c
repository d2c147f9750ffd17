// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The payload of an event is built anew, field by field: what no field covers
 * stays behind.  The type of a field, or else its name, says what it is.
 */
#include <string.h>

#include "base/byte_reader.h"
#include "event/field_layout.h"
#include "redact_impl.h"

/* @told: per byte of @to; what a field tells of it is not told again as something else by another */
struct payload {
	const struct redaction *r;
	struct bytes from;
	u8 *to;
	bool *told;
};

static bool take(struct payload *p, u64 off, u64 size)
{
	if (memchr(p->told + off, true, size))
		return false;
	memset(p->told + off, true, size);
	return true;
}

/* Is @name one of @words, or does it end in one behind an underscore? */
static bool is_called(const char *name, const char *const *words, size_t nr)
{
	size_t len = strlen(name), i;

	for (i = 0; i < nr; i++) {
		size_t n = strlen(words[i]);

		if (len >= n && !strcmp(name + len - n, words[i]) &&
		    (len == n || name[len - n - 1] == '_'))
			return true;
	}
	return false;
}

static bool is_pid(const char *name)
{
	static const char *const words[] = {
		"pid", "tid", "tgid", "ppid", "pgid", "pgrp", "sid", "owner", "uid", "gid",
		"euid", "egid", "loginuid", "kuid",
	};

	return is_called(name, words, ARRAY_SIZE(words));
}

static bool is_address(const char *name)
{
	static const char *const words[] = {
		"addr", "address", "ip", "pc", "sp", "caller", "callsite", "site", "func",
		"function", "fn", "ptr", "work", "workqueue", "timer", "hrtimer", "skaddr",
		"skbaddr", "location", "page", "pfn", "mm", "vma", "regs", "handler",
		"start", "end", "rip", "gva", "gpa", "hva",
	};

	return is_called(name, words, ARRAY_SIZE(words));
}

/* What tells one host or one file from another. */
static bool is_number_of_host(const char *name)
{
	static const char *const words[] = {
		"ino", "inode", "dev", "dir", "sector", "blkno", "block", "saddr", "daddr", "sport",
		"dport", "cookie", "serial", "ppin", "uuid", "hash", "cgroup", "id_key",
	};

	return is_called(name, words, ARRAY_SIZE(words));
}

static void put_number(struct payload *p, u64 off, u32 size, u64 value)
{
	u32 i;

	for (i = 0; i < size; i++)
		p->to[off + (p->from.order == ORDER_BIG ? size - 1 - i : i)] = value >> 8 * i;
}

static u64 get_number(struct payload *p, u64 off, u32 size)
{
	return size == 8 ? bytes_u64(&p->from, off) : size == 4 ? bytes_u32(&p->from, off) :
	       size == 2 ? bytes_u16(&p->from, off) : bytes_u8(&p->from, off);
}

/* A number of 8 bytes that looks like one of the kernel's addresses is one; a small negative one does not. */
static bool looks_like_address(u64 value, u32 size)
{
	return size == 8 && value >> 56 == 0xff && value < 0ULL - (1U << 24);
}

u64 redact_number_of(const struct pseudonyms *names, const struct tep_format_field *field,
			u64 value)
{
	if (is_pid(field->name))
		return pseudonym_pid(names, value);
	if ((field->flags & TEP_FIELD_IS_POINTER) || is_address(field->name) ||
	    looks_like_address(value, field->size))
		return pseudonym_address(names, value);
	if (is_number_of_host(field->name))
		return pseudonym_number(names, value);
	return value;
}

static void redact_number(struct payload *p, const struct tep_format_field *field, u64 off)
{
	u64 value = get_number(p, off, field->size);

	put_number(p, off, field->size, redact_number_of(p->r->names, field, value));
}

/* Addresses where they may be some; all else as bytes, which say nothing. */
static void redact_array(struct payload *p, u32 element, u64 off, u64 size)
{
	u64 at;

	if (element != 8 || size % 8) {
		pseudonym_bytes(p->r->names, p->to + off, bytes_ptr(&p->from, off, size), size);
		return;
	}
	for (at = off; at < off + size; at += 8)
		put_number(p, at, 8, pseudonym_address(p->r->names, bytes_u64(&p->from, at)));
}

static void redact_data(struct payload *p, const struct tep_format_field *field, u64 off, u64 size)
{
	if (!size)
		return;
	if (field_layout_is_text(field))
		pseudonym_text(p->r->names, (char *)p->to + off, size,
			       bytes_ptr(&p->from, off, size), size);
	else
		redact_array(p, field->elementsize, off, size);
}

/* The word that says where the data is, and the data.  What a synthetic event has behind the word stays behind. */
static void redact_dynamic(struct payload *p, const struct tep_format_field *field, u64 off)
{
	u64 at, size;

	if (!field_layout_place(field, &p->from, FORMATS_COMMON, &at, &size) || !take(p, at, size))
		return;
	put_number(p, off, 4, bytes_u32(&p->from, off));
	redact_data(p, field, at, size);
}

static void redact_field(struct payload *p, const struct tep_format_field *field)
{
	u64 off = field->offset - FORMATS_COMMON, size = field->size;

	if (field->offset < FORMATS_COMMON || !bytes_has(&p->from, off, size) || !take(p, off, size))
		return;
	if (field->flags & TEP_FIELD_IS_DYNAMIC) {
		redact_dynamic(p, field, off);
	} else if (field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_STRING)) {
		redact_data(p, field, off, size);
	} else if (size == 1 || size == 2 || size == 4 || size == 8) {
		redact_number(p, field, off);
	} else if (size) {
		pseudonym_bytes(p->r->names, p->to + off, bytes_ptr(&p->from, off, size), size);
	}
}

/*
 * An event that came before its format is the event that it is: what tells which, and where,
 * stays.  False: nothing tells, and all of it is bytes.
 */
static bool redact_early(struct redaction *r, const struct format *format, u8 *payload, u32 size,
			 enum byte_order order)
{
	struct bytes b = bytes_of(payload, size, order);
	s64 id = format->early ? format_number(format->early, &b) : -1;
	u32 at, len;

	if (id < 0 || !bytes_has(&b, 8, 4) || !formats_has(r->recording->formats, id) ||
	    formats_get(r->recording->formats, id)->early)
		return false;
	at = (bytes_u32(&b, 8) & 0xffff) - FORMATS_COMMON;
	len = bytes_u32(&b, 8) >> 16;
	if (at != 12 || !bytes_has(&b, at, len))
		return false;
	memset(payload + at + len, 0, size - at - len);
	redact_payload(r, id, payload + at, len);
	return true;
}

void redact_payload(struct redaction *r, u32 id, u8 *payload, u32 size)
{
	const struct format *format = formats_get(r->recording->formats, id);
	enum byte_order order = r->recording->generation->hdr.byte_order == EPITAPH_BIG_ENDIAN ?
				ORDER_BIG : ORDER_LITTLE;
	const struct tep_format_field *field;
	u8 to[SUBBUF_MAX] = { 0 };
	bool told[SUBBUF_MAX] = { false };
	struct payload p = { r, bytes_of(payload, size, order), to, told };

	if (redact_early(r, format, payload, size, order))
		return;
	r->count->events++;
	if (format->event)
		for (field = format->event->format.fields; field; field = field->next)
			redact_field(&p, field);
	else
		r->count->dropped++;
	memcpy(payload, to, size);
}
