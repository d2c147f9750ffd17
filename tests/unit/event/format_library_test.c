// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The formats of the golden regions, or of the files that are named: which fields they have, and
 * what is printed of random payloads, against libtraceevent.  Where the two differ, the table
 * below has the reason.
 *
 * build: @extractor -I /usr/include/traceevent -ltraceevent
 */
#include <event-parse.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>
#include <unistd.h>

#include "event/formats.h"
#include "tap.h"

#define ID		65000	/* of each format in turn */
#define PAYLOADS	300
#define MAX_PAYLOAD	1024

/* What differs, by event, and why.  A line that is not needed is a failure. */
static const struct {
	const char *event;
	const char *reason;
} differences[] = {
	{ "test:size_of_type", "the library knows no sizeof() of u16" },
	{ "test:width_of_a_size", "the library knows no sizeof() of u32 in a width" },
	{ "test:open_string unknown", "a string has no end: no kernel writes this" },
	{ "test:number unknown", "the text is cut off in the fields" },
	{ "test:where_in_two_bytes unknown", "a place has 4 or 8 bytes" },
};

static struct {
	u32 formats;
	u32 compared;
	u32 without_program;
	bool used[64];
	bool verbose;
} seen;

static bool has_reason(const char *event)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(differences); i++)
		if (!strcmp(differences[i].event, event))
			return seen.used[i] = true;
	return false;
}

static const struct tep_format_field *field_at(const struct tep_event *event, u32 i)
{
	const struct tep_format_field *field = event->format.fields;

	while (field && i--)
		field = field->next;
	return field;
}

static void compare_fields(const char *event, const struct layout *layout,
			   const struct tep_event *theirs)
{
	const struct tep_format_field *field;
	u32 i;

	CHECK(theirs->format.nr_fields == (int)layout->nr, "%s: %d fields and %u", event,
	      theirs->format.nr_fields, layout->nr);
	for (i = 0; i < layout->nr && (field = field_at(theirs, i)); i++) {
		const struct layout_field *ours = &layout->fields[i];
		bool is_dynamic = ours->is_dynamic && !ours->is_rest;
		bool is_text = (field->flags & TEP_FIELD_IS_STRING) && strstr(field->type, "char") &&
			       !strstr(field->type, "unsigned");
		u32 element = field->elementsize;

		CHECK(!strcmp(ours->name, field->name) && (int)ours->off + 8 == field->offset &&
		      (int)ours->size == field->size &&
		      ours->is_signed == !!(field->flags & TEP_FIELD_IS_SIGNED) &&
		      ours->is_array == !!(field->flags & TEP_FIELD_IS_ARRAY) &&
		      ours->is_pointer == !!(field->flags & TEP_FIELD_IS_POINTER) &&
		      ours->is_long == !!(field->flags & TEP_FIELD_IS_LONG) &&
		      is_dynamic == !!(field->flags & TEP_FIELD_IS_DYNAMIC) &&
		      ours->is_relative == !!(field->flags & TEP_FIELD_IS_RELATIVE) &&
		      (ours->kind == LAYOUT_TEXT) == is_text,
		      "%s: field %s %s", event, field->type, field->name);
		if (ours->kind == LAYOUT_ARRAY && element && element <= 8)
			CHECK(ours->element == element, "%s: %s %s has elements of %u bytes, not %u",
			      event, field->type, field->name, ours->element, element);
	}
}

/* Dynamic fields lie one behind the other, texts have an end. */
static u32 make_payload(u8 payload[MAX_PAYLOAD], const struct layout *layout)
{
	u32 size = layout->size, how = rand() % 3, i;

	memset(payload, 0, MAX_PAYLOAD);
	if (size > MAX_PAYLOAD / 2)
		return 0;
	for (i = 0; i < size; i++)
		payload[i] = how == 0 ? 'a' + rand() % 26 : rand() % 4 ? 0 : rand() % 5;
	for (i = 0; i < layout->nr; i++) {
		const struct layout_field *field = &layout->fields[i];
		u32 len = 8 * (1 + rand() % 3), at = (size + 7) & ~7U, place;

		if (field->kind == LAYOUT_TEXT && !field->is_dynamic && field->size)
			payload[field->off + field->size - 1] = 0;
		if (!field->is_dynamic || field->is_rest || at + len > MAX_PAYLOAD)
			continue;
		memset(payload + at, field->kind == LAYOUT_TEXT ? 'x' : rand(), len);
		payload[at + len - 1] = 0;
		place = field->is_relative ? at - (field->off + field->size) : at + 8;
		place |= len << 16;
		memcpy(payload + field->off, &place, sizeof(place));
		size = at + len;
	}
	return size;
}

