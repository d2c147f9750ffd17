// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctf_metadata.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"

#define MAX_LABELS	512	/* of one enumeration */

/* What a file says, as a literal: escaped as everywhere, and then for TSDL. */
static void put_literal(FILE *f, const char *text, size_t size)
{
	char escaped[1024], *p;

	escape_text(escaped, sizeof(escaped), text, strnlen(text, size < 250 ? size : 250));
	putc('"', f);
	for (p = escaped; *p; p++) {
		if (*p == '"' || *p == '\\')
			putc('\\', f);
		putc(*p, f);
	}
	putc('"', f);
}

static void put_str(FILE *f, const char *text)
{
	put_literal(f, text, strlen(text));
}

/*
 * Readers take one underscore off, which makes any name of C fit, a keyword of
 * TSDL too.  @copy: from 0, of fields of that name before it.
 */
static void put_field_name(FILE *f, const char *name, u32 copy)
{
	putc('_', f);
	for (; *name; name++)
		putc(isalnum((u8)*name) ? *name : '_', f);
	if (copy)
		fprintf(f, "_%u", copy + 1);
}

static bool is_plain_name(const char *name)
{
	while (isalnum((u8)*name) || *name == '_')
		name++;
	return !*name;
}

/* A mangled field's own name; no escaped text ends a comment, but for its own stars. */
static void put_was(FILE *f, const char *name, u32 copy)
{
	char escaped[256], *p;

	if (!copy && is_plain_name(name))
		return;
	escape_text(escaped, sizeof(escaped), name, strnlen(name, 60));
	for (p = escaped; *p; p++)
		if (*p == '*' || *p == '/')
			*p = '?';
	fprintf(f, " /* %s */", escaped);
}

static bool is_pointer(const struct layout_field *field)
{
	return field->is_pointer ||
	       (field->is_rest && field->kind == LAYOUT_ARRAY);
}

static void put_integer(FILE *f, const struct layout_field *field, u32 size)
{
	fprintf(f, "integer { size = %u; align = 8; signed = %s; base = %u; }", size * 8,
		field->is_signed ? "true" : "false", is_pointer(field) ? 16 : 10);
}

/* The numbers of a field that have names; NULL: none have. */
static const struct label *labels_of(const struct event_class *class,
				     const struct layout_field *field, u32 *nr)
{
	const struct label *labels = NULL;
	bool may_have = field->kind == LAYOUT_NUMBER && !is_pointer(field) && class->program;

	return may_have && print_program_labels(class->program, field, &labels, nr) ? labels : NULL;
}

/* Does the value of a label fit the field? */
static bool label_value(const struct label *label, const struct layout_field *field, u64 *ret)
{
	u32 unused = 64 - 8 * field->size;
	u64 value = label->value;

	*ret = field->is_signed ? (u64)((s64)(value << unused) >> unused) : value << unused >> unused;
	return label->is_known &&
	       (*ret == value || (value >> 32 && *ret << unused == value << unused));
}

static void put_enum(FILE *f, const struct layout_field *field, const struct label *labels, u32 nr)
{
	u64 value;
	u32 i, n = 0;

	fputs("enum : ", f);
	put_integer(f, field, field->size);
	fputs(" {", f);
	for (i = 0; i < nr && n < MAX_LABELS; i++) {
		if (!label_value(&labels[i], field, &value))
			continue;
		fputs(n++ ? ", " : " ", f);
		put_literal(f, labels[i].text, labels[i].len);
		fprintf(f, field->is_signed ? " = %lld" : " = %llu", value);
	}
	/* An empty one is no TSDL. */
	fputs(n ? " }" : " \"\" = 0 }", f);
}

static void declare_array(FILE *f, const struct layout_field *field, u32 copy)
{
	u32 element = field->kind == LAYOUT_ARRAY ? field->element : 1;

	if (field->is_dynamic) {
		fputs("integer { size = 16; align = 8; signed = false; } _", f);
		put_field_name(f, field->name, copy);
		fputs("_length; ", f);
	}
	put_integer(f, field, element);
	putc(' ', f);
	put_field_name(f, field->name, copy);
	if (field->is_dynamic) {
		fputs("[_", f);
		put_field_name(f, field->name, copy);
		fputs("_length]", f);
	} else {
		fprintf(f, "[%u]", field->size / element);
	}
}

static void declare_field(FILE *f, const struct event_class *class, const struct layout_field *field,
		      u32 copy)
{
	u32 nr = 0;
	const struct label *labels = labels_of(class, field, &nr);

	fputs("\t\t", f);
	if (field->kind == LAYOUT_ARRAY || field->kind == LAYOUT_BYTES) {
		declare_array(f, field, copy);
	} else {
		if (field->kind == LAYOUT_TEXT)
			fputs("string", f);
		else if (labels)
			put_enum(f, field, labels, nr);
		else
			put_integer(f, field, field->size);
		putc(' ', f);
		put_field_name(f, field->name, copy);
	}
	putc(';', f);
	put_was(f, field->name, copy);
	putc('\n', f);
}

