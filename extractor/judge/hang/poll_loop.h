/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A loop without an end that reads one place of memory again and again: where that is, and what it has. */
#ifndef EPITAPH_JUDGE_HANG_POLL_LOOP_H
#define EPITAPH_JUDGE_HANG_POLL_LOOP_H

#include "judge/judge.h"

/* Of the place of the report: what its loop polls, as evidence, and in what the claim leaves open. By the code that is here. */
void poll_loop_add(struct explain *explain);

#endif