static bool is_same(struct tep_handle *tep, const struct print_program *program, const u8 *payload,
		    u32 size, char *said, size_t said_size)
{
	static u8 data[1 << 20] = { ID & 0xff, ID >> 8 };	/* the library reads behind the event */
	struct tep_record record = { .data = data, .size = 8 + size };
	struct bytes b = bytes_of(payload, size, ORDER_LITTLE);
	struct pack p = { .order = ORDER_LITTLE };
	struct trace_seq seq;
	bool same;

	memcpy(data + 8, payload, MAX_PAYLOAD);
	trace_seq_init(&seq);
	tep_print_event(tep, &seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	same = print_program_run(program, &p, &b, 0);
	pack_u8(&p, 0);
	same = same && !strcmp(seq.buffer, (char *)p.data);
	snprintf(said, said_size, "theirs '%s', ours '%s'", seq.buffer, (char *)p.data);
	trace_seq_destroy(&seq);
	pack_free(&p);
	return same;
}

static void compare_texts(const char *event, struct tep_handle *tep, const struct format *format,
			  const struct print_program *program)
{
	bool is_same_always = true;
	char said[4096];
	u8 payload[MAX_PAYLOAD];
	u32 i, size;

	for (i = 0; i < PAYLOADS && is_same_always; i++) {
		size = make_payload(payload, &format->layout);
		if (size)
			is_same_always = is_same(tep, program, payload, size, said, sizeof(said));
	}
	seen.compared++;
	CHECK(is_same_always != has_reason(event), "%s: %s", event, is_same_always ?
	      "has a reason to differ and does not" : said);
}

/*
 * One text from "name:" on, with an ID that is put in its place.  The library dies of some print
 * formats, and is not given those.
 */
static void compare_format(const char *system, char *text)
{
	const struct formats_machine machine = { ORDER_LITTLE, 8 };
	struct tep_handle *tep = tep_alloc();
	struct damage_notes notes = { 0 };
	const struct print_program *program;
	const struct format *format;
	struct formats *formats;
	char *id = strstr(text, "\nID: "), event[256];
	char *whole = NULL, *print;
	bool is_safe;

	snprintf(event, sizeof(event), "%s:%.*s", system, (int)strcspn(text + 6, "\n"), text + 6);
	if (!id || asprintf(&whole, "%.*s\nID: %u%s", (int)(id - text), text, ID, strchr(id + 1, '\n')) < 0)
		exit(1);
	seen.formats++;
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, 8);
	formats_new(&formats, &machine, &notes, NULL);
	formats_add(formats, ID, system, "it", 2, whole);
	format = formats_get(formats, ID);
	program = formats_program(formats, ID);
	is_safe = program && print_program_is_safe_for_others(program);
	print = strstr(whole, "\nprint fmt: ");
	if (!is_safe && print)
		strcpy(print + strlen("\nprint fmt: "), "\"\"\n");
	tep_parse_event(tep, whole, strlen(whole), system);
	if (!format->is_known || !tep_find_event(tep, ID)) {
		strcat(event, " unknown");
		CHECK(has_reason(event), "%s: known to us %d, to the library %d", event,
		      format->is_known, tep_find_event(tep, ID) != NULL);
	} else {
		compare_fields(event, &format->layout, tep_find_event(tep, ID));
		if (!program)
			seen.without_program++;
		if (!program && seen.verbose)
			printf("# no program: %s: %.*s\n", event, 3000, strstr(text, "print fmt:"));
		if (is_safe)
			compare_texts(event, tep, format, program);
	}
	formats_free(formats);
	damage_notes_free(&notes);
	tep_free(tep);
	free(whole);
}

/* Batches of a region's text, from "system: NAME" to "end", or to a NUL. */
static void compare_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char *all = NULL, *text, *end, *system;
	size_t size = 0;

	if (!f || getdelim(&all, &size, EOF, f) < 0)
		exit(CHECK(false, "%s: cannot be read", path));
	size = ftell(f);
	fclose(f);
	for (text = all; text && text < all + size; text = end) {
		text = memmem(text, all + size - text, "system: ", 8);
		if (!text)
			break;
		system = text + 8;
		text = strchr(system, '\n') + 1;
		text[-1] = 0;
		end = strstr(text, "\nend\n");
		if (!end)
			end = text + strlen(text);
		end = end + 1 < all + size ? end + 1 : all + size;
		end[-1] = 0;
		if (!strncmp(text, "name: ", 6))
			compare_format(system, text);
	}
	free(all);
}

static void format__is_read_as_libtraceevent_reads_it(void)
{
	char self[PATH_MAX] = "", pattern[PATH_MAX + 64];
	glob_t found;
	size_t i;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		exit(1);
	snprintf(pattern, sizeof(pattern), "%s/../../../../../tests/golden/*.{region,inc}", dirname(self));
	if (glob(pattern, GLOB_BRACE, NULL, &found))
		exit(1);
	for (i = 0; i < found.gl_pathc; i++)
		compare_file(found.gl_pathv[i]);
	globfree(&found);
	CHECK(seen.formats > 20 && seen.compared > 10, "only %u formats, %u compared", seen.formats,
	      seen.compared);
	for (i = 0; i < ARRAY_SIZE(differences); i++)
		CHECK(seen.used[i], "%s does not differ: %s", differences[i].event, differences[i].reason);
}

int main(int argc, char **argv)
{
	int i;

	seen.verbose = argc > 1;
	for (i = 1; i < argc; i++)
		compare_file(argv[i]);
	if (argc == 1)
		TAP_RUN(format__is_read_as_libtraceevent_reads_it);
	printf("# %u formats, %u compared, %u without a program\n", seen.formats, seen.compared,
	       seen.without_program);
	return tap_done();
}
