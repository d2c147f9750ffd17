/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a running recorder says of earlier boots: /sys/kernel/epitaph, docs/sysfs.md. */
#ifndef EPITAPH_SPOOL_SYSFS_GENERATIONS_H
#define EPITAPH_SPOOL_SYSFS_GENERATIONS_H

#include "base/err.h"

#define EARLIER_MAX	64

/**
 * struct earlier - one generation
 * @number: as its directory is called
 * @off, @size: in the device
 * @start_ns: when recording began, UTC
 * @state: in the recorder's word
 * @wanted: nobody has it yet
 */
struct earlier {
	u64 number;
	u64 off;
	u64 size;
	u64 start_ns;
	char state[32];
	bool wanted;
};

/**
 * struct earlier_list - all of them, the oldest first
 * @lost: how many were overwritten though nobody had them
 * @lost_number: the last of these
 */
struct earlier_list {
	struct earlier list[EARLIER_MAX];
	u32 nr;
	u64 lost;
	u64 lost_number;
};

/* Return: 0; -ERR_NOT_OURS: no recorder is there; -ERR_IO; -ERR_CORRUPT: it says what cannot be. */
int earlier_read(struct earlier_list *list, const char *sysfs, struct err *err);

/* earlier_mark() - say that it is harvested, and where to */
int earlier_mark(const char *sysfs, const struct earlier *gen, const char *where,
		 struct err *err);

#endif
