// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "format_check.h"
#include "mix.h"

#define MAX_BATCH	(1U << 20)	/* bytes of one, packed */
#define MAX_TEXT	(4U << 20)	/* bytes of one, plain */
#define MAX_ALL		(16U << 20)	/* bytes of all, plain */

/* Where a format text lies, until it is needed. */
struct entry {
	u32 id;
	bool parsed;
	const char *system;	/* terminated, as is name */
	const char *name;
	const char *text;
	size_t size;
	struct format format;
};

struct formats {
	struct region *region;
	struct tep_handle *tep;
	char **texts;
	u32 nr_texts;
	u64 room;
	struct entry *entries;
	u32 nr;
	u32 by_id[IDS_MAX];	/* index + 1 */
	bool incomplete;
	struct format unknown;
	struct tep_record record;
	u32 dirty;		/* bytes of data that are not zero */
	char name[64];
	u8 data[FORMAT_BUFFER];
};

/* Cuts one line off; terminates it. */
static char *next_line(char **text)
{
	char *line = *text;
	char *end = strchr(line, '\n');

	if (!*line)
		return NULL;
	if (end) {
		*end = 0;
		*text = end + 1;
	} else {
		*text = line + strlen(line);
	}
	return line;
}

static struct entry *new_entry(struct formats *formats)
{
	struct entry *entries = formats->entries;

	if ((formats->nr & (formats->nr + 1)) == 0)
		entries = realloc(entries, (formats->nr + 1) * 2 * sizeof(*entries));
	if (!entries)
		return NULL;
	formats->entries = entries;
	memset(&entries[formats->nr], 0, sizeof(*entries));
	return &entries[formats->nr++];
}

/* "name: X", "ID: N", then what the library wants from the start. */
static bool take_format(struct formats *formats, const char *system,
			const char *text, size_t size)
{
	struct entry *entry;
	const char *name = text + strlen("name: ");
	const char *id_line = memchr(text, '\n', size);
	unsigned int id;

	if (strncmp(text, "name: ", 6) || !id_line ||
	    sscanf(id_line + 1, "ID: %u", &id) != 1 || id >= IDS_MAX)
		return false;
	entry = new_entry(formats);
	if (!entry)
		return false;
	entry->id = id;
	entry->system = system;
	entry->name = strndup(name, id_line - name);
	entry->text = text;
	entry->size = size;
	formats->by_id[id] = formats->nr;
	return entry->name != NULL;
}

/* Splits a batch at its lines "system: NAME". */
static bool take_text(struct formats *formats, char *text)
{
	bool good = true;

	while (text && *text) {
		char *system = next_line(&text);
		char *end = strstr(text, "\nsystem: ");

		if (strncmp(system, "system: ", 8))
			return false;
		if (end)
			*end++ = 0;
		good &= take_format(formats, system + 8, text, strlen(text));
		text = end;
	}
	return good;
}

static bool inflate_batch(char *text, u32 raw_size, const void *packed, u32 size,
			  u32 method)
{
	uLongf n = raw_size;

	if (method == EPITAPH_STORED && size == raw_size) {
		memcpy(text, packed, size);
		return true;
	}
	return method == EPITAPH_ZLIB &&
	       uncompress((u8 *)text, &n, packed, size) == Z_OK && n == raw_size;
}

static bool keep_text(struct formats *formats, char *text)
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

static bool take_batch(struct formats *formats, const struct epitaph_batch *batch,
		       const void *packed)
{
	u32 raw_size = le32toh(batch->raw_size);
	char *text;

	if (raw_size > MAX_TEXT || raw_size > formats->room)
		return false;
	text = calloc(1, raw_size + 1);
	if (!text)
		return false;
	formats->room -= raw_size;
	if (!inflate_batch(text, raw_size, packed, le32toh(batch->size),
			   le32toh(batch->method))) {
		free(text);
		return false;
	}
	/* A NUL within would hide the rest. */
	return keep_text(formats, text) && strlen(text) == raw_size &&
	       take_text(formats, text);
}

static void note(struct formats *formats, u64 off, const char *what)
{
	formats->incomplete = true;
	notes_add(&formats->region->notes, off, "event formats: %s", what);
}

/* Bytes that follow the header at @off, if they check; 0 and told otherwise. */
static u8 *read_batch(struct formats *formats, const struct section *sec, u64 off,
		      const struct epitaph_batch *batch)
{
	u32 size = le32toh(batch->size);
	u64 seed = mix_check(formats->region->hdr.salt, batch,
			     offsetof(struct epitaph_batch, check));
	u8 *data = malloc(size ? size : 1);

	if (data && region_read(formats->region, sec->off + off + sizeof(*batch),
				data, size, NULL) == (ssize_t)size &&
	    mix_holds(mix_check(seed, data, size), le64toh(batch->check)))
		return data;
	free(data);
	return NULL;
}

