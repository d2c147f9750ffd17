// SPDX-License-Identifier: GPL-2.0-or-later
#include "event_text.h"

#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>

#include "base/escape.h"
#include "event/field_iter.h"
#include "event/print_program.h"
#include "klog_line.h"
#include "mce_line.h"

#define MAX_RENDERED	16384	/* characters of one event */
#define MAX_PLANS	1024	/* so many kinds of events are printed fast */
#define NOT_PLANNED	((struct print_program *)-1)	/* asked for, and there is none */

/* Print plans of one set of formats, by id below @end; plan_of() says what is where. */
struct planned {
	struct formats *formats;
	u32 end;
	struct print_program *by_id[IDS_MAX];
};

/*
 * @planned: nr_planned of them, the one that was asked last in front
 * @nr_plans: of all
 */
struct render {
	struct postmortem *pm;
	struct trace_seq seq;
	struct planned **planned;
	u32 nr_planned;
	u32 nr_plans;
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

static void free_planned(struct planned *planned)
{
	u32 i;

	for (i = 0; i < planned->end; i++)
		if (planned->by_id[i] != NOT_PLANNED)
			print_program_free(planned->by_id[i]);
	free(planned);
}

void render_free(struct render *render)
{
	u32 i;

	if (!render)
		return;
	trace_seq_destroy(&render->seq);
	for (i = 0; i < render->nr_planned; i++)
		free_planned(render->planned[i]);
	free(render->planned);
	pack_free(&render->text);
	free(render);
}

static struct planned *add_planned(struct render *render, struct formats *formats)
{
	struct planned **all = reallocarray(render->planned, render->nr_planned + 1, sizeof(*all));
	struct planned *planned;

	if (!all)
		return NULL;
	render->planned = all;
	planned = calloc(1, sizeof(*planned));
	if (!planned)
		return NULL;
	planned->formats = formats;
	all[render->nr_planned++] = planned;
	return planned;
}

static struct planned *planned_of(struct render *render, struct formats *formats)
{
	struct planned *planned;
	u32 i;

