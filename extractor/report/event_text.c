// SPDX-License-Identifier: GPL-2.0-or-later
#include "event_text.h"

#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>

#include "base/escape.h"
#include "base/text.h"
#include "event/field_iter.h"
#include "event/print_program.h"
#include "recording/klog.h"
#include "mce_line.h"

#define MAX_RENDERED	16384	/* characters of one event */
#define MAX_PROGRAMS	1024	/* print programs in memory; further events are printed slowly */
#define NO_PROGRAM	((struct print_program *)-1)	/* the format has no print program */

/* Print programs of one set of formats, by id below @end. NULL: not made yet. */
struct format_programs {
	struct formats *formats;
	u32 end;
	struct print_program *by_id[IDS_MAX];
};

/*
 * @programs: nr_sets of them; the set used last is in front
 * @nr_programs: in all sets
 */
struct render {
	struct postmortem *pm;
	struct trace_seq seq;
	struct format_programs **programs;
	u32 nr_sets;
	u32 nr_programs;
	struct pack text;
	char escaped[MAX_RENDERED * 4 + 1];
};

int render_new(struct render **ret, struct postmortem *pm, struct err *err)
{
	struct render *render = calloc(1, sizeof(*render));

	if (!render)
		return err_sys(err, "memory");
	render->pm = pm;
	trace_seq_init(&render->seq);
	*ret = render;
	return 0;
}

void render_free(struct render *render)
{
	u32 i, k;

	if (!render)
		return;
	trace_seq_destroy(&render->seq);
	for (i = 0; i < render->nr_sets; i++) {
		for (k = 0; k < render->programs[i]->end; k++)
			if (render->programs[i]->by_id[k] != NO_PROGRAM)
				print_program_free(render->programs[i]->by_id[k]);
		free(render->programs[i]);
	}
	free(render->programs);
	pack_free(&render->text);
	free(render);
}

static struct format_programs *get_format_programs(struct render *render, struct formats *formats)
{
	struct format_programs *set, **all;
	u32 i;

	for (i = 0; i < render->nr_sets; i++) {
		set = render->programs[i];
		if (set->formats != formats)
			continue;
		render->programs[i] = render->programs[0];
		return render->programs[0] = set;
	}
	all = reallocarray(render->programs, render->nr_sets + 1, sizeof(*all));
	if (!all)
		return NULL;
	render->programs = all;
	set = calloc(1, sizeof(*set));
	if (!set)
		return NULL;
	set->formats = formats;
	all[render->nr_sets++] = set;
	return set;
}

/* NULL: libtraceevent has to print the event. */
static const struct print_program *get_print_program(struct render *render, const struct item *item,
						     const struct format *format)
{
	struct format_programs *set = get_format_programs(render, item->stream->formats);
	struct print_program **program;

	if (!set || item->id >= IDS_MAX)
		return NULL;
	program = &set->by_id[item->id];
	if (!*program && render->nr_programs < MAX_PROGRAMS) {
		*program = print_program_new(format->event, format->print);
		if (item->id >= set->end)
			set->end = item->id + 1;
		render->nr_programs++;
		if (!*program)
			*program = NO_PROGRAM;
	}
	return *program == NO_PROGRAM ? NULL : *program;
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

/* Return: false if something has to be escaped; nothing is written then. */
static bool put_plain_event(struct render *render, FILE *f)
{
	const struct pack *text = &render->text;

	if (text->size > MAX_RENDERED || escape_plain(text->data, text->size) < text->size)
		return false;
	fwrite_unlocked(text->data, 1, text->size, f);
	return true;
}

/* Does the payload hold all fields of the format? */
static bool payload_fits(const struct format *format, const struct item *item)
{
	const struct tep_format_field *field;

	for (field = format->event->format.fields; field; field = field->next)
		if ((u32)field->offset + field->size > item->size + FORMATS_COMMON)
			return false;
	return true;
}

static void print_by_library(struct render *render, const struct format *format,
			     const struct item *item)
{
	struct formats *formats = item->stream->formats;
	struct tep_record *record = formats_record(formats, item->id, item->pid, item->payload,
						   item->size);

	trace_seq_reset(&render->seq);
	if (format->printable && format->is_plain && payload_fits(format, item))
		tep_print_event(formats_tep(formats), &render->seq, record, "%s", TEP_PRINT_INFO);
	else if (payload_fits(format, item))
		tep_print_fields(&render->seq, record->data, record->size, format->event);
	else
		trace_seq_puts(&render->seq, "[shorter than its format]");
	trace_seq_terminate(&render->seq);
}

/*
 * Write the first @head bytes, name and colon, and the fields into render->text.
 * Return: false if the event has no print program
 */
static bool print_by_program(struct render *render, const struct format *format,
			     const struct item *item, size_t head)
{
	const struct print_program *program = NULL;
	struct bytes payload = bytes_of(item->payload, item->size, item->stream->order);

	if (payload_fits(format, item))
		program = get_print_program(render, item, format);
	render->text.size = 0;
	if (head) {
		pack_bytes(&render->text, format->name, head - 2);
		pack_bytes(&render->text, ": ", 2);
	}
	return program && print_program_run(program, &render->text, &payload) &&
	       !render->text.failed;
}

static void put_stream_event(struct render *render, FILE *f, const struct item *item)
{
	struct formats *formats = item->stream->formats;
	const struct format *format = formats_get(formats, item->id);
	const struct stream *stream = item->stream;
	const u8 *payload = item->payload;
	const char *name;
	bool is_printed;
	size_t head;
	u32 i;

	if (stream->ops->text && stream->ops->text(stream, f, item))
		return;
	if (!format->event) {
		name = formats_name(formats, item->id);
		put_escaped_event(render, f, name, strlen(name));
		fputs(": [format lost]", f);
		for (i = 0; i < item->size; i++)
			fprintf(f, "%s%02x", i % 4 ? "" : " ", payload[i]);
		return;
	}
	head = format->is_bare ? 0 : strlen(format->name) + 2;
	is_printed = print_by_program(render, format, item, head);
	if (is_printed && put_plain_event(render, f))
		return;
	if (head) {
		put_escaped_event(render, f, format->name, head - 2);
		fwrite_unlocked(": ", 1, 2, f);
	}
	if (is_printed)
		return put_escaped_event(render, f, (const char *)render->text.data + head,
					 render->text.size - head);
	print_by_library(render, format, item);
	put_escaped_event(render, f, render->seq.buffer,
			  strnlen(render->seq.buffer, render->seq.len));
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
