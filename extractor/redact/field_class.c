// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The classes of the fields of each kind of event, and formats of events that somebody else than
 * the kernel named: their names and print formats are not the kernel's source.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "redact_impl.h"

/* @classes: of each field; NULL: not looked up yet */
struct field_class_entry {
	bool is_own;
	u8 *classes;
};

struct field_classes {
	struct field_class_entry of[IDS_MAX];
};

struct field_classes *field_classes_new(void)
{
	return calloc(1, sizeof(struct field_classes));
}

void field_classes_free(struct field_classes *events)
{
	u32 i;

	for (i = 0; events && i < IDS_MAX; i++)
		free(events->of[i].classes);
	free(events);
}

/*
 * Events of probes may be in any system: kprobes, uprobes and fprobes have a field that begins with
 * "__probe_", and eprobes a print format that begins with a blank, or has nothing in it.
 */
static bool event_is_own(const struct redaction *r, const struct format *format)
{
	const char *print = format->print ? format->print : "";
	u32 i;

	if (!format->is_known || !classes_has_system(r->classes, format->system))
		return false;
	for (i = 0; i < format->layout.nr; i++)
		if (!strncmp(format->layout.fields[i].name, "__probe_", 8))
			return false;
	print += strspn(print, " \t");
	return strncmp(print, "\" ", 2) && strncmp(print, "\"\"", 2);
}

/* NULL without memory. */
static const struct field_class_entry *field_class_entry(struct redaction *r, u32 id)
{
	const struct format *format = formats_get(r->recording->formats, id);
	struct field_class_entry *e = id < IDS_MAX ? &r->events->of[id] : NULL;
	u32 i;

	if (!e || e->classes)
		return e;
	e->classes = malloc(format->layout.nr + 1);
	if (!e->classes)
		return NULL;
	e->is_own = event_is_own(r, format);
	for (i = 0; i < format->layout.nr; i++)
		e->classes[i] = classes_field(r->classes, format->system, format->name,
					      &format->layout.fields[i], e->is_own);
	return e;
}

bool redact_is_own_event(struct redaction *r, u32 id)
{
	const struct field_class_entry *e = field_class_entry(r, id);

	return e && e->is_own;
}

enum field_class redact_class_of(struct redaction *r, u32 id, const struct layout_field *field)
{
	const struct format *format = formats_get(r->recording->formats, id);
	const struct field_class_entry *e = field_class_entry(r, id);
	const struct layout_field *first = format->layout.fields;

	if (!e || field < first || field >= first + format->layout.nr)
		return CLASS_PRIVATE;
	return e->classes[field - first];
}

/* --- formats ---------------------------------------------------------------- */

/* "u8 NAME[4]": a type of as many bytes, which says no more than that. */
static void put_foreign_field(FILE *f, const struct layout_field *field, const char *name)
{
	bool is_text = field->kind == LAYOUT_TEXT;

	fputs("\tfield:", f);
	if (field->is_dynamic && !field->is_rest)
		fprintf(f, "%s %s[] %s", field->is_relative ? "__rel_loc" : "__data_loc",
			is_text ? "char" : "u8", name);
	else if (field->is_rest)
		fprintf(f, "%s %s[]", is_text ? "char" : "u8", name);
	else if (field->kind == LAYOUT_NUMBER && !field->is_array)
		fprintf(f, "u%u %s", field->size * 8, name);
	else
		fprintf(f, "%s %s[%u]", is_text ? "char" : "u8", name, field->size);
	fprintf(f, ";\toffset:%u;\tsize:%u;\tsigned:0;\n", field->off + FORMATS_COMMON, field->size);
}

/* The numbers and the texts, each with its name, as a print format has them. */
static void put_foreign_print(FILE *f, const struct layout *layout,
			      char (*names)[PSEUDONYM_TEXT + 1])
{
	const char *get[] = { "__get_str", "__get_rel_str" };
	bool is_first = true;
	u32 i;

	fputs("\nprint fmt: \"", f);
	for (i = 0; i < layout->nr; i++) {
		const struct layout_field *field = &layout->fields[i];

		if (field->kind != LAYOUT_TEXT && (field->kind != LAYOUT_NUMBER || field->is_array))
			continue;
		fprintf(f, "%s%s=%s", is_first ? "" : " ", names[i],
			field->kind == LAYOUT_TEXT ? "%s" : field->size == 8 ? "0x%llx" : "0x%x");
		is_first = false;
	}
	putc('"', f);
	for (i = 0; i < layout->nr; i++) {
		const struct layout_field *field = &layout->fields[i];

		if (field->kind == LAYOUT_TEXT && field->is_dynamic && !field->is_rest)
			fprintf(f, ", %s(%s)", get[field->is_relative], names[i]);
		else if (field->kind == LAYOUT_TEXT || (field->kind == LAYOUT_NUMBER && !field->is_array))
			fprintf(f, ", REC->%s", names[i]);
	}
	putc('\n', f);
}

static void put_foreign_format(FILE *f, struct redaction *r, const struct format *format, u32 id,
			       char (*names)[PSEUDONYM_TEXT + 1])
{
	char system[PSEUDONYM_TEXT + 1], name[PSEUDONYM_TEXT + 1];
	u32 i;

	pseudonym_text(r->names, system, sizeof(system), format->system, strlen(format->system));
	pseudonym_text(r->names, name, sizeof(name), format->name, strlen(format->name));
	fprintf(f, "system: %s\nname: %s\nID: %u\nformat:\n", system, name, id);
	fputs("\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	      "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	      "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	      "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n", f);
	for (i = 0; i < format->layout.nr; i++) {
		const char *own = format->layout.fields[i].name;

		pseudonym_text(r->names, names[i], sizeof(names[i]), own, strlen(own));
		put_foreign_field(f, &format->layout.fields[i], names[i]);
	}
	put_foreign_print(f, &format->layout, names);
}

bool redact_foreign_format(struct redaction *r, struct bounded_text *t, u32 id)
{
	const struct format *format = formats_get(r->recording->formats, id);
	char (*names)[PSEUDONYM_TEXT + 1] = calloc(format->layout.nr + 1, sizeof(*names));
	char *text = NULL;
	size_t size = 0;
	FILE *f = names ? open_memstream(&text, &size) : NULL;
	bool fits = f;

	if (f) {
		put_foreign_format(f, r, format, id, names);
		fits = !fclose(f) && redact_append(t, text, size);
	}
	free(text);
	free(names);
	return fits;
}
