// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether code still needs a register: on any way, in any of its parts.
 *
 * build: @extractor
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"
#include "fault/register_use.h"
#include "tap.h"

#define RBX	3
#define R12	12

static bool needs(s32 reg, const u8 *bytes, u32 len)
{
	struct function_code *code = calloc(1, sizeof(*code));
	bool is;

	code->set = &instruction_set_x86_64;
	code->start = 0xffffffffc0400000ULL;
	code->size = code->len = len;
	code->is_whole = true;
	memcpy(code->bytes, bytes, len);
	is = register_is_needed(code, 0, reg);
	free(code);
	return is;
}

#define NEEDS(reg, ...)	needs(reg, (const u8 []){ __VA_ARGS__ }, sizeof((const u8 []){ __VA_ARGS__ }))

#define POP_RBX		0x5b
#define POP_R12		0x41, 0x5c
#define RET		0xc3
#define XOR_EBX		0x31, 0xdb		/* xor ebx, ebx */
#define LOAD_RBX	0x48, 0x8b, 0x5d, 0x00	/* mov rbx, [rbp] */
#define NEXT_RBX	0x48, 0x8b, 0x1b	/* mov rbx, [rbx] */
#define GIVE_RBX	0x48, 0x89, 0xdf	/* mov rdi, rbx */
#define ADD_BL		0x80, 0xc3, 0x01	/* add bl, 1 */
#define MOV_BL		0xb3, 0x01		/* mov bl, 1 */
#define ZERO_R12D	0x45, 0x31, 0xe4	/* xor r12d, r12d */
#define GIVE_R12W	0x66, 0x44, 0x89, 0x27	/* mov [rdi], r12w */

static void use__what_is_written_first_is_not_needed(void)
{
	CHECK(!NEEDS(RBX, POP_RBX, RET), "it gets the caller's");
	CHECK(!NEEDS(RBX, XOR_EBX, GIVE_RBX, POP_RBX, RET), "0");
	CHECK(!NEEDS(RBX, LOAD_RBX, GIVE_RBX, POP_RBX, RET), "a load");
	CHECK(!NEEDS(R12, ZERO_R12D, GIVE_R12W, POP_R12, RET), "of the new ones");
	CHECK(!NEEDS(RBX, GIVE_R12W, RET), "another one is read");
}

static void use__what_is_read_first_is_needed(void)
{
	CHECK(NEEDS(RBX, GIVE_RBX, POP_RBX, RET), "it is given");
	CHECK(NEEDS(RBX, NEXT_RBX, RET), "it is read to be written");
	CHECK(NEEDS(RBX, ADD_BL, POP_RBX, RET), "a part of it");
	CHECK(NEEDS(RBX, MOV_BL, POP_RBX, RET), "of which a part is written, the rest stays");
	CHECK(NEEDS(R12, GIVE_R12W, POP_R12, RET), "of the new ones");
}

/* je over "pop rbx; ret" to what reads it */
static void use__each_way_counts(void)
{
	CHECK(NEEDS(RBX, 0x74, 0x02, POP_RBX, RET, GIVE_RBX, RET), "one way reads it");
	CHECK(!NEEDS(RBX, 0x74, 0x02, POP_RBX, RET, XOR_EBX, RET), "none does");
	CHECK(!NEEDS(RBX, 0xeb, 0xfe), "a circle ends");
	CHECK(NEEDS(RBX, 0x90), "the code ends before it is seen");
	CHECK(NEEDS(RBX, 0x0f), "what is no instruction");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(use__what_is_written_first_is_not_needed);
	TAP_RUN(use__what_is_read_first_is_needed);
	TAP_RUN(use__each_way_counts);
	instruction_finish();
	return tap_done();
}
