// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions of arm64 by hand: where registers come from, what a call is given, where a function keeps its caller's registers,
 * and which locks it holds. The words are those that binutils' assembler makes of the text beside each.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <elf.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault/argument.h"
#include "fault/frame_register.h"
#include "fault/lock_flow.h"
#include "fault/origins.h"
#include "fault/register_use.h"
#include "instruction/built_address.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define START	0xffff800079870000ULL
#define CALLED	(START + 0x10000)
#define VENEER	(START + 0x20000)
#define STACK	0xffff80000a000000ULL
#define RECORD	(STACK + 0x40)

#define BTI		0xd503245f	/* bti c */
#define SAVE_LR		0xaa1e03e9	/* mov x9, x30 */
#define PACIASP		0xd503233f	/* paciasp */
#define PUSH_RECORD	0xa9bd7bfd	/* stp x29, x30, [sp, #-0x30]! */
#define PUSH_X19	0xa90153f3	/* stp x19, x20, [sp, #0x10] */
#define PUSH_X21	0xf90013f5	/* str x21, [sp, #0x20] */
#define KEEP_X0		0xaa0003f3	/* mov x19, x0 */
#define LOAD_X0		0xf9402000	/* ldr x0, [x0, #0x40] */
#define USE_X0		0xf9400400	/* ldr x0, [x0, #8] */
#define PAIR		0xa9410a61	/* ldp x1, x2, [x19, #0x10] */
#define PAGE_X20	0x90000014	/* adrp x20, . */
#define ADD_X20		0x91006294	/* add x20, x20, #0x18 */
#define LOAD_BY_X20	0xf9400681	/* ldr x1, [x20, #8] */
#define CURRENT_X3	0xd5384103	/* mrs x3, sp_el0 */
#define LOAD_X3		0xf9400863	/* ldr x3, [x3, #0x10] */
#define POST_X1		0xf8408424	/* ldr x4, [x1], #8 */
#define GIVE_X19	0xaa1303e0	/* mov x0, x19 */
#define POP_X19		0xa94153f3	/* ldp x19, x20, [sp, #0x10] */
#define POP_RECORD	0xa8c37bfd	/* ldp x29, x30, [sp], #0x30 */
#define RET		0xd65f03c0	/* ret */
#define NOP		0xd503201f	/* nop */
#define BY_TABLE	0xd61f0020	/* br x1 */
#define FOR_USER	0xf8400820	/* ldtr x0, [x1] */
#define PAGE_X0		0x90000000	/* adrp x0, . */
#define ADD_X0		0x91010000	/* add x0, x0, #0x40 */
#define CBZ_W0		0x34000040	/* cbz w0, .+8 */
#define CBNZ_W0		0x35000040	/* cbnz w0, .+8 */
#define IF_NEGATIVE	0x37f80040	/* tbnz w0, #0x1f, .+8 */
#define JUMP		0x14000002	/* b .+8 */
#define PART_OF_X19	0xf2a00033	/* movk x19, #1, lsl #16 */
#define BYTE_X19	0x39400013	/* ldrb w19, [x0] */
#define STORE_X19	0xb9000013	/* str w19, [x0] */
#define CAS_X19		0xc8b37c41	/* cas x19, x1, [x2] */
#define GIVE_X20	0xaa1403e0	/* mov x0, x20 */
#define SET_X29		0x910003fd	/* mov x29, sp */
#define CBZ_X19		0xb4000053	/* cbz x19, .+8 */

static struct function_code code;

static u32 call_to(u32 at, u64 target)
{
	return 0x94000000 | ((u32)((target - (START + at)) >> 2) & 0x3ffffff);
}

static const char *const called[] = { "mutex_lock", "mutex_unlock", "mutex_trylock", "mutex_lock_interruptible", "msleep" };

#include "called_functions.h"

bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	(void)k;
	(void)name;
	(void)ret;
	return false;
}

static bool has_veneer;

/* Veneers are of the module, as its functions are. */
const struct kernel_module *kernel_modules_at(const struct kernel_modules *modules, u64 addr)
{
	static const struct kernel_module module = { .name = "far" };

	(void)modules;
	return has_veneer && addr - VENEER < 16 ? &module : NULL;
}

static struct kernel dump = { .machine = EM_AARCH64, .kallsyms = (struct kallsyms *)&dump };

static void put_words(const u32 *words, u32 nr)
{
	memset(&code, 0, sizeof(code));
	code.set = &instruction_set_arm64;
	code.start = START;
	code.size = code.len = 4 * nr;
	code.is_whole = true;
	code.kernel = &dump;
	for (u32 i = 0; i < nr; i++) {
		u32 word = htole32(words[i]);

		memcpy(code.bytes + 4 * i, &word, 4);
	}
}

