/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the eight bytes of a bad pointer are: text, or one byte that filled them. */
#ifndef EPITAPH_JUDGE_POINTER_BYTES_H
#define EPITAPH_JUDGE_POINTER_BYTES_H

#include "judge/finding.h"
#include "judge/judge.h"

#define LETTERS_WORDS	48
#define RUN_WORDS	40
#define FILLING_WORDS	(FINDING_TEXT / 2)

/* ": the pointer is the text \"OVERFLOW\"", or the address, if no pointer is known, and if the eight bytes are, in the order of memory; or "". */
void pointer_bytes_letters(char text[LETTERS_WORDS], const struct explain *explain);

/*
 * The text that goes on over the pointer where it was read, in an object of the slab, and still is: it begins @from behind the start of
 * that, in front of the pointer, which lies @at. False: it does not, or that is not known.
 */
bool pointer_bytes_run(char text[RUN_WORDS], u32 *from, u32 *at, const struct explain *explain);

/* ": it is the byte 0x72, eight times, ..."; or "" */
void pointer_bytes_filling(char text[FILLING_WORDS], const struct explain *explain);

/*
 * An offset of 32 bits was extended with its sign: is 4 GiB behind the pointer an area of vmalloc() or an object in use, to
 * which a register points, or what a register points to? By a dump alone. @doing: "read at"
 */
bool pointer_bytes_claim_sign(struct explain *explain, const char *place, const char *doing);

/*
 * The index has the sign bit of 32 bits, and is small without it: is that of the variable or the object in use to which the base points? By
 * a dump alone.
 */
bool pointer_bytes_claim_index(struct explain *explain, const char *place, const char *doing);

/*
 * A counter of 32 bits counted in the upper half of the pointer: is the object in use that begins at the same lower half, and did no more
 * than a few counts lead from there? By a dump alone.
 */
bool pointer_bytes_claim_upper(struct explain *explain, const char *place, const char *doing);

/*
 * The bad pointer is smaller than the address of any program, and memory has it still where it was read: it is no NULL pointer to which
 * something was added. By a dump alone. @is_percpu: each CPU has memory at that offset
 */
bool pointer_bytes_claim_number(struct explain *explain, const char *place, const char *doing, bool is_percpu);

#endif
