/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small pieces of sentences that several parts of a report have in common. */
#ifndef EPITAPH_REPORT_PHRASE_H
#define EPITAPH_REPORT_PHRASE_H

#include <stdio.h>

#include "base/text.h"
#include "timeline/postmortem.h"

/* The plural of a noun that follows the number @n. */
static inline const char *plural(u64 n)
{
	return n == 1 ? "" : "s";
}

/* A time of CLOCK_MONOTONIC before or after the end: "T-1.234567" or "T+1.234567". */
static inline void put_ago(FILE *f, const struct postmortem *pm, u64 time)
{
	u64 end = pm->end.time;
	char buf[40];

	text_seconds(buf, sizeof(buf), time <= end ? end - time : time - end, false);
	fprintf(f, "T%c%s", time <= end ? '-' : '+', buf);
}

#endif
