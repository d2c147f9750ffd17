// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an instruction of arm64 reads, writes and jumps to. The words are those that binutils' assembler makes of the text
 * beside each.
 *
 * build: @extractor
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "instruction/instruction.h"
#include "tap.h"

#define AT	0xffff800080001000ULL
#define NONE	INSTRUCTION_NO_REGISTER
#define SP	31
#define X(n)	(1U << (n))

static struct instruction one;

static bool decode(u32 word)
{
	word = htole32(word);
	return instruction_decode(&one, &instruction_set_arm64, (const u8 *)&word, sizeof(word), AT) && one.len == 4;
}

struct memory_case {
	const char *text;
	u32 word;
	s32 base, index;
	u8 scale, size;
	bool reads, writes;
	s64 offset;
	u32 written;
};

static void instruction__memory_that_is_used_is_seen(void)
{
	static const struct memory_case cases[] = {
		{ "ldr x1, [x0, #0x18]", 0xf9400c01, 0, NONE, 0, 8, true, false, 0x18, X(1) },
		{ "ldr x1, [x0, x2, lsl #3]", 0xf8627801, 0, 2, 8, 8, true, false, 0, X(1) },
		{ "ldrh w0, [x1, w2, uxtw #1]", 0x78625820, 1, 2, 2, 2, true, false, 0, X(0) },
		{ "ldrb w3, [x4, w5, sxtw]", 0x3865c883, 4, 5, 1, 1, true, false, 0, X(3) },
		{ "ldrsw x2, [x0, #0x10]", 0xb9801002, 0, NONE, 0, 4, true, false, 0x10, X(2) },
		{ "ldp x29, x30, [sp], #0x20", 0xa8c27bfd, SP, NONE, 0, 8, true, false, 0, X(29) | X(30) | X(31) },
		{ "stp x29, x30, [sp, #-0x30]!", 0xa9bd7bfd, SP, NONE, 0, 8, false, true, -0x30, X(31) },
		{ "strb w3, [x0], #1", 0x38001403, 0, NONE, 0, 1, false, true, 0, X(0) },
		{ "stur x3, [x29, #-8]", 0xf81f83a3, 29, NONE, 0, 8, false, true, -8, 0 },
		{ "ldar x5, [x4]", 0xc8dffc85, 4, NONE, 0, 8, true, false, 0, X(5) },
		{ "ldapr w1, [x0]", 0xb8bfc001, 0, NONE, 0, 4, true, false, 0, X(1) },
		{ "ldaddal w1, w0, [x2]", 0xb8e10040, 2, NONE, 0, 4, true, true, 0, X(0) },
		{ "casal x1, x2, [x3]", 0xc8e1fc62, 3, NONE, 0, 8, true, true, 0, X(1) },
		{ "swpb w23, w3, [x1]", 0x38378023, 1, NONE, 0, 1, true, true, 0, X(3) },
		{ "ldr q0, [x1, #0x20]", 0x3dc00820, 1, NONE, 0, 16, true, false, 0x20, 0 },
		{ "ldxp x0, x1, [x2]", 0xc87f0440, 2, NONE, 0, 16, true, false, 0, X(0) | X(1) },
	};

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct memory_case *c = &cases[i];
		const struct instruction_access *a = &one.accesses[0];

		CHECK(decode(c->word) && !strcmp(one.text, c->text), "%s: \"%s\"", c->text, one.text);
		CHECK(one.nr_accesses && a->base == c->base && a->index == c->index && a->scale == c->scale && a->size == c->size &&
		      a->offset == c->offset, "%s: base %d, index %d * %u, %u bytes at %lld", c->text, a->base, a->index, a->scale, a->size, (long long)a->offset);
		CHECK(a->reads == c->reads && a->writes == c->writes && one.written == c->written, "%s: writes %x", c->text, one.written);
	}
	decode(0x78625820);
	CHECK(one.accesses[0].index_as == INDEX_UNSIGNED_HALF, "uxtw");
	decode(0x3865c883);
	CHECK(one.accesses[0].index_as == INDEX_SIGNED_HALF, "sxtw");
	CHECK(decode(0xf9800000) && !one.nr_accesses, "prfm does not fault");
	CHECK(decode(0x58000100) && one.effect == INSTRUCTION_VARIABLE && one.plus == (s64)(AT + 0x20), "ldr x0, .+0x20");
}