#define PUT(...)	put_words((const u32 []){ __VA_ARGS__ }, sizeof((const u32 []){ __VA_ARGS__ }) / 4)

static struct origins origins;

static void find(u32 nr)
{
	struct err err = ERR_INIT;

	code.at = 4 * nr;
	CHECK(!origins_find(&origins, &code, &err), "%s", err.msg);
}

static bool is_from(s32 reg, s32 begin, u32 nr_loads, s32 load, s32 plus)
{
	const struct origin *origin = &origins.of[reg];

	return origin->reg == begin && origin->nr_loads == nr_loads && (!nr_loads || origin->loads[nr_loads - 1] == load) && origin->plus == plus;
}

static void arm64__loads_are_followed(void)
{
	PUT(BTI, SAVE_LR, call_to(8, CALLED), PACIASP, PUSH_RECORD, PUSH_X19, KEEP_X0, LOAD_X0, USE_X0, PAIR, NOP, RET);
	find(8);
	CHECK(is_from(0, 0, 1, 0x40, 0) && origins.are_certain, "x0 is what is 0x40 behind it");
	CHECK(is_from(19, 0, 0, 0, 0), "x19 has the argument; the tracer's call kept it");
	find(10);
	CHECK(is_from(0, 0, 2, 8, 0), "behind that");
	CHECK(is_from(1, 0, 1, 0x10, 0) && is_from(2, 0, 1, 0x18, 0), "both of a pair: %d %d", origins.of[1].loads[0], origins.of[2].loads[0]);
}

static void arm64__a_base_that_is_written_back_is_forgotten(void)
{
	PUT(POST_X1, NOP, RET);
	find(1);
	CHECK(is_from(4, 1, 1, 0, 0), "x4 is loaded");
	CHECK(origins.of[1].reg == INSTRUCTION_NO_REGISTER, "x1 is another one by then");
}

static void arm64__an_address_of_two_instructions_is_one(void)
{
	struct built_addresses built = { .known = 0 };
	struct instruction one;

	PUT(PAGE_X20, ADD_X20, LOAD_BY_X20, NOP, RET);
	find(3);
	CHECK(origins.of[20].reg == ORIGIN_ADDRESS && origins.of[20].address + (u64)(s64)origins.of[20].plus == START + 0x18, "x20");
	CHECK(origins.of[1].reg == ORIGIN_ADDRESS && origins.of[1].nr_loads == 1 && origins.of[1].address + (u64)(s64)origins.of[1].loads[0] == START + 0x20, "x1");
	PUT(PAGE_X20, CBZ_W0, ADD_X20, RET);
	for (u32 i = 0; i < 3; i++) {
		function_code_decode(&code, 4 * i, &one);
		CHECK(built_addresses_lose(&built, &one, START + 0x18) == (i == 1), "a page that is used behind a jump, %u", i);
		CHECK(!built_addresses_names(&built, &one, START + 0x18, 1), "it is not followed");
		built_addresses_step(&built, &one, INSTRUCTION_NO_REGISTER);
	}
	built.known = built.pages = 0;
	PUT(PAGE_X20, ADD_X20, LOAD_BY_X20, NOP, RET);
	for (u32 i = 0; i < 3; i++) {
		function_code_decode(&code, 4 * i, &one);
		CHECK(!built_addresses_names(&built, &one, START, 8), "the page is no variable");
		CHECK(built_addresses_names(&built, &one, START + 0x18, 1) == (i == 1) && built_addresses_names(&built, &one, START + 0x20, 8) == (i == 2), "instruction %u", i);
		built_addresses_step(&built, &one, INSTRUCTION_NO_REGISTER);
	}
}

static void arm64__the_task_that_runs_is_a_beginning(void)
{
	PUT(CURRENT_X3, LOAD_X3, NOP, RET);
	find(2);
	CHECK(is_from(3, ORIGIN_CURRENT, 1, 0x10, 0), "x3 is of current");
}

static void arm64__what_is_not_seen_is_not_certain(void)
{
	PUT(LOAD_X0, NOP, BY_TABLE, NOP, RET);
	find(1);
	CHECK(!origins.are_certain, "a table of a switch");
	PUT(LOAD_X0, NOP, FOR_USER, RET);
	find(1);
	CHECK(!origins.are_certain, "an access to user space may go on elsewhere");
	PUT(LOAD_X0, call_to(4, CALLED + 0x100), NOP, NOP, call_to(16, CALLED), NOP, RET);
	find(5);
	CHECK(origins.of[0].reg == ORIGIN_RESULT, "a call changes x0");
	PUT(PUSH_RECORD, SET_X29, call_to(8, CALLED), NOP, RET);
	find(3);
	CHECK(origins.of[0].reg == ORIGIN_RESULT, "so does one right behind the start that is not the tracer's");
}

