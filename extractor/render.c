// SPDX-License-Identifier: GPL-2.0-or-later
#include "render.h"

#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>

#include "bytes.h"
#include "klog_print.h"
#include "print_mce.h"

#define MAX_RENDERED	16384	/* characters of one event */

struct render {
	struct account *account;
	struct trace_seq seq;
	char escaped[MAX_RENDERED * 4 + 1];
};

int render_new(struct render **ret, struct account *account, struct err *err)
{
	struct render *render = malloc(sizeof(*render));

	if (!render)
		return err_sys(err, "memory");
	render->account = account;
	trace_seq_init(&render->seq);
	*ret = render;
	return 0;
}

void render_free(struct render *render)
{
	if (!render)
		return;
	trace_seq_destroy(&render->seq);
	free(render);
}

static struct tep_record *record_of(const struct entry *entry)
{
	return formats_record(entry->stream->formats, entry->id, entry->pid,
			      entry->payload, entry->size);
}

static void put_escaped(struct render *render, FILE *f, const char *text, size_t len)
{
	if (len > MAX_RENDERED)
		len = MAX_RENDERED;
	err_escape(render->escaped, sizeof(render->escaped), text, len);
	fputs(render->escaped, f);
}

static void put_hex(FILE *f, const u8 *data, u32 size)
{
	u32 i;

	fputs("[format lost]", f);
	for (i = 0; i < size; i++)
		fprintf(f, "%s%02x", i % 4 ? "" : " ", data[i]);
}

/* Does all of the event that the format speaks of lie in the payload? */
static bool fits(const struct format *format, const struct entry *entry)
{
	const struct tep_format_field *field;

	for (field = format->event->format.fields; field; field = field->next)
		if ((u32)field->offset + field->size > entry->size + FORMATS_COMMON)
			return false;
	return true;
}

static void print_event(struct render *render, const struct format *format,
			const struct entry *entry)
{
	struct tep_handle *tep = formats_tep(entry->stream->formats);
	struct tep_record *record = record_of(entry);

	trace_seq_reset(&render->seq);
	if (format->printable && fits(format, entry))
		tep_print_event(tep, &render->seq, record, "%s", TEP_PRINT_INFO);
	else if (fits(format, entry))
		tep_print_fields(&render->seq, record->data, record->size, format->event);
	else
		trace_seq_puts(&render->seq, "[shorter than its format]");
	trace_seq_terminate(&render->seq);
}

static void extra_text(struct render *render, FILE *f, const struct extra *extra)
{
	switch (extra->kind) {
	case EXTRA_LOG:
		return klog_text(f, extra->data);
	case EXTRA_MCE:
		return print_mce_line(f, render->account->trace, extra->data);
	}
}

static void event_text(struct render *render, FILE *f, const struct entry *entry)
{
	struct formats *formats = entry->stream->formats;
	const struct format *format = formats_get(formats, entry->id);
	const char *name = formats_name(formats, entry->id);
	const char *colon = strchr(name, ':');
	const char *text;

	if (format->event)
		name = colon + 1;
	put_escaped(render, f, name, strlen(name));
	fputs(": ", f);
	if (!format->event)
		return put_hex(f, entry->payload, entry->size);
	print_event(render, format, entry);
	text = render->seq.buffer;
	put_escaped(render, f, text, strnlen(text, render->seq.len));
}

void render_text(struct render *render, FILE *f, const struct entry *entry)
{
	if (entry->extra)
		return extra_text(render, f, entry->extra);
	event_text(render, f, entry);
}

/* A number of the event; sign as the field has it. */
static void put_number(struct json *j, const char *key, struct bytes *b, u64 off,
		       u32 size, bool is_signed)
{
	u64 value = 0;

	switch (size) {
	case 1:
		value = bytes_u8(b, off);
		value = is_signed ? (u64)(int8_t)value : value;
		break;
	case 2:
		value = bytes_u16(b, off);
		value = is_signed ? (u64)(int16_t)value : value;
		break;
	case 4:
		value = bytes_u32(b, off);
		value = is_signed ? (u64)(int32_t)value : value;
		break;
	case 8:
		value = bytes_u64(b, off);
		break;
	default:
		return json_hex(j, key, b->data + off, size);
	}
	if (is_signed)
		json_s64(j, key, (s64)value);
	else
		json_u64(j, key, value);
}

static void put_array(struct json *j, const struct tep_format_field *field,
		      struct bytes *b, u64 off, u64 size)
{
	u32 element = field->elementsize;
	u64 at;

	if (!element || element > 8 || (element & (element - 1)))
		element = 1;
	json_open(j, field->name, '[');
	for (at = 0; at + element <= size; at += element)
		put_number(j, NULL, b, off + at, element,
			   field->flags & TEP_FIELD_IS_SIGNED);
	json_close(j, ']');
}

/* Where a dynamic field lies; false: not within the event. */
static bool find_dynamic(const struct tep_format_field *field, struct bytes *b,
			 u64 *off, u64 *size)
{
	u32 loc = bytes_u32(b, *off);

	*size = loc >> 16;
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		*off += field->size + (loc & 0xffff);
	else
		*off = loc & 0xffff;
	return bytes_has(b, *off, *size);
}

/* The library also takes arrays of u8 for texts. */
static bool is_text(const struct tep_format_field *field)
{
	return (field->flags & TEP_FIELD_IS_STRING) && strstr(field->type, "char") &&
	       !strstr(field->type, "unsigned");
}

static void put_field(struct json *j, const struct tep_format_field *field,
		      struct bytes *b)
{
	u64 off = field->offset;
	u64 size = field->size;

	if (!bytes_has(b, off, size))
		return json_null(j, field->name);
	if ((field->flags & TEP_FIELD_IS_DYNAMIC) && !find_dynamic(field, b, &off, &size))
		return json_null(j, field->name);
	if (is_text(field))
		return json_text(j, field->name, b->data + off,
				 bytes_strlen(b, off, size));
	if (field->flags & TEP_FIELD_IS_ARRAY)
		return put_array(j, field, b, off, size);
	put_number(j, field->name, b, off, size, field->flags & TEP_FIELD_IS_SIGNED);
}

static void extra_fields(struct json *j, const char *key, const struct extra *extra)
{
	switch (extra->kind) {
	case EXTRA_LOG:
		return klog_fields(j, key, extra->data);
	case EXTRA_MCE:
		json_open(j, key, '{');
		print_mce_fields(j, extra->data);
		return json_close(j, '}');
	}
}

static void event_fields(struct json *j, const char *key, const struct entry *entry)
{
	const struct format *format = formats_get(entry->stream->formats, entry->id);
	const struct tep_format_field *field;
	struct tep_record *record;
	struct bytes b;

	json_open(j, key, '{');
	if (!format->event) {
		json_hex(j, "raw", entry->payload, entry->size);
		return json_close(j, '}');
	}
	record = record_of(entry);
	b = bytes_of(record->data, record->size, entry->stream->order);
	for (field = format->event->format.fields; field; field = field->next)
		put_field(j, field, &b);
	json_close(j, '}');
}

void render_fields(struct json *j, const char *key, const struct entry *entry)
{
	if (entry->extra)
		return extra_fields(j, key, entry->extra);
	event_fields(j, key, entry);
}
