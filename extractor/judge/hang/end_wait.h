/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU that waits, in a loop of the kernel's, for the end of a timer's function, a tasklet's or an interrupt handler. */
#ifndef EPITAPH_JUDGE_END_WAIT_H
#define EPITAPH_JUDGE_END_WAIT_H

#include "judge/judge.h"

/*
 * After the claim that CPU @cpu, of the report, did nothing else: it, or the other CPU that does something, waits for the end of what
 * the other one runs, or of what it runs itself. False: neither does, or that is not known.
 */
bool end_wait_claim(struct explain *explain, u32 cpu);

#endif
