// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hostile format, up to a NUL, and the payload of an event: its fields, and what is printed of
 * it.  No byte behind the payload is read, and the text is bounded.
 */
#include <stdlib.h>

#include "event/field_iter.h"
#include "event/formats.h"
#include "event/print_fields.h"
#include "input_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
#define ID		1
#define MAX_PRINTED	(8U << 20)

static bool find_enumerator(void *priv, const char *name, s64 *ret)
{
	(void)priv;
	*ret = -(s64)strlen(name);
	return *name == 'A';
}

static bool name_symbol(void *priv, u64 addr, u64 raw, bool has_offset, char buf[PRINT_NAME_MAX])
{
	(void)priv;
	(void)raw;
	snprintf(buf, PRINT_NAME_MAX, has_offset ? "name+0x%llx" : "name", addr);
	return addr & 1;
}

static bool read_string(void *priv, u64 addr, char buf[PRINT_NAME_MAX])
{
	(void)priv;
	snprintf(buf, PRINT_NAME_MAX, "text of %llx", addr);
	return addr & 1;
}

static const struct print_names names = { find_enumerator, name_symbol, read_string, true, NULL };

/* Of memory that ends where the payload does. */
static void run_program(struct formats *formats, struct bytes payload)
{
	const struct format *format = formats_get(formats, ID);
	const struct print_program *program = formats_program(formats, ID);
	struct pack text = { .order = ORDER_LITTLE };
	u8 *copy = malloc(payload.size ? payload.size : 1);
	struct bytes exact = bytes_of(copy, payload.size, ORDER_LITTLE);

	MUST(copy);
	if (payload.size)
		memcpy(copy, payload.data, payload.size);
	if (program && !print_program_run(program, &text, &exact, 0))
		MUST(!text.size);
	if (!program && format && payload.size >= format->layout.size)
		print_fields(&text, &format->layout, &exact);
	MUST(!exact.overrun && text.size < MAX_PRINTED);
	if (program)
		print_program_is_safe_for_others(program);
	free(copy);
	pack_free(&text);
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

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const struct formats_machine machine = { ORDER_LITTLE, 8 };
	char *text = strndup((const char *)data, size);
	size_t len = strlen(text) + 1 < size ? strlen(text) + 1 : size;
	struct formats *formats = NULL;
	struct damage_notes notes = { 0 };

	size = size - len < SUBBUF_MAX ? size - len : SUBBUF_MAX;
	MUST(!formats_new(&formats, &machine, &notes, NULL));
	MUST(formats_add(formats, ID, "fuzz", "it", 2, text));
	formats_use_names(formats, &names);
	read_fields(formats, bytes_of(data + len, size, ORDER_LITTLE));
	run_program(formats, bytes_of(data + len, size, ORDER_LITTLE));
	formats_free(formats);
	damage_notes_free(&notes);
	free(text);
	return 0;
}
