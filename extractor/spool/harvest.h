/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One generation of an earlier boot into a directory of its own; docs/harvest.md. */
#ifndef EPITAPH_SPOOL_HARVEST_H
#define EPITAPH_SPOOL_HARVEST_H

#include "os/new_file.h"
#include "sysfs_generations.h"
#include "side_files.h"
#include "spool.h"

/* Of directories that are not whole yet. */
#define HARVEST_TEMPORARY	".harvest-"

/**
 * struct harvest - where from and where to
 * @device: descriptor of all generations
 * @dir: descriptor of the directory of harvests, locked
 */
struct harvest {
	int device;
	int dir;
};

/**
 * struct harvested - what became of one generation
 * @name: of its directory
 * @words: how it ended, escaped; "" if it cannot be read
 * @stored: bytes that its region has on disk, or needs where there is no room for it; 0: unknown
 * @was_there: the same bytes had been saved before
 * @unreadable: pages of the device that the copy has not
 * @damaged: a text reports damage or loss
 * @lacks: a text that could not be written, or NULL
 */
struct harvested {
	char name[SPOOL_NAME];
	char words[800];
	u64 stored;
	bool was_there;
	struct unreadable_pages unreadable;
	bool damaged;
	const char *lacks;
};

/**
 * harvest_generation() - save one; it is on disk afterwards
 * @texts: made beside it, up to one without a name
 *
 * Return: 0; -ERR_IO; -ERR_NOT_OURS: it is not where the recorder says.
 *	Nothing is left behind then.
 */
int harvest_generation(const struct harvest *h, const struct sysfs_generation *gen,
		       const struct side_file *texts, struct harvested *out,
		       struct err *err);

/**
 * harvest_region() - only its region, compressed, to the new file @to
 * @most: bytes that the file may have; 0: any
 *
 * Fills in name, words, stored and unreadable of @out, and leaves the rest alone.
 * Return: as harvest_generation().
 */
int harvest_region(const struct harvest *h, const struct sysfs_generation *gen, int to, u64 most,
		   struct harvested *out, struct err *err);

/**
 * harvest_find_capture() - has a capture kernel saved this generation?
 * @dir: of its captures; it need not be there
 * @name: of the capture
 *
 * A capture is called after the newest generation that it has, the one that crashed.
 */
bool harvest_find_capture(const struct harvest *h, const struct sysfs_generation *gen,
			  const char *dir, char name[SPOOL_NAME]);

#endif
