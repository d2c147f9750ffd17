// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format_check.h"
#include "format_guard.h"
#include "format_text.h"

/* Where a format text lies, until it is needed. */
struct item {
	u32 id;
	bool parsed;
	const char *system;	/* terminated, as is name; the latter is ours */
	char *name;
	const char *text;	/* NULL: the source has it */
	size_t size;
	struct format format;
	struct tep_print_parse *hidden;	/* of the event, which frees it: see hide_print() */
};

struct formats {
	struct formats_machine machine;
	struct damage_notes *notes;
	formats_text_fn *source;
	formats_library_fn *library;
	void *priv;
	struct tep_handle *tep;
	char **texts;
	u32 nr_texts;
	struct item *entries;
	u32 nr;
	u32 by_id[IDS_MAX];	/* index + 1 */
	bool incomplete;
	struct format unknown;
	struct packed_layout packings[PACKING_ALL];
	struct tep_record record;
	u32 dirty;		/* bytes of data that are not zero */
	char name[64];
	struct formats_place place;
	u8 data[FORMAT_BUFFER];
};

static struct item *new_entry(struct formats *formats)
{
	struct item *entries = formats->entries;

	if ((formats->nr & (formats->nr + 1)) == 0)
		entries = realloc(entries, (formats->nr + 1) * 2 * sizeof(*entries));
	if (!entries)
		return NULL;
	formats->entries = entries;
	memset(&entries[formats->nr], 0, sizeof(*entries));
	return &entries[formats->nr++];
}

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
	struct item *item;

	if (id >= IDS_MAX)
		return false;
	item = new_entry(formats);
	if (!item)
		return false;
	item->id = id;
	item->system = system;
	item->name = strndup(name, len);
	item->text = text;
	item->size = text ? strlen(text) : 0;
	formats->by_id[id] = formats->nr;
	return item->name != NULL;
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
	damage_notes_add(formats->notes, off, "event formats: %s", what);
}

