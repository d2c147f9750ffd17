// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format_header.h"

#define PROGRAMS_MAX	(64U << 20)	/* bytes of all programs */

/* @full_name: "system:name", ours; @name: in it; @text: NULL: the source has it */
struct format_entry {
	u32 id;
	bool is_parsed;
	bool is_compiled;
	const char *system;
	char *full_name;
	const char *name;
	const char *text;
	size_t size;
	struct format format;
	struct print_program *program;
};

struct formats {
	struct formats_machine machine;
	struct damage_notes *notes;
	formats_text_fn *source;
	void *priv;
	struct print_names names;
	size_t programs_size;
	char **texts;
	u32 nr_texts;
	struct format_entry *entries;
	u32 nr;
	u32 by_id[IDS_MAX];	/* index + 1 */
	bool incomplete;
	struct format unknown;
	struct packed_layout packings[PACKING_ALL];
	char unknown_name[24];
	struct formats_place place;
};

bool formats_keep(struct formats *formats, char *text)
{
	char **texts = realloc(formats->texts,
			       (formats->nr_texts + 1) * sizeof(*texts));

	if (!texts) {
		free(text);
		return false;
	}
	formats->texts = texts;
	texts[formats->nr_texts++] = text;
	return true;
}

bool formats_add(struct formats *formats, u32 id, const char *system, const char *name,
		 size_t len, const char *text)
{
	struct format_entry *entries = formats->entries;
	char *full_name;

	if (id >= IDS_MAX || asprintf(&full_name, "%s:%.*s", system, (int)len, name) < 0)
		return false;
	if ((formats->nr & (formats->nr + 1)) == 0)
		entries = realloc(entries, (formats->nr + 1) * 2 * sizeof(*entries));
	if (!entries) {
		free(full_name);
		return false;
	}
	formats->entries = entries;
	entries[formats->nr] = (struct format_entry){
		.id = id, .system = system, .full_name = full_name,
		.name = full_name + strlen(system) + 1,
		.text = text, .size = text ? strlen(text) : 0,
	};
	formats->by_id[id] = ++formats->nr;
	return true;
}

bool formats_add_packing(struct formats *formats, const char *line)
{
	struct packed_layout packing;
	u32 number, i;

	if (!packed_layout_parse(&packing, &number, line))
		return false;
	for (i = 0; i < packed_layout_count(&packing); i++) {
		formats->packings[number + i] = packing;
		formats->packings[number + i].value = i;
	}
	return true;
}

const struct packed_layout *formats_packing(const struct formats *formats, u32 number)
{
	return &formats->packings[number];
}

struct formats_place *formats_place(struct formats *formats)
{
	return &formats->place;
}

void formats_note(struct formats *formats, u64 off, const char *what)
{
	formats->incomplete = true;
	if (formats->notes)
		damage_notes_add(formats->notes, off, "event formats: %s", what);
}

int formats_new(struct formats **ret, const struct formats_machine *machine,
		struct damage_notes *notes, struct err *err)
{
	struct formats *formats = calloc(1, sizeof(*formats));

	if (!formats)
		return err_sys(err, "memory for event formats");
	formats->machine = *machine;
	formats->notes = notes;
	*ret = formats;
	return 0;
}

void formats_source(struct formats *formats, formats_text_fn *text, void *priv)
{
	formats->source = text;
	formats->priv = priv;
}

void formats_use_names(struct formats *formats, const struct print_names *names)
{
	formats->names = *names;
}

void formats_free(struct formats *formats)
{
	u32 i;

	if (!formats)
		return;
	for (i = 0; i < formats->nr; i++) {
		format_header_free(&formats->entries[i].format.layout);
		print_program_free(formats->entries[i].program);
		free(formats->entries[i].full_name);
	}
	for (i = 0; i < formats->nr_texts; i++)
		free(formats->texts[i]);
	free(formats->texts);
	free(formats->entries);
	free(formats);
}

static struct format_entry *find_entry(struct formats *formats, u32 id)
{
	if (id >= IDS_MAX || !formats->by_id[id])
		return NULL;
	return &formats->entries[formats->by_id[id] - 1];
}

static const struct layout_field *find_field(const struct format *format, const char *name)
{
	return layout_field_named(&format->layout, name, strlen(name));
}

static void find_comm(struct format *format, const char *pid, const char *comm)
{
	struct format_comm pair = { find_field(format, pid), find_field(format, comm) };

	if (pair.pid && pair.comm && format->nr_comms < FORMAT_MAX_COMMS)
		format->comms[format->nr_comms++] = pair;
}

static const struct layout_field *find_byte(const struct format *format, const char *name)
{
	const struct layout_field *field = find_field(format, name);

	return field && field->size == 1 ? field : NULL;
}

