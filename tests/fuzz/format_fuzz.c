// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hostile format, up to a NUL, and the payload of an event: what is given to the library,
 * and what a print plan makes of it, which reads no byte behind the payload.
 */
#include <stdlib.h>
#include <trace-seq.h>

#include "event/field_iter.h"
#include "event/format_check.h"
#include "event/formats.h"
#include "event/print_program.h"
#include "ftrace/print_fmt.h"
#include "input_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent\n";
}

#define ID	1

static bool fits(const struct format *format, size_t size)
{
	const struct tep_format_field *field;

	for (field = format->event->format.fields; field; field = field->next)
		if ((u32)field->offset + field->size > size + FORMATS_COMMON)
			return false;
	return true;
}

/* Of memory that ends where the payload does. */
static void run_plan(const struct format *format, struct bytes payload)
{
	struct print_program *plan = print_program_new(format->event, format->print);
	struct pack text = { .order = ORDER_LITTLE };
	u8 *copy = malloc(payload.size ? payload.size : 1);
	struct bytes exact = bytes_of(copy, payload.size, ORDER_LITTLE);

	if (payload.size)
		memcpy(copy, payload.data, payload.size);
	if (plan && !print_program_run(plan, &text, &exact))
		MUST(!text.size && !fits(format, payload.size));
	MUST(!exact.overrun);
	free(copy);
	pack_free(&text);
	print_program_free(plan);
}

static void run_library(struct formats *formats, struct bytes payload)
{
	struct trace_seq seq;

	trace_seq_init(&seq);
	tep_print_event(formats_tep(formats), &seq,
			formats_record(formats, ID, 1, payload.data, payload.size), "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	trace_seq_destroy(&seq);
}

static void read_fields(struct formats *formats, struct bytes payload)
{
	const struct stream stream = { .order = ORDER_LITTLE, .formats = formats };
	const struct item item = { .stream = &stream, .id = ID, .payload = payload.data, .size = payload.size };
	struct field_iter fields;
	struct field field;
	u32 nr = 0;

	field_iter_begin(&fields, &item);
	while (field_iter_next(&fields, &field))
		MUST(++nr <= 65536 && field.name);
}

static void look_at(struct formats *formats, struct bytes payload)
{
	const struct format *format = formats_get(formats, ID);

	read_fields(formats, payload);
	if (format->event)
		run_plan(format, payload);
	if (format->event && format->printable && fits(format, payload.size))
		run_library(formats, payload);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const struct formats_machine machine = { ORDER_LITTLE, 8, 12 };
	char *text = strndup((const char *)data, size), *other;
	size_t len = strlen(text) + 1 < size ? strlen(text) + 1 : size;
	struct formats *formats = NULL;
	struct damage_notes notes = { 0 };

	size = size - len < SUBBUF_MAX ? size - len : SUBBUF_MAX;
	MUST(!formats_new(&formats, &machine, &notes, NULL));
	MUST(formats_add(formats, ID, "fuzz", "it", 2, text));
	look_at(formats, bytes_of(data + len, size, ORDER_LITTLE));
	formats_free(formats);
	damage_notes_free(&notes);
	other = ftrace_print_rewrite(NULL, text);
	free(other);
	free(text);
	return 0;
}
