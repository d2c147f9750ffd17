/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The word that guards a function's return address, of x86-64: each CPU has the task's canary at offset 40 of its area. */
#ifndef EPITAPH_JUDGE_ACCESS_STACK_GUARD_H
#define EPITAPH_JUDGE_ACCESS_STACK_GUARD_H

#include "judge/judge.h"

enum stack_guard {
	GUARD_NOT_KNOWN,
	GUARD_OF_STACK,
	GUARD_OF_CPU,
};

/*
 * Which of the two words was changed? Of GUARD_OF_CPU it claims that. By a dump alone: the task's canary is there, and
 * what the function that found it has on its stack. Other machines have no word of the CPU.
 */
enum stack_guard stack_guard_ask(struct explain *explain);

#endif
