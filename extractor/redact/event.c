// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds the payload of an event anew, field by field: bytes outside all fields are left out.
 * The type of a field, or else its name, decides how it is redacted.
 */
#include <string.h>

#include "base/byte_reader.h"
#include "event/field_layout.h"
#include "redact_impl.h"

/*
 * @id: of the event
 * @done: by byte of @to: a field has redacted it, and no other field may write it again
 * @where: "system:name.field", for a preview
 */
struct payload {
	struct redaction *r;
	u32 id;
	struct bytes from;
	u8 *to;
	bool *done;
	const char *where;
};

static bool claim_bytes(struct payload *p, u64 off, u64 size)
{
	if (memchr(p->done + off, true, size))
		return false;
	memset(p->done + off, true, size);
	return true;
}

/* Does @name consist of a word of the NULL-terminated @words, or end in one behind an underscore? */
static bool name_has_word(const char *name, const char *const *words)
{
	size_t len = strlen(name);

	for (; *words; words++) {
		size_t n = strlen(*words);

		if (len >= n && !strcmp(name + len - n, *words) &&
		    (len == n || name[len - n - 1] == '_'))
			return true;
	}
	return false;
}

static const char *const pid_words[] = {
	"pid", "tid", "tgid", "ppid", "pgid", "pgrp", "sid", "owner", "uid", "gid", "euid", "egid",
	"loginuid", "kuid", NULL,
};

static const char *const address_words[] = {
	"addr", "address", "ip", "pc", "sp", "caller", "callsite", "site", "func", "function", "fn",
	"ptr", "work", "workqueue", "timer", "hrtimer", "skaddr", "skbaddr", "location", "page",
	"pfn", "mm", "vma", "regs", "handler", "start", "end", "rip", "gva", "gpa", "hva", NULL,
};

/* Numbers that identify a host or a file. */
static const char *const identity_words[] = {
	"ino", "inode", "dev", "dir", "sector", "blkno", "block", "saddr", "daddr", "sport", "dport",
	"cookie", "serial", "ppin", "uuid", "hash", "cgroup", "id_key", NULL,
};

static void store_field_number(struct payload *p, u64 off, u32 size, u64 value)
{
	u32 i;

	for (i = 0; i < size; i++)
		p->to[off + (p->from.order == ORDER_BIG ? size - 1 - i : i)] = value >> 8 * i;
}

/* Without a profile: by the name of the field. */
static u64 number_by_name(const struct pseudonyms *names, const struct layout_field *field,
			  u64 value)
{
	if (name_has_word(field->name, pid_words))
		return pseudonym_pid(names, value);
	/* 8 bytes in the range of the kernel are an address; small negative numbers are not. */
	if (field->is_pointer || name_has_word(field->name, address_words) ||
	    (field->size == 8 && value >> 56 == 0xff && value < 0ULL - (1U << 24)))
		return pseudonym_address(names, value);
	/* How many sectors there are is not which one. */
	if (name_has_word(field->name, identity_words) && strncmp(field->name, "nr_", 3))
		return pseudonym_number(names, value);
	return value;
}

/* A sector takes as many bytes as before: a packed event has no more for it. */
static u64 number_of_width(const struct layout_field *field, u64 value, u64 other)
{
	if (field->size != 8 || strcmp(field->name, "sector") || value >> 40)
		return other;
	return other & (value >> 32 ? (1ULL << 40) - 1 : (1ULL << 32) - 1);
}

u64 redact_number_of(struct redaction *r, u32 id, const struct layout_field *field, u64 value)
{
	char where[256];
	u64 other;

	if (!r->profile)
		return number_of_width(field, value, number_by_name(r->names, field, value));
	if (r->preview)
		snprintf(where, sizeof(where), "%s.%s", formats_name(r->recording->formats, id),
			 field->name);
	other = redact_number(r, redact_class_of(r, id, field), r->preview ? where : "", field->size,
			      value);
	return number_of_width(field, value, other);
}

