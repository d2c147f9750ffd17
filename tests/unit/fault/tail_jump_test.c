// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which function jumped by a pointer at its end, in functions by hand.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "fault/tail_jump.h"
#include "tap.h"

#define ASK	0xffffffff81000000ULL
#define NEXT	0xffffffff81001000ULL
#define THUNK	0xffffffff81002000ULL
#define OTHER	0xffffffff81003000ULL
#define RETURN	0xffffffff81004000ULL
#define CALLER	0xffffffff81005000ULL
#define OWN	0xffffffff81008000ULL
#define SIZE	32
#define BAD	0x3ff0000000000000ULL

#define GO_ON	0x48, 0x8b, 0x7f, 0x08			/* mov rdi, [rdi + 8] */
#define TAKE	0x48, 0x8b, 0x47, 0x10			/* mov rax, [rdi + 0x10] */
#define TEST	0x48, 0x85, 0xff			/* test rdi, rdi */
#define LEAVE	0xe9, 0, 0, 0, 0			/* jmp, see put() */

/* The symbols of a dump and the code there; what is not named is zeroes. */
static struct {
	u64 start;
	const char *name;
	u8 bytes[SIZE];
} functions[] = {
	{ ASK, "chain_ask", { 0 } }, { NEXT, "filter_match", { 0 } }, { THUNK, "__x86_indirect_thunk_rax", { 0 } },
	{ OTHER, "__x86_indirect_thunk_rdx", { 0 } }, { RETURN, "__x86_return_thunk", { 0 } }, { CALLER, "caller", { 0 } }, { OWN, "own_ask", { 0 } },
};

bool kallsyms_find(const struct kallsyms *k, u64 addr, struct ksym *ret)
{
	(void)k;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		if (addr - functions[i].start >= SIZE)
			continue;
		*ret = (struct ksym){ .start = functions[i].start, .size = SIZE };
		strcpy(ret->name, functions[i].name);
		return true;
	}
	return false;
}

bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	(void)k;
	*ret = !strcmp(name, "_stext") ? NEXT : OWN + SIZE;
	if (!strcmp(name, "_stext") || !strcmp(name, "_etext"))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		if (strcmp(functions[i].name, name))
			continue;
		*ret = functions[i].start;
		return true;
	}
	return false;
}

bool vmem_get(struct vmem *vmem, u64 va, void *buf, size_t size)
{
	(void)vmem;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		if (va - functions[i].start >= SIZE || size > SIZE - (va - functions[i].start))
			continue;
		memcpy(buf, functions[i].bytes + (va - functions[i].start), size);
		return true;
	}
	return false;
}

bool kallsyms_is_only(struct kallsyms *k, const char *name)
{
	(void)k;
	(void)name;
	return true;
}

static const struct kernel dump = { .machine = EM_X86_64, .kallsyms = (struct kallsyms *)&dump };

/* The code of function @i; each LEAVE of it goes to @target, each one behind it to @second. */
static void put(size_t i, u64 target, u64 second, const u8 *bytes, size_t len)
{
	u8 *code = functions[i].bytes;

	memset(code, 0xcc, SIZE);
	memcpy(code, bytes, len);
	for (size_t at = 0; at + 5 <= len; at++) {
		s32 distance = (s32)(target - functions[i].start - at - 5);

		if (code[at] != 0xe9 || memcmp(code + at + 1, "\0\0\0\0", 4))
			continue;
		memcpy(code + at + 1, &distance, 4);
		target = second;
	}
}

#define PUT(i, target, second, ...)	put(i, target, second, (const u8 []){ __VA_ARGS__ }, sizeof((const u8 []){ __VA_ARGS__ }))

static struct function_code code;
static struct tail_jump tail;

/* With @rax in RAX, of a CPU that jumped to BAD. */
static bool find(u64 rax)
{
	struct fault_text fault = { .address = BAD, .has_address = true, .access = FAULT_CALL, .nr_registers = 2 };

	strcpy(fault.registers[0].name, "RAX");
	fault.registers[0].value = rax;
	strcpy(fault.registers[1].name, "RDX");
	fault.registers[1].value = 1;
	return tail_jump_find(&tail, &code, ASK, &dump, &fault);
}

static void check_found(const char *name, u32 at, bool is_alone, bool is_sure, const char *what)
{
	if (!CHECK(find(BAD), "%s: there is one", what))
		return;
	CHECK(!strcmp(code.name, name) && code.at == at, "%s: %s+%x", what, code.name, code.at);
	CHECK(tail.jump.called == 0 && tail.jump.jumps, "%s: by RAX", what);
	CHECK(tail.is_alone == is_alone && tail.is_sure == is_sure, "%s: alone %d, sure %d", what, tail.is_alone, tail.is_sure);
}

