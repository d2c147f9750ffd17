/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The member of an object that had a bad pointer: which functions of the module write there. */
#ifndef EPITAPH_JUDGE_MEMBER_WRITER_H
#define EPITAPH_JUDGE_MEMBER_WRITER_H

#include "fault/member_writers.h"
#include "judge/judge.h"

/*
 * Of the pointer that was NULL or an error number: where it was read, and still is, in an object of the slab or a variable of the module.
 * @offset: of the member, from the start of that: a timer's function, say, has a pointer to the middle of it. False: it is not known.
 */
bool member_writer_find(struct member_writers *writers, u64 *offset, const struct explain *explain);

#endif