static void read_batches(struct formats *formats, const struct section *sec)
{
	struct epitaph_batch batch;
	u64 off = 0, size;
	u8 *data;

	while (off + sizeof(batch) <= sec->size) {
		if (region_read(formats->region, sec->off + off, &batch,
				sizeof(batch), NULL) != sizeof(batch))
			return note(formats, sec->off + off, "not in the file from here on");
		/* The next one is not there yet, or not complete. */
		if (!batch.check)
			return;
		size = le32toh(batch.size);
		if (size > MAX_BATCH || size > sec->size - off - sizeof(batch))
			return note(formats, sec->off + off, "lost from here on: a batch has an impossible size");
		data = read_batch(formats, sec, off, &batch);
		if (!data)
			note(formats, sec->off + off, "a batch does not check");
		else if (!take_batch(formats, &batch, data))
			note(formats, sec->off + off, "a batch cannot be unpacked");
		free(data);
		off += sizeof(batch) + (size + 7) / 8 * 8;
	}
}

/* The library gives addresses to this; names and all else are the symbols'. */
static int set_up_tep(struct formats *formats)
{
	const struct epitaph_header *hdr = &formats->region->hdr;

	tep_set_loglevel(TEP_LOG_NONE);
	formats->tep = tep_alloc();
	if (!formats->tep)
		return -1;
	tep_set_flag(formats->tep, TEP_NSEC_OUTPUT);
	tep_set_long_size(formats->tep, hdr->long_size == 4 ? 4 : 8);
	tep_set_page_size(formats->tep, hdr->page_shift < 20 ? 1 << hdr->page_shift : 4096);
	tep_set_file_bigendian(formats->tep, hdr->byte_order == EPITAPH_BIG_ENDIAN ?
			       TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(formats->tep, tep_is_bigendian() ?
				TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	return 0;
}

int formats_read(struct formats **ret, struct region *region, struct err *err)
{
	const struct section *sec = region_section(region, EPITAPH_SEC_FORMATS);
	struct formats *formats = calloc(1, sizeof(*formats));

	if (!formats)
		return err_sys(err, "memory for event formats");
	formats->region = region;
	formats->room = MAX_ALL;
	formats->record.data = formats->data;
	if (set_up_tep(formats)) {
		formats_free(formats);
		return err_sys(err, "memory for event formats");
	}
	if (sec)
		read_batches(formats, sec);
	else
		note(formats, NOTE_NOWHERE, "there are none");
	*ret = formats;
	return 0;
}

void formats_free(struct formats *formats)
{
	u32 i;

	if (!formats)
		return;
	for (i = 0; i < formats->nr; i++)
		free((char *)formats->entries[i].name);
	for (i = 0; i < formats->nr_texts; i++)
		free(formats->texts[i]);
	free(formats->texts);
	free(formats->entries);
	tep_free(formats->tep);
	free(formats);
}

static struct entry *find_entry(struct formats *formats, u32 id)
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

static void parse(struct formats *formats, struct entry *entry)
{
	struct format *format = &entry->format;

	entry->parsed = true;
	format->system = entry->system;
	format->name = entry->name;
	if (!format_text_is_sane(entry->text, entry->size) ||
	    tep_parse_event(formats->tep, entry->text, entry->size, entry->system))
		return note(formats, NOTE_NOWHERE, "one cannot be parsed");
	format->event = tep_find_event(formats->tep, entry->id);
	if (!format->event || !format_fields_are_sane(format->event)) {
		format->event = NULL;
		return note(formats, NOTE_NOWHERE, "one has fields that cannot be");
	}
	format->printable = format_print_is_sane(format->event);
	find_comms(format);
}

const struct format *formats_get(struct formats *formats, u32 id)
{
	struct entry *entry = find_entry(formats, id);

	if (!entry)
		return &formats->unknown;
	if (!entry->parsed)
		parse(formats, entry);
	return &entry->format;
}

void formats_check(struct formats *formats)
{
	u32 i;

	for (i = 0; i < formats->nr; i++)
		formats_get(formats, formats->entries[i].id);
}

const char *formats_name(struct formats *formats, u32 id)
{
	struct entry *entry = find_entry(formats, id);

	if (entry)
		snprintf(formats->name, sizeof(formats->name), "%s:%s",
			 entry->system, entry->name);
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
	bool big = formats->region->hdr.byte_order == EPITAPH_BIG_ENDIAN;
	u16 type = big ? htobe16(id) : htole16(id);

	pid = big ? htobe32(pid) : htole32(pid);
	memcpy(formats->data, &type, sizeof(type));
	memcpy(formats->data + 4, &pid, sizeof(pid));
}

struct tep_record *formats_record(struct formats *formats, u32 id, s64 pid,
				  const void *payload, u32 size)
{
	if (size > SUB_MAX)
		size = SUB_MAX;
	if (formats->dirty > size)
		memset(formats->data + FORMATS_COMMON + size, 0, formats->dirty - size);
	put_common(formats, id, pid < 0 ? 0 : pid);
	memcpy(formats->data + FORMATS_COMMON, payload, size);
	formats->dirty = size;
	formats->record.size = FORMATS_COMMON + size;
	return &formats->record;
}