/* With a profile: the class decides, whatever the kind is. */
static void disclose_field_data(struct payload *p, const struct layout_field *field, u64 off,
				u64 size)
{
	enum field_class class = redact_class_of(p->r, p->id, field);
	const void *from = bytes_ptr(&p->from, off, size);
	u32 element = field->element == 8 || class == CLASS_PID ? field->element : 1;
	u64 at;

	if (field->kind == LAYOUT_TEXT)
		redact_text(p->r, class, p->where, (char *)p->to + off, size, from, size);
	else if (element == 1 || size % element || redact_fate(p->r, class) == FATE_KEEP)
		redact_bytes(p->r, class, p->where, p->to + off, from, size);
	else
		for (at = off; at < off + size; at += element)
			store_field_number(p, at, element,
					   redact_number(p->r, class, p->where, element,
							 bytes_number(&p->from, at, element, false)));
}

static void redact_field_data(struct payload *p, const struct layout_field *field, u64 off,
			      u64 size)
{
	const struct pseudonyms *names = p->r->names;
	u64 at;

	if (!size)
		return;
	if (p->r->profile) {
		disclose_field_data(p, field, off, size);
		return;
	}
	if (field->kind == LAYOUT_TEXT) {
		pseudonym_text(names, (char *)p->to + off, size, bytes_ptr(&p->from, off, size),
			       size);
		return;
	}
	/* Elements of 8 bytes may be addresses; other data becomes bytes without a meaning. */
	if (field->element != 8 || size % 8) {
		pseudonym_bytes(names, p->to + off, bytes_ptr(&p->from, off, size), size);
		return;
	}
	for (at = off; at < off + size; at += 8)
		store_field_number(p, at, 8, pseudonym_address(names, bytes_u64(&p->from, at)));
}

static void redact_event_field(struct payload *p, const struct layout_field *field)
{
	u64 off = field->off, size = field->size, at, value;
	char where[256];

	if (p->r->preview)
		snprintf(where, sizeof(where), "%s.%s", formats_name(p->r->recording->formats, p->id),
			 field->name);
	p->where = p->r->preview ? where : "";
	if (!bytes_has(&p->from, off, size) || !claim_bytes(p, off, size))
		return;
	if (field->is_dynamic && !field->is_rest) {
		/* The word with the place of the data, and the data; nothing else behind the word. */
		if (!field_layout_find(field, &p->from, &at, &size) ||
		    !claim_bytes(p, at, size))
			return;
		store_field_number(p, off, 4, bytes_u32(&p->from, off));
		redact_field_data(p, field, at, size);
	} else if (field->is_array) {
		redact_field_data(p, field, off, size);
	} else if (is_number_size(size)) {
		value = bytes_number(&p->from, off, size, false);
		store_field_number(p, off, size, redact_number_of(p->r, p->id, field, value));
	} else if (size) {
		redact_bytes(p->r, p->r->profile ? redact_class_of(p->r, p->id, field) : CLASS_PRIVATE,
			     p->where, p->to + off, bytes_ptr(&p->from, off, size), size);
	}
}

/*
 * An event that came before its format contains another event: keeps the id and the place of that
 * one, and redacts its payload. False: the format never came.
 */
static bool redact_early_event(struct redaction *r, const struct format *format, u8 *payload, u32 size,
			 enum byte_order order)
{
	struct bytes b = bytes_of(payload, size, order);
	s64 id = format->early ? layout_field_number(format->early, &b) : -1;
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
	u32 i;
	u8 to[SUBBUF_MAX];
	bool done[SUBBUF_MAX];
	struct payload p = { r, id, bytes_of(payload, size, order), to, done, "" };

	if (redact_early_event(r, format, payload, size, order))
		return;
	memset(to, 0, size);
	memset(done, false, size * sizeof(*done));
	r->count->events++;
	if (format->is_known)
		for (i = 0; i < format->layout.nr; i++)
			redact_event_field(&p, &format->layout.fields[i]);
	else
		r->count->dropped++;
	memcpy(payload, to, size);
}
