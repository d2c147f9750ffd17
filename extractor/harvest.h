/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One generation of an earlier boot into a directory of its own; docs/harvest.md. */
#ifndef EPITAPH_HARVEST_H
#define EPITAPH_HARVEST_H

#include "earlier.h"

#define HARVEST_REGION	"region"

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
 * struct harvest_text - a text that is made of a saved region
 * @name: of its file
 * @make: writes it to standard output; runs in a process of its own, in the
 *	directory of the region, and returns an exit status
 */
struct harvest_text {
	const char *name;
	int (*make)(void);
};

/**
 * struct harvested - what became of one generation
 * @name: of its directory
 * @words: how it ended, escaped; "" if it cannot be read
 * @was_there: the same bytes had been saved before
 * @damaged: a text tells of damage or loss
 * @lacks: a text that could not be written, or NULL
 */
struct harvested {
	char name[96];
	char words[800];
	bool was_there;
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
int harvest_generation(const struct harvest *h, const struct earlier *gen,
		       const struct harvest_text *texts, struct harvested *out,
		       struct err *err);

/* Removes what harvests left that were stopped. */
void harvest_clean(int dir, const struct harvest_text *texts);

#endif
