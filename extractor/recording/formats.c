// SPDX-License-Identifier: GPL-2.0-or-later
/* The formats of a region: compressed batches of the kernel's format texts. */
#include "event/formats.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/checksum.h"

#define MAX_BATCH	(1U << 20)	/* bytes of one, packed */
#define MAX_TEXT	(4U << 20)	/* bytes of one, plain */
#define MAX_ALL		(16U << 20)	/* bytes of all, plain */

struct batches {
	struct formats *formats;
	struct generation *generation;
	struct formats_place *place;
	const char *system;		/* of all events; NULL: the text says it */
};

/* Cuts one line off; terminates it. */
static char *next_format_line(char **text)
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

/* "name: X", "ID: N", then fields and print format. */
static bool take_format(struct formats *formats, const char *system, const char *text)
{
	const char *name = text + strlen("name: ");
	const char *id_line = strchr(text, '\n');
	unsigned int id;

	if (strncmp(text, "name: ", 6) || !id_line ||
	    sscanf(id_line + 1, "ID: %u", &id) != 1)
		return false;
	return id >= EPITAPH_ID_FIRST && formats_add(formats, id, system, name, id_line - name, text);
}

/* Splits a batch at its lines "system: NAME". */
static bool add_format_text(struct formats *formats, char *text, const char *of_all)
{
	bool good = true;

	while (text && *text) {
		char *system = next_format_line(&text);
		char *end = strstr(text, "\nsystem: ");

		if (strncmp(system, "system: ", 8))
			return false;
		if (end)
			*end++ = 0;
		good &= take_format(formats, of_all ? of_all : system + 8, text);
		text = end;
	}
	return good;
}

static bool take_batch(struct batches *b, const struct epitaph_batch *batch,
		       const void *packed)
{
	u32 raw_size = le32toh(batch->raw_size), size = le32toh(batch->size);
	u32 method = le32toh(batch->method);
	uLongf n = raw_size;
	bool good = true;
	char *text, *line;

	if (raw_size > MAX_TEXT || raw_size > b->place->room)
		return false;
	text = calloc(1, raw_size + 1);
	if (!text)
		return false;
	b->place->room -= raw_size;
	if (method != EPITAPH_ZLIB && method <= EPITAPH_PACKINGS && size == raw_size) {
		memcpy(text, packed, size);
	} else if (method != EPITAPH_ZLIB || uncompress((u8 *)text, &n, packed, size) != Z_OK ||
		   n != raw_size) {
		free(text);
		return false;
	}
	/* A NUL within would hide the rest. */
	if (!formats_keep(b->formats, text) || strlen(text) != raw_size)
		return false;
	if (method != EPITAPH_PACKINGS)
		return add_format_text(b->formats, text, b->system);
	while ((line = next_format_line(&text)))
		good &= formats_add_packing(b->formats, line);
	return good;
}

/* Twice: of a region that is recorded into, the check may be younger than what was read in front of it. */
static bool read_batch_header(const struct generation *generation, u64 off,
			      struct epitaph_batch *batch)
{
	return generation_read(generation, off, batch, sizeof(*batch), NULL) == sizeof(*batch) &&
	       (!batch->check ||
		generation_read(generation, off, batch, sizeof(*batch), NULL) == sizeof(*batch));
}

static void read_batches(struct batches *b, const struct section *sec)
{
	u64 *off = &b->place->off, size, room;
	struct epitaph_batch batch;
	u8 *data;

	while (*off + sizeof(batch) <= sec->size) {
		if (!read_batch_header(b->generation, sec->off + *off, &batch))
			return formats_note(b->formats, sec->off + *off, "not in the file from here on");
		/* The next one is not there yet, or not complete. */
		if (!batch.check)
			return;
		room = sec->size - *off - sizeof(batch) < MAX_BATCH ? sec->size - *off - sizeof(batch) : MAX_BATCH;
		section_sized(&data, b->generation, sec->off + *off, &batch, sizeof(batch),
			      offsetof(struct epitaph_batch, size), room, NULL);
		if (!data && !batch.check)
			return;
		size = le32toh(batch.size);
		if (!data && size > room)
			return formats_note(b->formats, sec->off + *off, "lost from here on: a batch has an impossible size");
		if (!data)
			formats_note(b->formats, sec->off + *off, "a batch does not check");
		else if (!take_batch(b, &batch, data))
			formats_note(b->formats, sec->off + *off, "a batch cannot be unpacked");
		free(data);
		*off += sizeof(batch) + (size + 7) / 8 * 8;
	}
}

void formats_more(struct formats *formats, struct generation *generation)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_FORMATS);
	struct batches b = { formats, generation, formats_place(formats), NULL };

	if (sec)
		read_batches(&b, sec);
}

/* The format of a packed event whose kind is unknown. */
static const char packed_text[] =
	"name: packed\nID: 4\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:unsigned short number;\toffset:8;\tsize:2;\tsigned:0;\n\n"
	"print fmt: \"number=%u: what it refers to is lost\", REC->number\n";
_Static_assert(EPITAPH_ID_PACKED == 4, "packed_text has its ID");

int formats_read(struct formats **ret, struct generation *generation, struct err *err)
{
	const struct formats_machine machine = {
		.order = generation->hdr.byte_order == EPITAPH_BIG_ENDIAN ? ORDER_BIG : ORDER_LITTLE,
		.long_size = generation->hdr.long_size,
	};
	int failed = formats_new(ret, &machine, &generation->notes, err);

	if (failed)
		return failed;
	formats_place(*ret)->room = MAX_ALL;
	if (generation->hdr.incompat & EPITAPH_INCOMPAT_PACKED)
		formats_add(*ret, EPITAPH_ID_PACKED, "epitaph", "packed", strlen("packed"), packed_text);
	if (generation_section(generation, EPITAPH_SEC_FORMATS))
		formats_more(*ret, generation);
	else if (!generation_has_no_recorder(generation))
		formats_note(*ret, NOTE_NOWHERE, "there are none");
	return 0;
}

int formats_read_program(struct formats **ret, struct generation *generation, const u8 *data, u32 size,
			 char *system, bool *whole, struct err *err)
{
	const struct formats_machine machine = {
		.order = generation->hdr.byte_order == EPITAPH_BIG_ENDIAN ? ORDER_BIG : ORDER_LITTLE,
		.long_size = generation->hdr.long_size,
	};
	int failed = formats_new(ret, &machine, NULL, err);
	struct batches b = { .generation = generation, .system = system };
	struct epitaph_batch batch;
	u32 off = 0, n;
	u64 check;

	*whole = true;
	if (failed) {
		free(system);
		return failed;
	}
	b.formats = *ret;
	b.place = formats_place(*ret);
	b.place->room = size;
	if (!formats_keep(*ret, system))
		return err_sys(err, "memory for event formats");
	while (off + sizeof(batch) <= size) {
		memcpy(&batch, data + off, sizeof(batch));
		n = le32toh(batch.size);
		if (!batch.check)
			break;
		if (n > size - off - sizeof(batch)) {
			*whole = false;
			break;
		}
		check = checksum(0, &batch, offsetof(struct epitaph_batch, check));
		if (batch.method != htole32(EPITAPH_STORED) ||
		    le64toh(batch.check) != checksum(check, data + off + sizeof(batch), n) ||
		    !take_batch(&b, &batch, data + off + sizeof(batch)))
			*whole = false;
		off += sizeof(batch) + (n + 7) / 8 * 8;
	}
	return 0;
}
