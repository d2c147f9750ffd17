/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bad pointer that was read from a stack which is not the reader's: a variable of a function that has come back. */
#ifndef EPITAPH_JUDGE_ACCESS_LEFT_STACK_H
#define EPITAPH_JUDGE_ACCESS_LEFT_STACK_H

#include "judge/words.h"

/*
 * The claim, of a module's function: the register from which the pointer was read last, in the order of the instructions, points into
 * the stack of a task that has no function of this module on it, or of one that has ended.
 */
void left_stack_claim(struct explain *explain, const char *place);

/*
 * Where the pointer was read last, nearly, in the order of the instructions, by the register that has that address; and which module's
 * function read it. False: it is of no module, or not known.
 */
bool left_stack_reading(const struct explain *explain, u64 *address, const struct kernel_module **module);

/*
 * Is @address on the stack of a task that sleeps, where none of its functions has a variable now: below them all, or in what only
 * waits? @whose: gets its name
 */
bool left_stack_has(char whose[WORDS_TASK], const struct explain *explain, u64 address);

#endif
