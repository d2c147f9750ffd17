/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of a generation: how it ended, and who has it by now. */
#ifndef EPITAPH_REGION_OUTCOME_H
#define EPITAPH_REGION_OUTCOME_H

#include "generation.h"

enum fate_end {
	FATE_UNKNOWN,		/* it says nothing: stopped without a word, or still recording */
	FATE_CRASHED,		/* there is a crash stamp */
	FATE_ENDED,		/* in order: restart, halt, the recorder unloaded */
};

struct fate_taken {
	bool is;
	u64 real_ns;
	char where[89];
};

/**
 * struct fate - as told by one generation
 * @clock: of the stamp or of the mark that ended it
 * @real_ns: the same as UTC
 * @why: the kernel's words, or those of the mark; not escaped
 * @taken: by enum epitaph_taken_how
 */
struct fate {
	enum fate_end end;
	u64 clock;
	u64 real_ns;
	char why[457];
	struct fate_taken taken[EPITAPH_NR_TAKEN];
};

/* Damage is not noted: whoever reads the generation notes it. */
void fate_read(struct fate *fate, const struct region *region);

/* "crashed 2026-11-20 23:41:07 UTC: Kernel panic; harvested to /var/...", escaped. */
void fate_words(char *buf, size_t size, const struct fate *fate);

/* "crashed", "ended", "unknown"; for programs. */
const char *fate_name(const struct fate *fate);

#endif