/* Fields and events that a reader knows by name. */
static void find_known_fields(struct format *format)
{
	const char *system = format->system;

	format->irq = find_byte(format, "context_irq");
	format->preempt = find_byte(format, "context_preempt");
	if (!strcmp(system, "ftrace"))
		format->is_bare = !strcmp(format->name, "function") || !strcmp(format->name, "print");
	if (!strcmp(system, "mark") || (!strcmp(system, "epitaph") && !strcmp(format->name, "mark")))
		format->cpu = find_field(format, "cpu");
	if (!strcmp(system, "epitaph") && !strcmp(format->name, "early"))
		format->early = find_field(format, "id");
	if (strcmp(system, "sched") && strcmp(system, "task") && strcmp(system, "signal"))
		return;
	format->is_switch = !strcmp(system, "sched") && !strcmp(format->name, "sched_switch");
	find_comm(format, "prev_pid", "prev_comm");
	find_comm(format, "next_pid", "next_comm");
	find_comm(format, "parent_pid", "parent_comm");
	find_comm(format, "child_pid", "child_comm");
	find_comm(format, "pid", "newcomm");
	if (!format->nr_comms)
		find_comm(format, "pid", "comm");
}

/* The text, when it is needed. */
static bool ask_source(struct formats *formats, struct format_entry *entry)
{
	char *text = formats->source ? formats->source(formats->priv, entry->id) : NULL;

	if (!text || !formats_keep(formats, text))
		return false;
	entry->text = text;
	entry->size = strlen(text);
	return true;
}

const char *formats_text(struct formats *formats, u32 id, size_t *ret_size)
{
	struct format_entry *entry = find_entry(formats, id);

	*ret_size = 0;
	if (!entry || (!entry->text && !ask_source(formats, entry)))
		return NULL;
	*ret_size = entry->size;
	return entry->text;
}

static u32 long_size_of(const struct formats *formats)
{
	return formats->machine.long_size == 4 ? 4 : 8;
}

/* Once for each: apart, so that all other calls of formats_get() are short. */
static __attribute__((noinline)) void parse(struct formats *formats, struct format_entry *entry)
{
	struct format *format = &entry->format;
	struct token print;

	entry->is_parsed = true;
	format->system = entry->system;
	format->name = entry->name;
	if (!entry->text && !ask_source(formats, entry))
		return formats_note(formats, NOTE_NOWHERE, "one is lost");
	switch (format_header_read(&format->layout, format->system, entry->text,
				   long_size_of(formats), &print)) {
	case FORMAT_HEADER_BROKEN:
		return formats_note(formats, NOTE_NOWHERE, "one cannot be parsed");
	case FORMAT_HEADER_IMPOSSIBLE:
		return formats_note(formats, NOTE_NOWHERE, "one has fields that cannot be");
	case FORMAT_HEADER_GOOD:
		break;
	}
	format->is_known = true;
	format->print = print.at;
	find_known_fields(format);
}

const struct format *formats_get(struct formats *formats, u32 id)
{
	struct format_entry *entry = find_entry(formats, id);

	if (!entry)
		return &formats->unknown;
	if (!entry->is_parsed)
		parse(formats, entry);
	return &entry->format;
}

const struct print_program *formats_program(struct formats *formats, u32 id)
{
	struct format_entry *entry = find_entry(formats, id);
	const struct format *format;

	if (!entry || entry->is_compiled)
		return entry ? entry->program : NULL;
	entry->is_compiled = true;
	format = formats_get(formats, id);
	if (!format->is_known || formats->programs_size > PROGRAMS_MAX)
		return NULL;
	entry->program = print_program_new(&format->layout, format->print, long_size_of(formats),
					   &formats->names);
	if (entry->program)
		formats->programs_size += print_program_memory(entry->program);
	return entry->program;
}

void formats_check(struct formats *formats)
{
	u32 i;

	for (i = 0; i < formats->nr; i++)
		formats_get(formats, formats->entries[i].id);
}

const char *formats_name(struct formats *formats, u32 id)
{
	struct format_entry *entry = find_entry(formats, id);

	if (entry)
		return entry->full_name;
	snprintf(formats->unknown_name, sizeof(formats->unknown_name), "unknown:%u", id);
	return formats->unknown_name;
}

bool formats_incomplete(const struct formats *formats)
{
	return formats->incomplete;
}

u32 formats_nr(const struct formats *formats)
{
	return formats->nr;
}

u32 formats_id(const struct formats *formats, u32 i)
{
	return formats->entries[i].id;
}

bool formats_has(const struct formats *formats, u32 id)
{
	return id < IDS_MAX && formats->by_id[id];
}
