// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loops that are left by what they add up, in code by hand; and those that only look so.
 *
 * build: @extractor
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"
#include "judge/idle_step.h"
#include "tap.h"

#define START	0xffffffffc0400000ULL

#define READ_SUM	0x8b, 0x43, 0x10			/* mov eax, [rbx + 0x10] */
#define READ_OTHER	0x8b, 0x43, 0x14			/* mov eax, [rbx + 0x14] */
#define TEST		0x85, 0xc0				/* test eax, eax */
#define OUT		0x7f, 0x0e				/* jg, to the return */
#define WITHIN		0x7f, 0x06				/* jg, to the store */
#define ADD		0x03, 0x85, 0x1c, 0x01, 0x00, 0x00	/* add eax, [rbp + 0x11c] */
#define ADD_RBX		0x03, 0x83, 0x1c, 0x01, 0x00, 0x00	/* add eax, [rbx + 0x11c] */
#define ADD_NUMBER	0x81, 0xc0, 0x1c, 0x01, 0x00, 0x00	/* add eax, 0x11c */
#define STORE		0x89, 0x43, 0x10			/* mov [rbx + 0x10], eax */
#define NEXT		0x48, 0x8b, 0x1b			/* mov rbx, [rbx] */
#define AGAIN		0xeb, 0xeb				/* to the start */
#define RETURN		0xc3

static bool find(struct idle_step *step, u32 at, const u8 *bytes, u32 len)
{
	struct function_code *code = calloc(1, sizeof(*code));
	bool is;

	code->set = &instruction_set_x86_64;
	code->start = START;
	code->size = code->len = len;
	code->at = at;
	code->is_whole = true;
	memcpy(code->bytes, bytes, len);
	is = idle_step_find(step, code);
	free(code);
	return is;
}

#define FIND(step, at, ...)	find(step, at, (const u8 []){ __VA_ARGS__ }, sizeof((const u8 []){ __VA_ARGS__ }))

static void step__is_what_the_way_out_depends_on(void)
{
	struct idle_step step;

	CHECK(FIND(&step, 3, READ_SUM, TEST, OUT, ADD, STORE, NEXT, AGAIN, RETURN) && step.base == 5 && step.offset == 0x11c && step.size == 4 &&
		      step.sum_base == 3 && step.sum_offset == 0x10, "it adds 0x11c of RBP to 0x10 of RBX");
}

static void step__of_another_place_decides_nothing(void)
{
	struct idle_step step;

	CHECK(!FIND(&step, 3, READ_OTHER, TEST, OUT, ADD, STORE, NEXT, AGAIN, RETURN), "another member is tested");
	CHECK(!FIND(&step, 3, READ_SUM, TEST, WITHIN, ADD, STORE, NEXT, AGAIN, RETURN), "the test leads to another place of the loop");
	CHECK(!FIND(&step, 3, READ_SUM, NEXT, OUT, ADD, STORE, TEST, 0x90, AGAIN, RETURN), "it is not tested there");
}

static void step__that_changes_is_none(void)
{
	struct idle_step step;

	CHECK(!FIND(&step, 3, READ_SUM, TEST, OUT, ADD_RBX, STORE, NEXT, AGAIN, RETURN), "of each entry another one");
	CHECK(!FIND(&step, 3, READ_SUM, TEST, OUT, ADD_NUMBER, STORE, NEXT, AGAIN, RETURN), "a number is never 0");
}

static void step__behind_the_loop_is_of_another(void)
{
	struct idle_step step;

	CHECK(!FIND(&step, 21, READ_SUM, TEST, OUT, ADD, STORE, NEXT, AGAIN, RETURN), "it had left that loop");
}

#define LOAD		0x0f, 0xb7, 0x45, 0x02			/* movzx eax, word [rbp + 2] */
#define SUM		0x01, 0xc3				/* add ebx, eax */
#define COMPARE		0x44, 0x39, 0xe3			/* cmp ebx, r12d */
#define CALL		0xe8, 0, 0, 0x10, 0
#define BELOW		0x72, 0xf0				/* jb, to the start */

static void step__of_a_sum_in_a_register(void)
{
	struct idle_step step;

	CHECK(FIND(&step, 5, CALL, LOAD, SUM, COMPARE, BELOW, RETURN) && step.base == 5 && step.offset == 2 && step.size == 2 && step.sum_base == 3 && !step.sum_size,
	      "it adds 2 bytes at 2 of RBP to RBX, and ends by that");
	/* add ebx, 1 */
	CHECK(!FIND(&step, 5, CALL, 0x83, 0xc3, 1, 0x90, SUM, COMPARE, 0x72, 0xf0, RETURN), "a number is added");
	/* inc ebx in the loop, too */
	CHECK(!FIND(&step, 5, CALL, 0xff, 0xc3, LOAD, SUM, COMPARE, 0x72, 0xee, RETURN), "it counts in another way, too");
	/* cmp eax, r12d */
	CHECK(!FIND(&step, 5, CALL, LOAD, SUM, 0x44, 0x39, 0xe0, BELOW, RETURN), "another one is compared");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(step__is_what_the_way_out_depends_on);
	TAP_RUN(step__of_another_place_decides_nothing);
	TAP_RUN(step__that_changes_is_none);
	TAP_RUN(step__behind_the_loop_is_of_another);
	TAP_RUN(step__of_a_sum_in_a_register);
	instruction_finish();
	return tap_done();
}