static void arm64__an_argument_is_read(void)
{
	struct argument argument;

	PUT(PAGE_X0, ADD_X0, call_to(8, CALLED), RET);
	CHECK(argument_read(&argument, &code, 8) && argument.base == INSTRUCTION_NO_REGISTER && (u64)argument.offset == START + 0x40, "an address");
	PUT(KEEP_X0, GIVE_X19, call_to(8, CALLED), RET);
	CHECK(argument_read(&argument, &code, 8) && argument.base == 19 && !argument.offset, "a register");
	PUT(GIVE_X19, call_to(4, CALLED), call_to(8, CALLED), RET);
	CHECK(!argument_read(&argument, &code, 8), "what a call left is not known");
	PUT(PAGE_X20, ADD_X20, GIVE_X20, call_to(12, CALLED), RET);
	CHECK(argument_read(&argument, &code, 12) && argument.base == 20, "a register that a loop may change is one: %d", argument.base);
}

/* --- frames ------------------------------------------------------------------ */

static u64 words[32];

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	(void)kernel;
	(void)frame;
	return (size_t)snprintf(buf, size, "f");
}

static struct function_code inner;

bool function_code_read_caller(struct function_code *ret, const struct kernel *kernel, struct report_text frame)
{
	(void)kernel;
	(void)frame;
	*ret = inner;
	return true;
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	/* adrp x16, CALLED; add x16, x16, #0; br x16 */
	static const u32 veneer[] = { 0x90ffff90, 0x91000210, 0xd61f0200 };

	(void)vmem;
	if (size == 4 && has_veneer && va - VENEER < sizeof(veneer)) {
		*ret = veneer[(va - VENEER) / 4];
		return true;
	}
	if (size != 8 || va < STACK || va - STACK >= sizeof(words))
		return false;
	*ret = words[(va - STACK) / 8];
	return true;
}

static u64 interrupted_with;

static bool read_kept(u64 *ret, s32 reg)
{
	static const struct kernel kernel = { .machine = EM_AARCH64 };
	static struct kernel_stack stack;
	struct kernel_task task = { .is_running = false };

	stack.frames[0].regs = interrupted_with;
	stack.nr = stack.nr_sure = 2;
	stack.frames[0].top = RECORD + 16;
	inner = code;
	inner.at = code.len - 4;
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = 0x100 + i;
	return frame_register(ret, &kernel, &task, &stack, 1, reg);
}

static void arm64__a_register_is_kept_behind_the_frame_record(void)
{
	u64 value = 0;

	PUT(BTI, PACIASP, PUSH_RECORD, 0x910003fd, PUSH_X19, PUSH_X21, KEEP_X0, POP_X19, POP_RECORD, RET);
	CHECK(read_kept(&value, 19) && value == 0x100 + 0x50 / 8, "x19: %llx", (unsigned long long)value);
	CHECK(read_kept(&value, 20) && value == 0x100 + 0x58 / 8, "x20: %llx", (unsigned long long)value);
	CHECK(read_kept(&value, 21) && value == 0x100 + 0x60 / 8, "x21: %llx", (unsigned long long)value);
	CHECK(!read_kept(&value, 0), "no function keeps x0");
	/* sub sp, sp, #0x60; stp x29, x30, [sp, #0x40]; add x29, sp, #0x40; stp x19, x20, [sp, #0x50] */
	PUT(0xd10183ff, 0xa9047bfd, 0x910103fd, 0xa90553f3, NOP, RET);
	CHECK(read_kept(&value, 20) && value == 0x100 + 0x58 / 8, "of a frame in two steps: %llx", (unsigned long long)value);
	/* str x19, [sp, #-0x10]! */
	PUT(0xf81f0ff3, PUSH_RECORD, KEEP_X0, RET);
	CHECK(!read_kept(&value, 19), "in front of the record it is not looked for");
	PUT(PUSH_RECORD, CBZ_W0, PUSH_X19, KEEP_X0, RET);
	CHECK(!read_kept(&value, 19), "a store behind a jump is none of the start");
	interrupted_with = STACK;
	PUT(BTI, PUSH_RECORD, NOP, RET);
	CHECK(read_kept(&value, 19) && value == 0x100 + 19, "what was interrupted did not touch it: %llx", (unsigned long long)value);
	PUT(BTI, NOP, NOP, RET);
	CHECK(!read_kept(&value, 19), "without a frame record it hides who called it");
	interrupted_with = 0;
}

