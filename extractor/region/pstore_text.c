// SPDX-License-Identifier: GPL-2.0-or-later
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/checksum.h"
#include "base/text.h"
#include "pstore_text.h"

#define TYPE_DMESG	0	/* of enum pstore_type_id */

static int read_record(struct records *records, struct generation *generation,
		       const struct section *sec, u64 i, struct epitaph_record *raw,
		       struct err *err)
{
	struct record *record = &records->list[records->nr];
	u32 room = sec->unit - sizeof(*raw) < RECORD_MAX ? sec->unit - sizeof(*raw) : RECORD_MAX;
	u64 off = sec->off + i * sec->unit;
	u8 *data;
	int ret = section_sized(&data, generation, off, raw, sizeof(*raw),
				offsetof(struct epitaph_record, size), room, err);
	u32 size = le32toh(raw->size);

	off += sizeof(*raw);
	if (ret || (!data && !raw->check))
		return ret;
	if (!data && size > room) {
		damage_notes_add(&generation->notes, off,
				 "record %llu of pstore's is damaged: it says %u bytes, its place has %zu",
				 i, size, sec->unit - sizeof(*raw));
		return 0;
	}
	if (records->bytes + size > RECORDS_BYTES) {
		free(data);
		damage_notes_add(&generation->notes, off,
				 "only the first %u bytes of pstore's records are read",
				 RECORDS_BYTES);
		return 0;
	}
	if (!data) {
		damage_notes_add(&generation->notes, off,
				 "record %llu of pstore's is damaged: its check does not hold", i);
		return 0;
	}
	*record = (struct record){
		.seq = le64toh(raw->seq), .real_ns = le64toh(raw->real_ns), .off = off,
		.type = le32toh(raw->type), .reason = le32toh(raw->reason),
		.part = le32toh(raw->part), .count = le32toh(raw->count), .size = size,
		.packed = le32toh(raw->is_compressed) != 0, .data = data,
	};
	records->nr++;
	records->bytes += size;
	return 0;
}

static int compare_record_seq(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

int records_read(struct records *records, struct generation *generation, struct err *err)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_RECORDS);
	u64 places = section_entries(sec, sizeof(struct epitaph_record));
	u64 n = places, i;
	int ret = 0;

	if (n > RECORDS_MAX) {
		damage_notes_add(&generation->notes, sec->off,
				 "%llu places for pstore's records; only %u are read",
				 n, RECORDS_MAX);
		n = RECORDS_MAX;
	}
	if (!n)
		return 0;
	records->list = calloc(n, sizeof(*records->list));
	if (!records->list)
		return err_sys(err, "memory for %llu records", n);
	for (i = 0; i < n && !ret; i++) {
		u64 off = sec->off + i * sec->unit;
		struct epitaph_record raw;

		if (generation_read(generation, off, &raw, sizeof(raw), NULL) != sizeof(raw)) {
			damage_notes_add(&generation->notes, off,
					 "pstore's records from %llu on are not in the file", i);
			break;
		}
		/* A zero check: the kernel died while it wrote this record. */
		if (raw.check)
			ret = read_record(records, generation, sec, i, &raw, err);
	}
	if (records->nr)
		qsort(records->list, records->nr, sizeof(*records->list), compare_record_seq);
	/* Each of the first numbers has a place of its own. */
	if (records->nr && records->list[records->nr - 1].seq > places)
		records->evicted = records->list[records->nr - 1].seq - places;
	return ret;
}

void records_free(struct records *records)
{
	u32 i;

	for (i = 0; i < records->nr; i++)
		free(records->list[i].data);
	free(records->list);
	memset(records, 0, sizeof(*records));
}

/* Inflates raw deflate data of any window size. */
static char *inflate_raw(const u8 *data, u32 size, size_t *ret_size)
{
	z_stream z = { .next_in = (u8 *)data, .avail_in = size };
	char *text = malloc(RECORD_MAX);
	int ret;

	if (!text || inflateInit2(&z, -MAX_WBITS) != Z_OK) {
		free(text);
		return NULL;
	}
	z.next_out = (u8 *)text;
	z.avail_out = RECORD_MAX;
	ret = inflate(&z, Z_FINISH);
	*ret_size = z.total_out;
	inflateEnd(&z);
	if (ret == Z_STREAM_END)
		return text;
	free(text);
	return NULL;
}

char *record_text(const struct record *record, size_t *ret_size)
{
	char *text;

	if (record->packed)
		return inflate_raw(record->data, record->size, ret_size);
	text = malloc(record->size ? record->size : 1);
	if (text)
		memcpy(text, record->data, record->size);
	*ret_size = record->size;
	return text;
}

const char *record_reason(u32 reason)
{
	static const char *const names[] = {
		"unknown", "panic", "oops", "emergency restart", "shutdown",
	};
	static _Thread_local char other[32];

	if (reason < ARRAY_SIZE(names))
		return names[reason];
	snprintf(other, sizeof(other), "reason %u", reason);
	return other;
}

static void print_record(FILE *f, const struct record *record)
{
	char date[64], *text;
	const char *line, *end, *stop;
	size_t size;

	text_date(date, sizeof(date), record->real_ns);
	fprintf(f, "# %s, dump %u, part %u, %s", record_reason(record->reason), record->count,
		record->part, date);
	if (record->type != TYPE_DMESG) {
		fprintf(f, ": %u bytes of pstore's type %u\n", record->size, record->type);
		return;
	}
	text = record_text(record, &size);
	if (!text) {
		fprintf(f, ": compressed, and not with deflate: %u bytes at 0x%llx of the generation\n",
			record->size, record->off);
		return;
	}
	putc('\n', f);
	end = text + size;
	for (line = text; line < end; line = stop + 1) {
		stop = memchr(line, '\n', end - line);
		if (!stop)
			stop = end;
		text_put_all(f, line, stop - line);
		putc('\n', f);
	}
	free(text);
}

/* pstore stores part 1 first; it has the last lines. */
void records_print(FILE *f, const struct records *records)
{
	const struct record *list = records->list;
	u32 i, end, k;

	for (i = 0; i < records->nr; i = end) {
		for (end = i + 1; end < records->nr; end++)
			if (list[end].count != list[i].count || list[end].reason != list[i].reason ||
			    list[end].type != list[i].type || list[end].part <= list[end - 1].part)
				break;
		for (k = end; k > i; k--)
			print_record(f, &list[k - 1]);
	}
	if (records->evicted)
		fprintf(f, "# %llu records in between were overwritten by later ones\n",
			records->evicted);
}