/* The library gives addresses to this; names and all else are the symbols'. */
static int set_up_tep(struct formats *formats)
{
	const struct formats_machine *machine = &formats->machine;

	tep_set_loglevel(TEP_LOG_NONE);
	formats->tep = tep_alloc();
	if (!formats->tep)
		return -1;
	tep_set_flag(formats->tep, TEP_NSEC_OUTPUT);
	tep_set_long_size(formats->tep, machine->long_size == 4 ? 4 : 8);
	tep_set_page_size(formats->tep, machine->page_shift < 20 ? 1 << machine->page_shift : 4096);
	tep_set_file_bigendian(formats->tep, machine->order == ORDER_BIG ?
			       TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(formats->tep, tep_is_bigendian() ?
				TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	return 0;
}

int formats_new(struct formats **ret, const struct formats_machine *machine,
		struct damage_notes *notes, struct err *err)
{
	struct formats *formats = calloc(1, sizeof(*formats));

	if (!formats)
		return err_sys(err, "memory for event formats");
	formats->machine = *machine;
	formats->notes = notes;
	formats->record.data = formats->data;
	if (set_up_tep(formats)) {
		formats_free(formats);
		return err_sys(err, "memory for event formats");
	}
	*ret = formats;
	return 0;
}

void formats_source(struct formats *formats, formats_text_fn *text, formats_library_fn *library,
		    void *priv)
{
	formats->source = text;
	formats->library = library;
	formats->priv = priv;
}

/* A print format that may not be run: the library prints fields by what it took from there, too. */
static void hide_print(struct item *item)
{
	item->hidden = item->format.event->print_fmt.print_cache;
	item->format.event->print_fmt.print_cache = NULL;
}

static void show_print(struct item *item)
{
	if (item->hidden)
		item->format.event->print_fmt.print_cache = item->hidden;
}

void formats_free(struct formats *formats)
{
	u32 i;

	if (!formats)
		return;
	for (i = 0; i < formats->nr; i++) {
		show_print(&formats->entries[i]);
		free(formats->entries[i].name);
	}
	for (i = 0; i < formats->nr_texts; i++)
		free(formats->texts[i]);
	free(formats->texts);
	free(formats->entries);
	tep_free(formats->tep);
	free(formats);
}

static struct item *find_entry(struct formats *formats, u32 id)
{
	if (id >= IDS_MAX || !formats->by_id[id])
		return NULL;
	return &formats->entries[formats->by_id[id] - 1];
}

s64 format_number(const struct tep_format_field *field, struct bytes *payload)
{
	u64 off = field->offset - FORMATS_COMMON;

	if (field->offset < FORMATS_COMMON || !bytes_has(payload, off, field->size))
		return -1;
	if (field->size == 4)
		return bytes_u32(payload, off);
	return field->size == 2 ? bytes_u16(payload, off) : -1;
}

static void find_comm(struct format *format, const char *pid, const char *comm)
{
	struct format_comm pair = {
		.pid = tep_find_field(format->event, pid),
		.comm = tep_find_field(format->event, comm),
	};

	if (pair.pid && pair.comm && format->nr_comms < FORMAT_MAX_COMMS)
		format->comms[format->nr_comms++] = pair;
}

static void find_comms(struct format *format)
{
	const char *system = format->system;

	format->is_switch = !strcmp(system, "sched") &&
			    !strcmp(format->name, "sched_switch");
	if (strcmp(system, "sched") && strcmp(system, "task") &&
	    strcmp(system, "signal"))
		return;
	find_comm(format, "prev_pid", "prev_comm");
	find_comm(format, "next_pid", "next_comm");
	find_comm(format, "parent_pid", "parent_comm");
	find_comm(format, "child_pid", "child_comm");
	find_comm(format, "pid", "newcomm");
	if (!format->nr_comms)
		find_comm(format, "pid", "comm");
}

static const struct tep_format_field *find_byte(const struct format *format, const char *name)
{
	struct tep_format_field *field = tep_find_field(format->event, name);

	return field && field->size == 1 && field->offset >= FORMATS_COMMON ? field : NULL;
}

/* What a reader knows by name. */
static void find_own(struct format *format)
{
	format->irq = find_byte(format, "context_irq");
	format->preempt = find_byte(format, "context_preempt");
	if (!strcmp(format->system, "ftrace"))
		format->is_bare = !strcmp(format->name, "function") || !strcmp(format->name, "print");
	if (strcmp(format->system, "epitaph"))
		return;
	if (!strcmp(format->name, "mark"))
		format->cpu = tep_find_field(format->event, "cpu");
	if (!strcmp(format->name, "early"))
		format->early = tep_find_field(format->event, "id");
}

/* The text, when it is needed. */
static bool ask_source(struct formats *formats, struct item *item)
{
	char *text = formats->source ? formats->source(formats->priv, item->id) : NULL;

	if (!text || !formats_keep(formats, text))
		return false;
	item->text = text;
	item->size = strlen(text);
	return true;
}

const char *formats_text(struct formats *formats, u32 id, size_t *ret_size)
{
	struct item *item = find_entry(formats, id);

	*ret_size = 0;
	if (!item || (!item->text && !ask_source(formats, item)))
		return NULL;
	*ret_size = item->size;
	return item->text;
}

/* The text itself, or what it is changed to. */
static const char *text_of(struct formats *formats, const struct item *item)
{
	char *changed = formats->library ? formats->library(formats->priv, item->text) : NULL;

	return changed && formats_keep(formats, changed) ? changed : item->text;
}

static bool parse_text(struct formats *formats, struct item *item, struct format_print *ret_print)
{
	u32 long_size = formats->machine.long_size == 4 ? 4 : 8;
	const char *text = text_of(formats, item);
	char *copy = format_text_copy(text, long_size, ret_print);
	bool good = copy && !tep_parse_event(formats->tep, copy, strlen(copy), item->system);

	free(copy);
	if (good)
		item->format.print = text + ret_print->off;
	return good;
}

static void parse(struct formats *formats, struct item *item)
{
	struct format *format = &item->format;
	struct format_print print = { 0 };

	item->parsed = true;
	format->system = item->system;
	format->name = item->name;
	if (!item->text && !ask_source(formats, item))
		return formats_note(formats, NOTE_NOWHERE, "one is lost");
	if (!parse_text(formats, item, &print))
		return formats_note(formats, NOTE_NOWHERE, "one cannot be parsed");
	format->event = tep_find_event(formats->tep, item->id);
	if (!format->event || !format_fields_are_sane(format->event)) {
		format->event = NULL;
		return formats_note(formats, NOTE_NOWHERE, "one has fields that cannot be");
	}
	format->is_plain = print.is_plain;
	format->printable = print.is_known && format_print_is_sane(format->event) &&
			    format_guard_print(format->event);
	if (!format->printable)
		hide_print(item);
	find_own(format);
	find_comms(format);
}

const struct format *formats_get(struct formats *formats, u32 id)
{
	struct item *item = find_entry(formats, id);

	if (!item)
		return &formats->unknown;
	if (!item->parsed)
		parse(formats, item);
	return &item->format;
}

void formats_check(struct formats *formats)
{
	u32 i;

	for (i = 0; i < formats->nr; i++)
		formats_get(formats, formats->entries[i].id);
}

const char *formats_name(struct formats *formats, u32 id)
{
	struct item *item = find_entry(formats, id);

	if (item)
		snprintf(formats->name, sizeof(formats->name), "%s:%s",
			 item->system, item->name);
	else
		snprintf(formats->name, sizeof(formats->name), "unknown:%u", id);
	return formats->name;
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

struct tep_handle *formats_tep(struct formats *formats)
{
	return formats->tep;
}

/* common_type and common_pid in the byte order that the library was told. */
static void put_common(struct formats *formats, u32 id, u32 pid)
{
	bool big = formats->machine.order == ORDER_BIG;
	u16 type = big ? htobe16(id) : htole16(id);

	pid = big ? htobe32(pid) : htole32(pid);
	memcpy(formats->data, &type, sizeof(type));
	memcpy(formats->data + 4, &pid, sizeof(pid));
}

struct tep_record *formats_record(struct formats *formats, u32 id, s64 pid,
				  const void *payload, u32 size)
{
	if (size > SUBBUF_MAX)
		size = SUBBUF_MAX;
	if (formats->dirty > size)
		memset(formats->data + FORMATS_COMMON + size, 0, formats->dirty - size);
	put_common(formats, id, pid < 0 ? 0 : pid);
	memcpy(formats->data + FORMATS_COMMON, payload, size);
	formats->dirty = size;
	formats->record.size = FORMATS_COMMON + size;
	return &formats->record;
}
