/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of a generation: how it ended, and who has it by now. */
#ifndef EPITAPH_REGION_OUTCOME_H
#define EPITAPH_REGION_OUTCOME_H

#include "generation.h"

enum outcome_end {
	OUTCOME_UNKNOWN,		/* it says nothing: stopped without a word, or still recording */
	OUTCOME_CRASHED,		/* there is a crash stamp */
	OUTCOME_ENDED,		/* in order: restart, halt, the recorder unloaded */
};

struct outcome_taken {
	bool is;
	u64 real_ns;
	char where[89];
};

/**
 * struct outcome - as told by one generation
 * @clock: of the stamp or of the mark that ended it
 * @real_ns: the same as UTC
 * @why: the kernel's words, or those of the mark; not escaped
 * @taken: by enum epitaph_taken_how
 */
struct outcome {
	enum outcome_end end;
	u64 clock;
	u64 real_ns;
	char why[457];
	struct outcome_taken taken[EPITAPH_NR_TAKEN];
};

/* Damage is not noted: whoever reads the generation notes it. */
void outcome_read(struct outcome *fate, const struct generation *generation);

/* "crashed 2026-11-20 23:41:07 UTC: Kernel panic; harvested to /var/...", escaped. */
void outcome_words(char *buf, size_t size, const struct outcome *fate);

/* "crashed", "ended", "unknown"; for programs. */
const char *outcome_name(const struct outcome *fate);

#endif
