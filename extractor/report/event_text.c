// SPDX-License-Identifier: GPL-2.0-or-later
#include "event_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "event/field_iter.h"
#include "event/print_fields.h"
#include "recording/klog.h"
#include "device_names.h"
#include "mce_line.h"

#define MAX_RENDERED	16384	/* characters of one event */

struct render {
	struct postmortem *pm;
	struct pack text;
	char escaped[MAX_RENDERED * 4 + 1];
};

int render_new(struct render **ret, struct postmortem *pm, struct err *err)
{
	struct render *render = calloc(1, sizeof(*render));

	if (!render)
		return err_sys(err, "memory");
	render->pm = pm;
	*ret = render;
	return 0;
}

void render_free(struct render *render)
{
	if (!render)
		return;
	pack_free(&render->text);
	free(render);
}

static void put_escaped_event(struct render *render, FILE *f, const char *text, size_t len)
{
	if (len > MAX_RENDERED)
		len = MAX_RENDERED;
	if (escape_plain(text, len) < len) {
		len = escape_text(render->escaped, sizeof(render->escaped), text, len);
		text = render->escaped;
	}
	fwrite_unlocked(text, 1, len, f);
}

/* By the print format, or field by field where that is not known. */
static void print_event(struct pack *text, const struct format *format, const struct item *item)
{
	const struct print_program *program = formats_program(item->stream->formats, item->id);
	struct bytes payload = bytes_of(item->payload, item->size, item->stream->order);
	static const char too_short[] = "[shorter than its format]";

	if (payload.size < format->layout.size ||
	    (program && !print_program_run(program, text, &payload, item->raw)))
		pack_bytes(text, too_short, strlen(too_short));
	else if (!program)
		print_fields(text, &format->layout, &payload);
}

/* Event and text of it behind @text. Return: the bytes of its name and what follows that. */
static size_t pack_event(struct render *render, struct pack *text, const struct format *format, const struct item *item)
{
	size_t start = text->size, head = format->is_bare ? 0 : strlen(format->name) + 2;

	if (head) {
		pack_bytes(text, format->name, head - 2);
		pack_bytes(text, ": ", 2);
	}
	print_event(text, format, item);
	device_names_put(text, start + head, render->pm, item);
	return head;
}

/* Is nothing to be escaped in what is behind @start, and is it short enough? */
static bool is_plain_event(const struct pack *text, size_t start)
{
	size_t len = text->size - start;

	return len <= MAX_RENDERED && escape_plain(text->data + start, len) == len;
}

bool render_pack(struct render *render, struct pack *text, const struct item *item)
{
	const struct stream *stream = item->stream;
	const struct format *format;
	size_t start = text->size;

	if (item->extra || stream->ops->text || render->pm->debuginfo)
		return false;
	format = formats_get(stream->formats, item->id);
	if (!format->is_known)
		return false;
	pack_event(render, text, format, item);
	if (is_plain_event(text, start))
		return true;
	text->size = start;
	return false;
}

static void put_stream_event(struct render *render, FILE *f, const struct item *item)
{
	struct formats *formats = item->stream->formats;
	const struct format *format = formats_get(formats, item->id);
	const struct stream *stream = item->stream;
	struct pack *text = &render->text;
	const u8 *payload = item->payload;
	const char *name;
	size_t head;
	u32 i;

	if (stream->ops->text && stream->ops->text(stream, f, item))
		return;
	if (!format->is_known) {
		name = formats_name(formats, item->id);
		put_escaped_event(render, f, name, strlen(name));
		fputs(": [format lost]", f);
		for (i = 0; i < item->size; i++)
			fprintf(f, "%s%02x", i % 4 ? "" : " ", payload[i]);
		return;
	}
	text->size = 0;
	head = pack_event(render, text, format, item);
	if (is_plain_event(text, 0)) {
		/* Without memory there is no text. */
		if (text->size)
			fwrite_unlocked(text->data, 1, text->size, f);
		return;
	}
	if (head) {
		put_escaped_event(render, f, format->name, head - 2);
		fwrite_unlocked(": ", 1, 2, f);
	}
	put_escaped_event(render, f, (const char *)text->data + head, text->size - head);
}

/* "log: <6>text" */
static void put_klog_line(FILE *f, const struct klog_line *line)
{
	fputs("log: ", f);
	if (line->priority >= 0)
		fprintf(f, "<%d>", line->priority);
	text_put_all(f, line->text, line->len);
}

static void put_item_text(struct render *render, FILE *f, const struct item *item)
{
	if (!item->extra)
		put_stream_event(render, f, item);
	else if (item->extra->kind == AUX_EVENT_LOG)
		put_klog_line(f, item->extra->data);
	else
		print_mce_line(f, render->pm->recording, item->extra->data);
}

void render_text(struct render *render, FILE *f, const struct item *item)
{
	char *text = NULL;
	size_t size;
	FILE *memory = render->pm->debuginfo ? open_memstream(&text, &size) : NULL;

	if (!memory)
		return put_item_text(render, f, item);
	put_item_text(render, memory, item);
	/* Add the lines of source behind the symbols. */
	if (!fclose(memory))
		debuginfo_put(render->pm->debuginfo, f, text, size);
	free(text);
}

static void json_event_field(struct json *j, const struct field *field)
{
	u64 value;
	u32 i;

	switch (field->kind) {
	case FIELD_ABSENT:
		return json_null(j, field->name);
	case FIELD_TEXT:
		return json_text(j, field->name, field->data, field->size);
	case FIELD_ARRAY:
		json_open(j, field->name, '[');
		for (i = 0; field_element(field, i, &value); i++)
			field->is_signed ? json_s64(j, NULL, (s64)value) : json_u64(j, NULL, value);
		return json_close(j, ']');
	case FIELD_BYTES:
		return json_hex(j, field->name, field->data, field->size);
	case FIELD_NUMBER:
		if (field->is_signed)
			return json_s64(j, field->name, (s64)field->number);
		return json_u64(j, field->name, field->number);
	}
}

static void json_event_fields(struct json *j, const struct item *item)
{
	struct field_iter fields;
	struct field field;

	field_iter_begin(&fields, item);
	if (!fields.known)
		json_hex(j, "raw", item->payload, item->size);
	while (field_iter_next(&fields, &field))
		json_event_field(j, &field);
}

static void json_klog_fields(struct json *j, const struct klog_line *line)
{
	if (line->priority >= 0) {
		json_s64(j, "level", line->priority & 7);
		json_s64(j, "facility", line->priority >> 3);
	} else {
		json_null(j, "level");
		json_null(j, "facility");
	}
	json_text(j, "text", line->text, line->len);
}

void render_fields(struct json *j, const char *key, const struct item *item)
{
	json_open(j, key, '{');
	if (!item->extra)
		json_event_fields(j, item);
	else if (item->extra->kind == AUX_EVENT_LOG)
		json_klog_fields(j, item->extra->data);
	else
		print_mce_fields(j, item->extra->data);
	json_close(j, '}');
}