static void instruction__what_is_stored_is_seen(void)
{
	CHECK(decode(0xf900641f) && one.accesses[0].stores == STORED_ZERO && one.accesses[0].offset == 0xc8, "str xzr, [x0, #0xc8]");
	CHECK(decode(0x089ffc1f) && one.accesses[0].stores == STORED_ZERO && one.accesses[0].size == 1, "stlrb wzr, [x0]");
	CHECK(decode(0x38001403) && one.accesses[0].stores == STORED_REGISTER && one.accesses[0].stored == 3, "strb w3, [x0], #1");
	CHECK(decode(0xa9007e7f) && one.nr_accesses == 2 && one.accesses[1].stores == STORED_ZERO && one.accesses[1].offset == 8, "stp xzr, xzr, [x19]");
	CHECK(decode(0xb8e10040) && one.accesses[0].stores == STORED_OTHER, "ldaddal w1, w0, [x2]");
}

static void check_effect(u32 word, enum instruction_effect effect, s32 to, s32 from, s64 plus, const char *text)
{
	CHECK(decode(word) && one.effect == effect, "%s: effect %d", text, one.effect);
	if (effect != INSTRUCTION_OTHER)
		CHECK(one.to == to && one.from == from && one.plus == plus, "%s: %d of %d and %lld", text, one.to, one.from, (long long)one.plus);
}

static void instruction__what_a_register_gets_is_seen(void)
{
	check_effect(0xf9400c01, INSTRUCTION_LOAD, 1, 0, 0x18, "ldr x1, [x0, #0x18]");
	check_effect(0xa9410660, INSTRUCTION_LOAD, 0, 19, 0x10, "ldp x0, x1, [x19, #0x10]");
	CHECK(one.second == 1, "x1 gets the next 8 bytes");
	check_effect(0xaa0003f3, INSTRUCTION_COPY, 19, 0, 0, "mov x19, x0");
	check_effect(0x2a0003f3, INSTRUCTION_OTHER, 0, 0, 0, "mov w19, w0");
	check_effect(0x91004260, INSTRUCTION_COPY, 0, 19, 0x10, "add x0, x19, #0x10");
	check_effect(0xd1400660, INSTRUCTION_COPY, 0, 19, -0x1000, "sub x0, x19, #1, lsl #12");
	check_effect(0x11001260, INSTRUCTION_OTHER, 0, 0, 0, "add w0, w19, #4");
	check_effect(0xd28000a0, INSTRUCTION_NUMBER, 0, NONE, 5, "mov x0, #5");
	check_effect(0x12800000, INSTRUCTION_NUMBER, 0, NONE, 0xffffffff, "mov w0, #-1");
	check_effect(0xf2a00020, INSTRUCTION_OTHER, 0, 0, 0, "movk x0, #1, lsl #16");
	check_effect(0x90000000, INSTRUCTION_PAGE, 0, NONE, (s64)AT, "adrp x0, .");
	check_effect(0x10000041, INSTRUCTION_ADDRESS, 1, NONE, (s64)AT + 8, "adr x1, .+8");
	check_effect(0xd5384100, INSTRUCTION_OF_TASK, 0, NONE, 0, "mrs x0, sp_el0");
	check_effect(0xd538d081, INSTRUCTION_OTHER, 0, 0, 0, "mrs x1, tpidr_el1");
}

static void instruction__what_is_changed_is_seen(void)
{
	static const struct { const char *text; u32 word, written; } cases[] = {
		{ "cmp x19, x20", 0xeb14027f, 0 }, { "cmp w19, #0x10", 0x7100427f, 0 }, { "ccmp w19, #0, #4, eq", 0x7a400a64, 0 },
		{ "adds w19, w19, #0x10", 0x31004273, X(19) }, { "tst x1, #1", 0xf240003f, 0 }, { "and sp, x1, #-16", 0x927cec3f, X(31) },
		{ "msr icc_eoir1_el1, x0", 0xd518cc20, 0 }, { "movk x0, #1, lsl #16", 0xf2a00020, X(0) }, { "mrs x1, tpidr_el1", 0xd538d081, X(1) },
		{ "bl .+0x100", 0x94000040, 0x7ffff | X(30) }, { "hvc #0", 0xd4000002, 0x7ffff | X(30) }, { "autiasp", 0xd50323bf, X(17) | X(30) }, { "nop", 0xd503201f, 0 }, { "add w0, w19, #4", 0x11001260, X(0) },
	};

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK(decode(cases[i].word) && one.written == cases[i].written, "%s: writes %x", cases[i].text, one.written);
	CHECK(decode(0xeb14027f) && one.compared[0] == 19 && one.compared[1] == 20, "cmp x19, x20");
	CHECK(decode(0xf100427f) && one.compared[0] == 19 && one.compared[1] == NONE && one.number == 0x10, "cmp x19, #0x10");
	CHECK(decode(0x7100427f) && one.compared[0] == NONE, "half of a register is no pointer");
}

