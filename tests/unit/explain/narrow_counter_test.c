// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loops that end when a counter of 8 bits gets to a number, in code by hand; and those that only look so.
 *
 * build: @extractor
 */
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"
#include "judge/narrow_counter.h"
#include "tap.h"

#define START	0xffffffffc0400000ULL

#define BODY	0x83, 0xc0, 0x01			/* add eax, 1 */
#define BOUND	0x0f, 0xb7, 0x57, 0x04			/* movzx edx, word [rdi + 4] */
#define BYTE	0x0f, 0xb6, 0xc8			/* movzx ecx, al */
#define WORD	0x0f, 0xb7, 0xc8			/* movzx ecx, ax */
#define COMPARE	0x66, 0x39, 0xd1			/* cmp cx, dx */
#define RETURN	0xc3

static bool find(struct narrow_counter *counter, u32 at, const u8 *bytes, u32 len)
{
	struct function_code *code = calloc(1, sizeof(*code));
	bool is;

	code->set = &instruction_set_x86_64;
	code->start = START;
	code->size = code->len = len;
	code->at = at;
	code->is_whole = true;
	memcpy(code->bytes, bytes, len);
	is = narrow_counter_find(counter, code);
	free(code);
	return is;
}

#define FIND(counter, at, ...)	find(counter, at, (const u8 []){ __VA_ARGS__ }, sizeof((const u8 []){ __VA_ARGS__ }))

static void counter__of_eight_bits(void)
{
	struct narrow_counter counter;

	CHECK(FIND(&counter, 0, BODY, BOUND, BYTE, COMPARE, 0x72, 0xf1, RETURN) && counter.bound == 2 && counter.has_from && counter.from.base == 7 &&
		      counter.from.offset == 4 && counter.from.size == 2, "the number is read each time");
	CHECK(FIND(&counter, 0, BODY, BYTE, COMPARE, 0x72, 0xf5, RETURN) && counter.bound == 2 && !counter.has_from, "it is in a register");
	CHECK(FIND(&counter, 0, BODY, BYTE, COMPARE, 0x73, 0x02, 0xeb, 0xf3, RETURN), "the way out lies behind");
}

static void counter__of_another_kind_ends(void)
{
	struct narrow_counter counter;

	CHECK(!FIND(&counter, 0, BODY, WORD, COMPARE, 0x72, 0xf5, RETURN), "of 16 bits");
	/* cmp dx, cx */
	CHECK(!FIND(&counter, 0, BODY, BYTE, 0x66, 0x39, 0xca, 0x72, 0xf5, RETURN), "the other way round");
	CHECK(!FIND(&counter, 0, BODY, BYTE, COMPARE, 0x77, 0xf5, RETURN), "it goes on above");
	/* mov edx, ecx */
	CHECK(!FIND(&counter, 0, BODY, 0x89, 0xca, BYTE, COMPARE, 0x72, 0xf3, RETURN), "the number is of the loop");
	CHECK(!FIND(&counter, 11, BODY, BYTE, COMPARE, 0x72, 0xf5, RETURN), "it had left the loop");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(counter__of_eight_bits);
	TAP_RUN(counter__of_another_kind_ends);
	instruction_finish();
	return tap_done();
}
