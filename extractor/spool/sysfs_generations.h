/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a running recorder says of earlier boots: /sys/kernel/epitaph, docs/sysfs.md. */
#ifndef EPITAPH_SPOOL_SYSFS_GENERATIONS_H
#define EPITAPH_SPOOL_SYSFS_GENERATIONS_H

#include "base/err.h"

#define SYSFS_GENERATIONS_MAX	64

/**
 * struct sysfs_generation - one generation
 * @number: as its directory is called
 * @off, @size: in the device
 * @start_ns: when recording began, UTC
 * @state: in the recorder's word
 * @wanted: it is not saved yet
 */
struct sysfs_generation {
	u64 number;
	u64 off;
	u64 size;
	u64 start_ns;
	char state[32];
	bool wanted;
};

/**
 * struct sysfs_generations - all of them, the oldest first
 * @lost: how many were overwritten before they were saved
 * @lost_number: the last of these
 */
struct sysfs_generations {
	struct sysfs_generation list[SYSFS_GENERATIONS_MAX];
	u32 nr;
	u64 lost;
	u64 lost_number;
};

/* Return: 0; -ERR_NOT_OURS: no recorder is there; -ERR_IO; -ERR_CORRUPT: it says what cannot be. */
int sysfs_generations_read(struct sysfs_generations *list, const char *sysfs, struct err *err);

/* sysfs_generation_mark() - say that it is harvested, and where to */
int sysfs_generation_mark(const char *sysfs, const struct sysfs_generation *gen, const char *where,
		 struct err *err);

#endif