static void instruction__where_it_goes_on_is_seen(void)
{
	static const struct { const char *text; u32 word; bool jumps, calls, goes_on; enum instruction_condition condition; s64 target; s32 called; } cases[] = {
		{ "b .+8", 0x14000002, true, false, false, CONDITION_OTHER, 8, NONE }, { "b.ne .-8", 0x54ffffc1, true, false, true, CONDITION_NOT_ZERO, -8, NONE },
		{ "cbz w0, .+8", 0x34000040, true, false, true, CONDITION_ZERO, 8, NONE }, { "cbnz x0, .+8", 0xb5000040, true, false, true, CONDITION_NOT_ZERO, 8, NONE },
		{ "tbz w0, #0, .+8", 0x36000040, true, false, true, CONDITION_ZERO, 8, NONE }, { "tbnz w0, #31, .+8", 0x37f80040, true, false, true, CONDITION_OTHER, 8, NONE },
		{ "bl .+0x100", 0x94000040, false, true, true, CONDITION_OTHER, 0x100, NONE }, { "blr x2", 0xd63f0040, false, true, true, CONDITION_OTHER, 0, 2 },
		{ "br x16", 0xd61f0200, true, false, false, CONDITION_OTHER, 0, 16 }, { "ret", 0xd65f03c0, false, false, false, CONDITION_OTHER, 0, NONE },
		{ "udf #0", 0, false, false, false, CONDITION_OTHER, 0, NONE }, { "brk #0x800", 0xd4210000, false, false, true, CONDITION_OTHER, 0, NONE }, { "paciasp", 0xd503233f, false, false, true, CONDITION_OTHER, 0, NONE },
	};

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK(decode(cases[i].word) && one.jumps == cases[i].jumps && one.is_call == cases[i].calls && one.goes_on == cases[i].goes_on &&
		      one.condition == cases[i].condition && one.called == cases[i].called, "%s", cases[i].text);
		CHECK(one.target == (cases[i].target ? AT + (u64)cases[i].target : 0), "%s: to %llx", cases[i].text, (unsigned long long)one.target);
	}
	CHECK(decode(0x34000040) && one.tested == 0 && decode(0xb4000053) && one.tested == 19 && decode(0x54ffffc1) && one.tested == NONE, "what is tested");
	CHECK(decode(0xd4210000) && one.is_bug && !one.is_trap, "BUG()");
	CHECK(decode(0xd4200080) && one.is_trap && !one.is_bug, "a kprobe");
	CHECK(decode(0xd503203f) && one.pauses, "yield");
}

static void instruction__any_word_is_survived(void)
{
	srand(1);
	for (u32 i = 0; i < 200000; i++) {
		if (!decode((u32)rand() << 16 ^ (u32)rand()))
			continue;
		if (one.nr_accesses > INSTRUCTION_ACCESSES || (one.effect != INSTRUCTION_OTHER && (one.to < 0 || one.to > SP || !(one.written & X(one.to)))) ||
		    one.second > SP || (one.effect == INSTRUCTION_LOAD && (one.from < 0 || one.from > SP)) ||
		    (one.effect == INSTRUCTION_COPY && (one.from < 0 || one.from > SP)))
			CHECK(false, "%s: effect %d, to %d, from %d, writes %x", one.text, one.effect, one.to, one.from, one.written);
	}
	CHECK(!instruction_decode(&one, &instruction_set_arm64, (const u8 *)"\x01\x0c\x40", 3, AT), "a part of one");
	CHECK(!instruction_decode(&one, NULL, (const u8 *)"\x01\x0c\x40\xf9", 4, AT), "of no set");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(instruction__memory_that_is_used_is_seen);
	TAP_RUN(instruction__what_is_stored_is_seen);
	TAP_RUN(instruction__what_a_register_gets_is_seen);
	TAP_RUN(instruction__what_is_changed_is_seen);
	TAP_RUN(instruction__where_it_goes_on_is_seen);
	TAP_RUN(instruction__any_word_is_survived);
	instruction_finish();
	return tap_done();
}
