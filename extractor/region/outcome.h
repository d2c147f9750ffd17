/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a generation ended, and where it was saved. */
#ifndef EPITAPH_REGION_OUTCOME_H
#define EPITAPH_REGION_OUTCOME_H

#include "generation.h"

enum outcome_end {
	OUTCOME_UNKNOWN,	/* no record of an end: stopped suddenly, or still recording */
	OUTCOME_CRASHED,	/* there is a crash stamp */
	OUTCOME_ENDED,		/* in order: restart, halt, the recorder unloaded */
};

struct outcome_taken {
	bool is;
	u64 real_ns;
	char where[89];
};

/**
 * struct outcome - how one generation ended
 * @clock: of the stamp or of the mark that ended it, on @cpu
 * @real_ns: the same as UTC
 * @why: text of the kernel or of the mark; not escaped
 * @taken: by enum epitaph_taken_how
 */
struct outcome {
	enum outcome_end end;
	u64 clock;
	u32 cpu;
	u64 real_ns;
	char why[457];
	struct outcome_taken taken[EPITAPH_NR_TAKEN];
};

/* Does not note damage: recording_open() does. */
void outcome_read(struct outcome *outcome, const struct generation *generation);

/* "crashed 2026-11-20 23:41:07 UTC: Kernel panic; harvested to /var/...", escaped. */
void outcome_words(char *buf, size_t size, const struct outcome *outcome);

/* "crashed", "ended", "unknown"; for programs. */
const char *outcome_name(const struct outcome *outcome);

#endif