static void tail_jump__a_jump_by_a_register_is_found(void)
{
	PUT(0, THUNK, 0, GO_ON, TAKE, LEAVE);
	check_found("chain_ask", 8, true, true, "through a thunk");
	PUT(0, 0, 0, GO_ON, TAKE, 0xff, 0xe0);
	check_found("chain_ask", 8, true, true, "by jmp rax");
}

static void tail_jump__one_function_jumps_to_the_next(void)
{
	PUT(0, NEXT, 0, GO_ON, LEAVE);
	PUT(1, THUNK, 0, TAKE, LEAVE);
	check_found("filter_match", 4, true, true, "of the next");
	/* test rdi, rdi; je; a return by its thunk */
	PUT(1, RETURN, THUNK, TEST, 0x74, 0x05, LEAVE, TAKE, LEAVE);
	check_found("filter_match", 14, true, true, "beside a return");
	PUT(1, ASK, 0, LEAVE);
	CHECK(!find(BAD), "a circle");
}

static void tail_jump__what_did_not_jump_there_is_not_named(void)
{
	PUT(0, THUNK, 0, GO_ON, TAKE, LEAVE);
	CHECK(!find(BAD + 1), "RAX has another address");
	PUT(0, OTHER, 0, GO_ON, TAKE, LEAVE);
	CHECK(!find(BAD), "a jump by RDX");
	PUT(0, RETURN, 0, GO_ON, TAKE, LEAVE);
	CHECK(!find(BAD), "a return");
}

static void tail_jump__other_ways_take_certainty(void)
{
	PUT(0, THUNK, THUNK, TEST, 0x74, 0x05, LEAVE, TAKE, LEAVE);
	check_found("chain_ask", 5, false, true, "two of a function");
	PUT(0, OTHER, THUNK, TEST, 0x74, 0x05, LEAVE, TAKE, LEAVE);
	check_found("chain_ask", 14, true, false, "another register");
	PUT(0, THUNK, 0, TEST, 0x74, 0x03, 0xff, 0x27, 0x90, TAKE, LEAVE);	/* jmp [rdi] */
	check_found("chain_ask", 12, true, false, "a pointer in memory");
	/* A function that is not in the dump. */
	PUT(0, THUNK, 0xffffffff82000000ULL, TEST, 0x74, 0x05, LEAVE, LEAVE);
	check_found("chain_ask", 5, true, false, "a way that is not followed");
}

/* chain_ask() was called by caller+5, and the trace has it in no frame. */
static bool is_between(const char *inner)
{
	struct report_text frame = { "caller+0x9/0x20", 15 };

	return tail_jump_between(&code, &dump, frame, (struct report_text){ inner, strlen(inner) });
}

static void tail_jump__what_left_by_a_jump_is_found_between_two_frames(void)
{
	/* mov rdi, [rdi + 8]; call chain_ask */
	PUT(5, 0, 0, GO_ON, 0xe8, 0xf7, 0xaf, 0xff, 0xff);
	PUT(0, NEXT, 0, GO_ON, LEAVE);
	PUT(1, RETURN, 0, TAKE, LEAVE);
	CHECK(is_between("filter_match+0x5/0x20") && !strcmp(code.name, "chain_ask"), "it jumped to the next frame");
	CHECK(!is_between("chain_ask+0x5/0x20"), "what was called is the next frame");
	CHECK(!is_between("__x86_return_thunk+0x5/0x20"), "a return is no way");
	CHECK(!is_between("filter_match_more+0x5/0x20"), "a longer name is another one");
	PUT(1, OTHER, 0, TAKE, LEAVE);
	CHECK(is_between("__x86_indirect_thunk_rdx+0x1/0x20") && !strcmp(code.name, "chain_ask"), "by two jumps");
	PUT(5, 0, 0, GO_ON, 0xff, 0xd0, 0x0f, 0x1f, 0x00);	/* call rax */
	CHECK(!is_between("filter_match+0x5/0x20"), "a call by a register");
}

/* --- a module with chain_ask(), and a table that has it at 0x10 -------------- */

#define TABLE	0xffffffff81006000ULL

static struct kernel_module card = { .name = "card" };
static struct kernel_modules modules = { .list = &card, .nr = 1 };
static const struct kernel with_table = { .machine = EM_X86_64, .kallsyms = (struct kallsyms *)&dump, .modules = &modules };
static u32 nr_tables, nr_own;
static u64 own;	/* what the kernel's own table has there */

const struct kernel_module *kernel_modules_at(const struct kernel_modules *m, u64 addr)
{
	return m && addr - ASK < SIZE ? &card : NULL;
}

bool kernel_modules_find(const struct kernel_modules *m, const struct kernel_module *module, u64 addr, struct ksym *ret)
{
	(void)m;
	(void)module;
	return kallsyms_find(NULL, addr, ret);
}

