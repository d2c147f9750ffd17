/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the kernel by which many crashes go: their names say nothing of the cause. */
#ifndef EPITAPH_JUDGE_PLUMBING_H
#define EPITAPH_JUDGE_PLUMBING_H

#include "base/types.h"

/* Functions by which every crash goes: panic(), exceptions, dump_stack(). */
bool plumbing_is_of_dying(const char *function);

/* Functions in which a CPU waits for a spinlock. */
bool plumbing_is_of_spinning(const char *function);

/*
 * Of these, functions that take a lock which is free, and call what waits where it is not: so it is on x86-64 and arm64, since 4.19. A CPU
 * that is in one of them, and in nothing that this called, does not wait.
 */
bool plumbing_is_of_taking(const char *function);

/* Functions in which a CPU lets a short time pass: udelay() and what it calls. */
bool plumbing_is_of_delay(const char *function);

/* Functions in which tasks sleep and CPUs spin: they do not say what for. */
bool plumbing_is_of_waiting(const char *function);

/* Functions that check lists, counters and memory for their callers, and those that find none. */
bool plumbing_is_of_checking(const char *function);

/* Functions of a tracepoint: they read what the function with it was given, the recorder's too. */
bool plumbing_is_of_tracing(const char *function);

/* Any of these. */
bool plumbing_has(const char *function);

/* Does @function begin with one of the @words, up to a NULL? */
bool plumbing_begins(const char *function, const char *const *words);

#endif