	for (i = 0; i < render->nr_planned; i++) {
		planned = render->planned[i];
		if (planned->formats != formats)
			continue;
		render->planned[i] = render->planned[0];
		return render->planned[0] = planned;
	}
	return add_planned(render, formats);
}

/* NULL: the library prints it. */
static const struct print_program *plan_of(struct render *render, const struct item *item,
					   const struct format *format)
{
	struct planned *planned = planned_of(render, item->stream->formats);
	struct print_program **plan;

	if (!planned || item->id >= IDS_MAX)
		return NULL;
	plan = &planned->by_id[item->id];
	if (!*plan && render->nr_plans < MAX_PLANS) {
		*plan = print_program_new(format->event, format->print);
		if (item->id >= planned->end)
			planned->end = item->id + 1;
		render->nr_plans++;
		if (!*plan)
			*plan = NOT_PLANNED;
	}
	return *plan == NOT_PLANNED ? NULL : *plan;
}

static struct tep_record *record_of(const struct item *item)
{
	return formats_record(item->stream->formats, item->id, item->pid,
			      item->payload, item->size);
}

static void put_escaped(struct render *render, FILE *f, const char *text, size_t len)
{
	if (len > MAX_RENDERED)
		len = MAX_RENDERED;
	if (escape_plain(text, len) < len) {
		len = escape_text(render->escaped, sizeof(render->escaped), text, len);
		text = render->escaped;
	}
	fwrite_unlocked(text, 1, len, f);
}

/* All at once, if there is nothing to escape in it. */
static bool put_plain(struct render *render, FILE *f)
{
	const struct pack *text = &render->text;

	if (text->size > MAX_RENDERED || escape_plain(text->data, text->size) < text->size)
		return false;
	fwrite_unlocked(text->data, 1, text->size, f);
	return true;
}

static void put_hex(FILE *f, const u8 *data, u32 size)
{
	u32 i;

	fputs("[format lost]", f);
	for (i = 0; i < size; i++)
		fprintf(f, "%s%02x", i % 4 ? "" : " ", data[i]);
}

/* Does all of the event that the format speaks of lie in the payload? */
static bool fits(const struct format *format, const struct item *item)
{
	const struct tep_format_field *field;

	for (field = format->event->format.fields; field; field = field->next)
		if ((u32)field->offset + field->size > item->size + FORMATS_COMMON)
			return false;
	return true;
}

static void print_event(struct render *render, const struct format *format,
			const struct item *item)
{
	struct tep_handle *tep = formats_tep(item->stream->formats);
	struct tep_record *record = record_of(item);

	trace_seq_reset(&render->seq);
	if (format->printable && format->is_plain && fits(format, item))
		tep_print_event(tep, &render->seq, record, "%s", TEP_PRINT_INFO);
	else if (fits(format, item))
		tep_print_fields(&render->seq, record->data, record->size, format->event);
	else
		trace_seq_puts(&render->seq, "[shorter than its format]");
	trace_seq_terminate(&render->seq);
}

static void extra_text(struct render *render, FILE *f, const struct aux_event *extra)
{
	switch (extra->kind) {
	case AUX_EVENT_LOG:
		return klog_text(f, extra->data);
	case AUX_EVENT_MCE:
		return print_mce_line(f, render->pm->recording, extra->data);
	}
}

/* The name and a colon as well, the first @head bytes of the text, if there are any. */
static bool print_planned(struct render *render, const struct format *format,
			  const struct item *item, size_t head)
{
	const struct print_program *plan = NULL;
	struct bytes payload = bytes_of(item->payload, item->size, item->stream->order);

	if (fits(format, item))
		plan = plan_of(render, item, format);
	render->text.size = 0;
	if (head) {
		pack_bytes(&render->text, format->name, head - 2);
		pack_bytes(&render->text, ": ", 2);
	}
	return plan && print_program_run(plan, &render->text, &payload) && !render->text.failed;
}

static void event_text(struct render *render, FILE *f, const struct item *item)
{
	struct formats *formats = item->stream->formats;
	const struct format *format = formats_get(formats, item->id);
	const struct stream *stream = item->stream;
	const char *name;
	bool is_planned;
	size_t head;

	if (stream->ops->text && stream->ops->text(stream, f, item))
		return;
	if (!format->event) {
		name = formats_name(formats, item->id);
		put_escaped(render, f, name, strlen(name));
		fputs(": ", f);
		return put_hex(f, item->payload, item->size);
	}
	head = format->is_bare ? 0 : strlen(format->name) + 2;
	is_planned = print_planned(render, format, item, head);
	if (is_planned && put_plain(render, f))
		return;
	if (head) {
		put_escaped(render, f, format->name, head - 2);
		fwrite_unlocked(": ", 1, 2, f);
	}
	if (is_planned)
		return put_escaped(render, f, (const char *)render->text.data + head, render->text.size - head);
	print_event(render, format, item);
	put_escaped(render, f, render->seq.buffer, strnlen(render->seq.buffer, render->seq.len));
}

static void put_text(struct render *render, FILE *f, const struct item *item)
{
	if (item->extra)
		return extra_text(render, f, item->extra);
	event_text(render, f, item);
}

/* With lines of source behind what addresses are named by. */
static void put_with_places(struct render *render, FILE *f, const struct item *item)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		return put_text(render, f, item);
	put_text(render, memory, item);
	if (!fclose(memory))
		debuginfo_put(render->pm->debuginfo, f, text, size);
	free(text);
}

void render_text(struct render *render, FILE *f, const struct item *item)
{
	if (render->pm->debuginfo)
		return put_with_places(render, f, item);
	put_text(render, f, item);
}

static void put_array(struct json *j, const struct field *field)
{
	u64 value;
	u32 i;

	json_open(j, field->name, '[');
	for (i = 0; field_element(field, i, &value); i++)
		field->is_signed ? json_s64(j, NULL, (s64)value) : json_u64(j, NULL, value);
	json_close(j, ']');
}

static void put_field(struct json *j, const struct field *field)
{
	switch (field->kind) {
	case FIELD_ABSENT:
		return json_null(j, field->name);
	case FIELD_TEXT:
		return json_text(j, field->name, field->data, field->size);
	case FIELD_ARRAY:
		return put_array(j, field);
	case FIELD_BYTES:
		return json_hex(j, field->name, field->data, field->size);
	case FIELD_NUMBER:
		if (field->is_signed)
			return json_s64(j, field->name, (s64)field->number);
		return json_u64(j, field->name, field->number);
	}
}

static void extra_fields(struct json *j, const char *key, const struct aux_event *extra)
{
	switch (extra->kind) {
	case AUX_EVENT_LOG:
		return klog_fields(j, key, extra->data);
	case AUX_EVENT_MCE:
		json_open(j, key, '{');
		print_mce_fields(j, extra->data);
		return json_close(j, '}');
	}
}

static void event_fields(struct json *j, const char *key, const struct item *item)
{
	struct field_iter fields;
	struct field field;

	json_open(j, key, '{');
	field_iter_begin(&fields, item);
	if (!fields.known)
		json_hex(j, "raw", item->payload, item->size);
	while (field_iter_next(&fields, &field))
		put_field(j, &field);
	json_close(j, '}');
}

void render_fields(struct json *j, const char *key, const struct item *item)
{
	if (item->extra)
		return extra_fields(j, key, item->extra);
	event_fields(j, key, item);
}