bool kernel_modules_symbol(const struct kernel_modules *m, const struct kernel_module *module, u32 i, u64 *addr, char *type, char *name)
{
	(void)m;
	(void)module;
	*addr = TABLE;
	*type = 'd';
	strcpy(name, "card_ops");
	return i < nr_tables;
}

#define OWN_TABLE	0xffffffff81007000ULL

u32 kallsyms_nr(const struct kallsyms *k)
{
	(void)k;
	return nr_own;
}

bool kallsyms_symbol(const struct kallsyms *k, u32 i, u64 *addr, char *type, char *name)
{
	(void)k;
	(void)i;
	*addr = OWN_TABLE;
	*type = 'D';
	strcpy(name, "own_ops");
	return true;
}

bool vmem_u64(struct vmem *vmem, u64 va, u64 *ret)
{
	(void)vmem;
	*ret = va == OWN_TABLE + 0x10 ? own : ASK;
	return va == TABLE + 0x10 || va == OWN_TABLE + 0x10;
}

static bool is_by_table_of(const char *place, const char *inner)
{
	struct report_text frame = { place, strlen(place) };

	return tail_jump_by_table(&code, &with_table, frame, (struct report_text){ inner, strlen(inner) });
}

static bool is_by_table(const char *inner)
{
	return is_by_table_of("caller+0x6/0x20", inner);
}

static void tail_jump__what_was_called_out_of_a_table_is_found(void)
{
	nr_tables = nr_own = 1;
	PUT(5, 0, 0, TAKE, 0xff, 0xd0);			/* mov rax, [rdi + 0x10]; call rax */
	PUT(0, NEXT, 0, GO_ON, LEAVE);
	PUT(1, RETURN, 0, TAKE, LEAVE);
	CHECK(is_by_table("filter_match+0x5/0x20") && !strcmp(code.name, "chain_ask") && !strcmp(code.module, "card"), "of a module's table");
	CHECK(!is_by_table("chain_ask+0x5/0x20"), "what was called is the next frame");
	CHECK(!is_by_table("__x86_return_thunk+0x5/0x20"), "a return is no way");
	nr_tables = 0;
	CHECK(!is_by_table("filter_match+0x5/0x20"), "no variable has it");
	nr_tables = 1;
	PUT(5, 0, 0, GO_ON, 0xff, 0xd0);		/* mov rdi, [rdi + 8]; call rax */
	CHECK(!is_by_table("filter_match+0x5/0x20"), "from elsewhere");
}

static void tail_jump__what_an_object_has_is_out_of_no_table(void)
{
	nr_tables = nr_own = 1;
	functions[5].name = "rcu_do_batch";
	PUT(5, 0, 0, TAKE, 0xff, 0xd0);
	PUT(0, NEXT, 0, GO_ON, LEAVE);
	PUT(1, RETURN, 0, TAKE, LEAVE);
	CHECK(!is_by_table_of("rcu_do_batch+0x6/0x20", "filter_match+0x5/0x20"), "an object that was given to call_rcu()");
	functions[5].name = "caller";
	CHECK(is_by_table("filter_match+0x5/0x20"), "the same code of another function");
}

static void tail_jump__a_table_of_the_kernel_may_be_the_one(void)
{
	nr_tables = nr_own = 1;
	PUT(5, 0, 0, TAKE, 0xff, 0xd0);
	PUT(0, NEXT, 0, GO_ON, LEAVE);
	PUT(1, RETURN, 0, TAKE, LEAVE);
	PUT(6, NEXT, 0, GO_ON, LEAVE);
	own = OWN;
	CHECK(!is_by_table("filter_match+0x5/0x20"), "a function of the kernel jumps there as well");
	PUT(6, RETURN, 0, GO_ON, LEAVE);
	CHECK(is_by_table("filter_match+0x5/0x20") && !strcmp(code.name, "chain_ask"), "it does not");
	nr_own = 0;
	CHECK(!is_by_table("filter_match+0x5/0x20"), "the kernel's variables are not known");
	own = 0;
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(tail_jump__a_jump_by_a_register_is_found);
	TAP_RUN(tail_jump__one_function_jumps_to_the_next);
	TAP_RUN(tail_jump__what_did_not_jump_there_is_not_named);
	TAP_RUN(tail_jump__other_ways_take_certainty);
	TAP_RUN(tail_jump__what_was_called_out_of_a_table_is_found);
	TAP_RUN(tail_jump__what_an_object_has_is_out_of_no_table);
	TAP_RUN(tail_jump__a_table_of_the_kernel_may_be_the_one);
	TAP_RUN(tail_jump__what_left_by_a_jump_is_found_between_two_frames);
	instruction_finish();
	return tap_done();
}
