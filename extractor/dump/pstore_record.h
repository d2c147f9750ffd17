/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of a generation in a file of its own, as pstore shows it. */
#ifndef EPITAPH_DUMP_PSTORE_RECORD_H
#define EPITAPH_DUMP_PSTORE_RECORD_H

#include "base/err.h"

#define PART_MAX	(64U << 20)	/* bytes of one; the recorder makes them of 1 MiB */

/* Which generation it belongs to. */
struct part_of {
	u64 number;
	u64 salt;
	u64 gen_size;
	u8 boot_id[16];
};

/**
 * struct pstore_record - one, whose check holds
 * @of: its generation
 * @index, @nr_parts: from 1, as it says
 * @off: of its bytes in the generation, @size of them
 * @skip: bytes of the file before them
 */
struct pstore_record {
	struct part_of of;
	u32 index;
	u32 nr_parts;
	u64 off;
	u64 size;
	u64 skip;
};

enum pstore_record_verdict {
	PART_NOT_OURS,
	PART_BAD,		/* ours, and unusable: @why of pstore_record_read() */
	PART_GOOD,
};

/* pstore_record_read() - is the file at @fd one?  @why has room for 160 characters. */
enum pstore_record_verdict pstore_record_read(struct pstore_record *part, int fd, char *why);

#endif