static void arm64__a_register_is_needed(void)
{
	PUT(GIVE_X19, POP_X19, RET);
	CHECK(register_is_needed(&code, 0, 19), "it is given");
	PUT(POP_X19, POP_RECORD, RET);
	CHECK(!register_is_needed(&code, 0, 19) && !register_is_needed(&code, 0, 20), "they get the caller's");
	PUT(PART_OF_X19, POP_X19, RET);
	CHECK(register_is_needed(&code, 0, 19), "a part of it stays");
	PUT(BYTE_X19, STORE_X19, RET);
	CHECK(!register_is_needed(&code, 0, 19), "it is loaded anew");
	PUT(STORE_X19, POP_X19, RET);
	CHECK(register_is_needed(&code, 0, 19), "it is stored");
	PUT(CAS_X19, POP_X19, RET);
	CHECK(register_is_needed(&code, 0, 19), "it is compared, and then written");
}

/* --- locks --------------------------------------------------------------------- */

static u8 lock_at(u32 nr)
{
	static struct lock_flow flow;

	code.at = 4 * nr;
	return lock_flow_read(&flow, &code, LOCK_MUTEX) && flow.nr == 1 && flow.ways[0].is_known ? flow.ways[0].at : 0xff;
}

static void arm64__a_lock_is_followed(void)
{
	PUT(PAGE_X0, ADD_X0, call_to(8, CALLED), NOP, PAGE_X0, ADD_X0, call_to(24, CALLED + 16), NOP, RET);
	CHECK(lock_at(3) == LOCK_HELD, "behind mutex_lock(): %u", lock_at(3));
	CHECK(lock_at(7) == LOCK_GIVEN, "behind mutex_unlock(): %u", lock_at(7));
	PUT(PAGE_X0, ADD_X0, call_to(8, CALLED + 32), CBZ_W0, NOP, RET);
	CHECK(lock_at(4) == LOCK_HELD && lock_at(5) == (LOCK_HELD | LOCK_NOT_YET), "mutex_trylock(): %u %u", lock_at(4), lock_at(5));
	PUT(PAGE_X0, ADD_X0, call_to(8, CALLED + 48), CBNZ_W0, NOP, RET);
	CHECK(lock_at(4) == LOCK_HELD, "mutex_lock_interruptible(): %u", lock_at(4));
	PUT(PAGE_X0, ADD_X0, call_to(8, CALLED + 48), IF_NEGATIVE, NOP, RET);
	CHECK(lock_at(4) == 0xff, "what another jump says is not known: %u", lock_at(4));
	PUT(PAGE_X0, ADD_X0, call_to(8, CALLED + 32), CBZ_X19, NOP, RET);
	CHECK(lock_at(4) == 0xff, "nor one by another register: %u", lock_at(4));
}

static void arm64__a_call_by_a_veneer_is_one_of_what_is_behind_it(void)
{
	u8 module;

	PUT(PAGE_X0, ADD_X0, call_to(8, VENEER), NOP, RET);
	CHECK(lock_at(3) == 0xff, "what is there is not known: %u", lock_at(3));
	dump.modules = (struct kernel_modules *)&module;
	has_veneer = true;
	CHECK(lock_at(3) == LOCK_HELD, "mutex_lock(): %u", lock_at(3));
	has_veneer = false;
	dump.modules = NULL;
}

static void arm64__any_words_are_survived(void)
{
	u32 words_of_it[200];
	struct lock_flow flow;
	struct argument argument;

	srand(5);
	for (u32 round = 0; round < 200; round++) {
		for (u32 i = 0; i < ARRAY_SIZE(words_of_it); i++)
			words_of_it[i] = rand() % 3 ? (u32[]){ CBZ_W0, JUMP, PAIR, PAGE_X0, ADD_X0, POST_X1, GIVE_X19, PUSH_RECORD, PUSH_X19 }[rand() % 9] + (u32)(rand() % 8 << 5) :
						      (u32)rand() << 16 ^ (u32)rand();
		put_words(words_of_it, ARRAY_SIZE(words_of_it));
		find((u32)rand() % ARRAY_SIZE(words_of_it));
		lock_flow_read(&flow, &code, LOCK_MUTEX);
		argument_read(&argument, &code, 4 * ((u32)rand() % ARRAY_SIZE(words_of_it)));
		register_is_needed(&code, 0, rand() % 34 - 1);
	}
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(arm64__loads_are_followed);
	TAP_RUN(arm64__a_base_that_is_written_back_is_forgotten);
	TAP_RUN(arm64__an_address_of_two_instructions_is_one);
	TAP_RUN(arm64__the_task_that_runs_is_a_beginning);
	TAP_RUN(arm64__what_is_not_seen_is_not_certain);
	TAP_RUN(arm64__an_argument_is_read);
	TAP_RUN(arm64__a_register_is_kept_behind_the_frame_record);
	TAP_RUN(arm64__a_register_is_needed);
	TAP_RUN(arm64__a_lock_is_followed);
	TAP_RUN(arm64__a_call_by_a_veneer_is_one_of_what_is_behind_it);
	TAP_RUN(arm64__any_words_are_survived);
	instruction_finish();
	return tap_done();
}
