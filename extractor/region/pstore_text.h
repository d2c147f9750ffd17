/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pstore records of a generation: the end of the kernel's log, when it died. */
#ifndef EPITAPH_REGION_PSTORE_TEXT_H
#define EPITAPH_REGION_PSTORE_TEXT_H

#include <stdio.h>

#include "generation.h"

#define RECORDS_MAX	4096		/* further records are ignored */
#define RECORDS_BYTES	(16U << 20)	/* all records together */
#define RECORD_MAX	(1U << 20)	/* bytes of one record, also uncompressed */

/**
 * struct record - one pstore record
 * @seq: grows with each stored record
 * @off: of the data in the generation
 * @data: @size bytes as stored; owned
 * @packed: pstore compressed the data
 */
struct record {
	u64 seq;
	u64 real_ns;
	u64 off;
	u32 type;
	u32 reason;
	u32 part;
	u32 count;
	u32 size;
	bool packed;
	u8 *data;
};

/**
 * struct records - the pstore records of a generation
 * @list: @nr records, sorted by seq
 * @evicted: number of records that later ones overwrote
 * @bytes: of all records in @list
 */
struct records {
	struct record *list;
	u32 nr;
	u64 evicted;
	u64 bytes;
};

/* Reads the records into the zeroed @records and notes damage in @generation. */
int records_read(struct records *records, struct generation *generation, struct err *err);
void records_free(struct records *records);

/*
 * The text of a record; the caller frees it. Uncompresses deflate, the default of pstore.
 * NULL: another compression, or damaged.
 */
char *record_text(const struct record *record, size_t *ret_size);

/* "panic", or the number if @reason has no name. Valid until the next call. */
const char *record_reason(u32 reason);

/* Prints all dumps, the oldest first, each in the order of its lines; escaped. */
void records_print(FILE *f, const struct records *records);

#endif