/* Are two names one when they are mangled? */
static bool is_alike(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && (isalnum((u8)*a) || isalnum((u8)*b)))
			return false;
	return *a == *b;
}

static u32 copies_before(const struct layout *layout, u32 i)
{
	u32 k, n = 0;

	for (k = 0; k < i; k++)
		n += is_alike(layout->fields[k].name, layout->fields[i].name);
	return n;
}

void ctf_metadata_event(FILE *f, const struct event_class *class)
{
	char name[400];
	u32 i;

	snprintf(name, sizeof(name), "%s:%s", class->system, class->name);
	fputs("event {\n\tname = ", f);
	put_str(f, name);
	fprintf(f, ";\n\tid = %u;\n\tstream_id = 0;\n\tfields := struct {\n", class->id);
	for (i = 0; i < class->layout.nr; i++)
		declare_field(f, class, &class->layout.fields[i], copies_before(&class->layout, i));
	fputs("\t};\n};\n\n", f);
}

static void put_trace(FILE *f, enum byte_order order, const char *uuid)
{
	fputs("typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
	      "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
	      "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	      "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	      "typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n\n", f);
	fprintf(f, "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"%s\";\n\tbyte_order = %s;\n",
		uuid, order == ORDER_BIG ? "be" : "le");
	fputs("\tpacket.header := struct {\n\t\tuint32_t magic;\n\t\tuint8_t uuid[16];\n"
	      "\t\tuint32_t stream_id;\n\t};\n};\n\n", f);
}

static void put_env(FILE *f, const struct postmortem *pm)
{
	const struct epitaph_header *hdr;
	char boot_id[40];

	fputs("env {\n\tdomain = \"kernel\";\n\tsysname = \"Linux\";\n\ttracer_name = \"epitaph\";\n", f);
	if (pm->recording) {
		hdr = &pm->recording->generation->hdr;
		text_uuid(boot_id, sizeof(boot_id), hdr->boot_id);
		fputs("\tkernel_release = ", f);
		put_literal(f, hdr->release, sizeof(hdr->release));
		fputs(";\n\tkernel_version = ", f);
		put_literal(f, hdr->version, sizeof(hdr->version));
		fprintf(f, ";\n\tboot_id = \"%s\";\n", boot_id);
	}
	if (pm->end.reason[0]) {
		fputs("\tend_reason = ", f);
		put_str(f, pm->end.reason);
		fputs(";\n", f);
	}
	fputs("};\n\n", f);
}

static void declare_clock(FILE *f, const struct exporter *ex, const char *uuid, u64 offset)
{
	const char *name = ex->pm->isolated_buffer ? "own" : "monotonic";
	char what[160] = "CLOCK_MONOTONIC of the recorded kernel";

	if (ex->pm->isolated_buffer)
		snprintf(what, sizeof(what), "the trace's own clock, %s; nothing relates it to other times", exporter_clock(ex));
	fprintf(f, "clock {\n\tname = %s;\n\tuuid = \"%s\";\n\tdescription = ", name, uuid);
	put_str(f, what);
	fprintf(f, ";\n\tfreq = 1000000000;\n\toffset_s = %llu;\n\toffset = %llu;\n};\n\n",
		offset / 1000000000, offset % 1000000000);
	fprintf(f, "typealias integer { size = 64; align = 8; signed = false; "
		"map = clock.%s.value; } := mono_t;\n\n", name);
}

static void put_stream(FILE *f)
{
	fputs("stream {\n\tid = 0;\n\tpacket.context := struct {\n"
	      "\t\tmono_t timestamp_begin;\n\t\tmono_t timestamp_end;\n"
	      "\t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n"
	      "\t\tuint64_t events_discarded;\n\t\tuint64_t packet_seq_num;\n"
	      "\t\tuint32_t cpu_id; /* 4294967295: not known */\n\t\tstring channel;\n\t};\n"
	      "\tevent.header := struct {\n\t\tuint16_t id;\n\t\tmono_t timestamp;\n\t};\n"
	      "\tevent.context := struct {\n\t\tint32_t _pid; /* -1: not known */\n"
	      "\t\tstring _comm; /* <...>: not known */\n"
	      "\t\tuint8_t _marks; /* 1 uncertain order, 2 damaged, 4 lost before, 16 uncommitted,\n"
	      "\t\t\t32 its own time is another, 128 repaired */\n\t};\n};\n\n", f);
}

void ctf_metadata_put(FILE *f, const struct exporter *ex, const u8 uuid[16], const bool *used,
		      u64 offset)
{
	char text[40];
	u32 i;

	text_uuid(text, sizeof(text), uuid);
	fputs("/* CTF 1.8 */\n\n", f);
	put_trace(f, ex->order, text);
	put_env(f, ex->pm);
	declare_clock(f, ex, text, offset);
	put_stream(f);
	for (i = 1; i <= event_classes_nr(ex->classes); i++)
		if (used[i])
			ctf_metadata_event(f, event_classes_at(ex->classes, i));
}
