/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pstore gave to keep: the end of the kernel's log, when it died. */
#ifndef EPITAPH_REGION_PSTORE_TEXT_H
#define EPITAPH_REGION_PSTORE_TEXT_H

#include <stdio.h>

#include "generation.h"

#define RECORDS_MAX	4096		/* more are not looked at */
#define RECORDS_BYTES	(16U << 20)	/* of all together */
#define RECORD_MAX	(1U << 20)	/* bytes of one, also when unpacked */

/**
 * struct record - one
 * @seq: in the order of their storing
 * @data: @size bytes as stored; owned
 * @packed: pstore compressed them; @off says where they are in the generation
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
 * struct records - all of them
 * @list: @nr by seq
 * @evicted: stored, and overwritten by later ones
 * @bytes: of all that are here
 */
struct records {
	struct record *list;
	u32 nr;
	u64 evicted;
	u64 bytes;
};

/* Damage is noted. */
int records_read(struct records *records, struct generation *generation, struct err *err);
void records_free(struct records *records);

/* Unpacks with deflate, which pstore uses unless told otherwise; NULL: it is not that. */
char *record_text(const struct record *record, size_t *ret_size);

/* "panic"; its number if it has no name.  Valid until the next call. */
const char *record_reason(u32 reason);

/* All dumps, the oldest first, each in the order of its lines; escaped. */
void records_print(FILE *f, const struct records *records);

#endif
