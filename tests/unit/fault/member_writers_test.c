// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Has a function that sleeps come by an instruction of it? Functions by hand.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdlib.h>
#include <string.h>

#include "fault/member_writers.h"
#include "instruction/instruction.h"
#include "tap.h"

#define START	0xffffffffc0400000ULL

#define CLEAR	0x48, 0xc7, 0x47, 0x08, 0, 0, 0, 0	/* mov qword [rdi + 8], 0 */
#define SLEEP	0xe8, 0, 0x10, 0, 0			/* call */
#define RETURN	0xc3

static bool came_by(u32 cleared_at, u32 ip, const u8 *bytes, u32 len)
{
	struct function_code *code = calloc(1, sizeof(*code));
	bool is;

	code->set = &instruction_set_x86_64;
	code->start = START;
	code->size = code->len = len;
	code->is_whole = true;
	memcpy(code->bytes, bytes, len);
	is = member_writers_came_by(code, START + cleared_at, START + ip);
	free(code);
	return is;
}

#define CODE(...)	((const u8 []){ __VA_ARGS__ }), sizeof((const u8 []){ __VA_ARGS__ })

static void writers__a_straight_way_comes_by(void)
{
	CHECK(came_by(0, 13, CODE(CLEAR, SLEEP, RETURN)), "it sleeps behind it");
	CHECK(!came_by(5, 5, CODE(SLEEP, CLEAR, RETURN)), "it sleeps in front of it");
}

static void writers__a_way_around_it_may_not_have(void)
{
	/* test rsi, rsi; je: behind the write */
	CHECK(!came_by(5, 18, CODE(0x48, 0x85, 0xf6, 0x74, 8, CLEAR, SLEEP, RETURN)), "a jump over it");
	/* test rsi, rsi; je: to the return */
	CHECK(came_by(5, 18, CODE(0x48, 0x85, 0xf6, 0x74, 13, CLEAR, SLEEP, RETURN)), "a jump to the end");
	/* test rsi, rsi; je: behind the sleep, and from there back to it */
	CHECK(!came_by(5, 18, CODE(0x48, 0x85, 0xf6, 0x74, 13, CLEAR, SLEEP, 0xeb, 0xf9, RETURN)), "and back");
	/* a loop around both */
	CHECK(came_by(0, 13, CODE(CLEAR, SLEEP, 0xeb, 0xf1, RETURN)), "a loop comes by it in each round");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(writers__a_straight_way_comes_by);
	TAP_RUN(writers__a_way_around_it_may_not_have);
	return tap_done();
}
