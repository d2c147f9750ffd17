/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this machine records now, and how large a region that asks for. */
#ifndef EPITAPH_SPOOL_RECORDER_LOAD_H
#define EPITAPH_SPOOL_RECORDER_LOAD_H

#include "ring_rates.h"

/**
 * struct load_question - how large a region must be
 * @for_ns: of this machine's load; 0: not asked
 * @measure_ns: how long to look
 */
struct load_question {
	u64 for_ns;
	u64 measure_ns;
	const char *sysfs;
	const char *device;
};

#define LOAD_QUESTION \
	{ 0, 10000000000ULL, "/sys/kernel/epitaph", "/dev/epitaph-control" }

struct load_answer {
	struct ring_rates rates;
	u64 region;
};

/* Return: 0, or an error; load_free() in either case. */
int load_measure(struct load_answer *load, const struct load_question *question, struct err *err);
void load_free(struct load_answer *load);

#endif
