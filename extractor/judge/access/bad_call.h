/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls, jumps and returns to where no code is. */
#ifndef EPITAPH_JUDGE_BAD_CALL_H
#define EPITAPH_JUDGE_BAD_CALL_H

#include "judge/judge.h"

/* No address of the kernel's or of a process's: that much of it is neither all zeros nor all ones. */
bool bad_address_is_none(const struct fault_text *fault);

/* The CPU jumped to the address of the fault. */
void bad_call_claim(struct explain *explain);

/*
 * Of a kernel's function that walks a list of what others gave it, and has come to a pointer that can be none: it is
 * innocent. False: it is not that. @doing: "read at"
 */
bool bad_entry_claim(struct explain *explain, const char *doing);

/* Of a call of NULL by @caller, in whose code the call is seen: the same. */
bool null_entry_claim(struct explain *explain, const char *caller);

/* Of a general protection fault: did a return find an address that can be none? */
bool is_bad_return(const struct explain *explain);
void bad_return_claim(struct explain *explain);

/*
 * Of a jump on arm64: was it a return to an overwritten address? That was read into the link register, where a call leaves
 * an address of code.
 */
bool is_return_of_arm64(const struct explain *explain);
void return_of_arm64_claim(struct explain *explain);

/* Some CPUs refuse a call to what no address can be; others jump there first: makes the first look as the second. Intel's manual, volume 2, CALL. */
void bad_target_take(struct explain *explain);

/* The same of a pointer in memory, which no register has; false: it is not that. */
bool bad_target_claim(struct explain *explain, const char *place);

#endif
