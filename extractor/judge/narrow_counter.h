/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A loop that is to end when a counter gets to a number, and the counter is too narrow for that. */
#ifndef EPITAPH_JUDGE_NARROW_COUNTER_H
#define EPITAPH_JUDGE_NARROW_COUNTER_H

#include "judge.h"

/**
 * struct narrow_counter - what such a loop compares a counter of 8 bits with
 * @bound: the register that has it, by its number
 * @from: @has_from: of what memory that was read right before, behind a register that the loop keeps
 */
struct narrow_counter {
	s32 bound;
	bool has_from;
	struct instruction_access from;
};

/* The loop of @code, which was at its @at. Whether the number is above 255 the registers or the memory say. False: it has none such. */
bool narrow_counter_find(struct narrow_counter *ret, const struct function_code *code);

/* Of the place of the report: is that number above 255? */
bool narrow_counter_ask(u64 *bound, const struct explain *explain);

/* The claim of the report's place, which does not come to an end. True: it is such a loop. */
bool narrow_counter_claim(struct explain *explain);

#endif
