// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks along a list that do not meet its head, and those that only look so: code by hand, and a few words of memory.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "fault/frame_register.h"
#include "instruction/instruction.h"
#include "fault/list_walk.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define CODE	0xffffffffc0400000ULL
#define MEMORY	0xffffffffc0500000ULL
#define RBX	3
#define RBP	5
#define R12	12

static u8 bytes[64];
static u64 words[32];
static u64 registers[INSTRUCTION_REGISTERS];

size_t kernel_frame_name(const struct kernel *kernel, const struct kernel_frame *frame, char *buf, size_t size)
{
	(void)kernel;
	(void)frame;
	return (size_t)snprintf(buf, size, "walk+0x20/0x40 [lists]");
}

const struct kernel_module *kernel_modules_at(const struct kernel_modules *modules, u64 addr)
{
	static const struct kernel_module module;

	(void)modules;
	return addr - CODE < sizeof(bytes) ? &module : NULL;
}

bool function_code_read_caller(struct function_code *code, const struct kernel *kernel, struct report_text frame)
{
	(void)kernel;
	(void)frame;
	memset(code, 0, sizeof(*code));
	code->set = &instruction_set_x86_64;
	code->start = CODE;
	code->size = code->len = sizeof(bytes);
	code->at = 0x20;
	code->is_whole = true;
	memcpy(code->bytes, bytes, sizeof(bytes));
	return true;
}

bool frame_register(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame, s32 reg)
{
	(void)kernel;
	(void)task;
	(void)stack;
	(void)frame;
	*ret = registers[reg];
	return *ret;
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	(void)vmem;
	if (size != 8 || va < MEMORY || va - MEMORY >= sizeof(words) || va % 8)
		return false;
	*ret = words[(va - MEMORY) / 8];
	return true;
}

/* The node number @nr has two words. */
static u64 node(u32 nr)
{
	return MEMORY + 16 * nr;
}

static void link_nodes(u32 from, u32 to)
{
	words[2 * from] = node(to);
	words[2 * to + 1] = node(from);
}

/* Heads are 0 and 1; 2, 3 and 4 are entries, of the list of 1. */
static void begin(const u8 *code, u32 len)
{
	memset(bytes, 0x90, sizeof(bytes));
	memcpy(bytes, code, len);
	bytes[sizeof(bytes) - 1] = 0xc3;
	memset(words, 0, sizeof(words));
	memset(registers, 0, sizeof(registers));
	link_nodes(0, 0);
	link_nodes(1, 2);
	link_nodes(2, 3);
	link_nodes(3, 4);
	link_nodes(4, 1);
	registers[RBX] = node(3);
	registers[RBP] = node(0);
	registers[R12] = node(1);
}

#define BEGIN(...) begin((const u8 []){ __VA_ARGS__ }, sizeof((const u8 []){ __VA_ARGS__ }))

/* mov rbx, [rbx]; cmp rbx, rbp; jne */
#define NEXT		0x48, 0x8b, 0x1b
#define IS_RBP		0x48, 0x39, 0xeb
#define IS_R12		0x4c, 0x39, 0xe3
#define AGAIN		0x75, 0xf8
/* cmp rbx, the address of node 0 */
#define IS_VARIABLE	0x48, 0x81, 0xfb, 0x00, 0x00, 0x50, 0xc0

static bool find(struct list_walk *walk)
{
	static struct kernel_stack stack = { .nr = 1, .nr_sure = 1, .frames = { { .ip = CODE + 0x20 } } };
	static struct kernel_modules modules;
	static const struct kernel kernel = { .machine = EM_X86_64, .modules = &modules };
	static const struct kernel_task task;

	return list_walk_find(walk, &kernel, &task, &stack);
}

static void walk__an_entry_of_another_list_comes_round(void)
{
	struct list_walk walk;

	BEGIN(NEXT, IS_RBP, AGAIN);
	CHECK(find(&walk) && walk.entry == node(3) && walk.head == node(0) && walk.nr == 4, "%u steps from %#llx, head %#llx", walk.nr, walk.entry, walk.head);
}

/* Of entries whose nodes lie 8 behind their start: mov rbx, [rbx + 8]; sub rbx, 8; cmp rbx, rbp; jne */
static void walk__registers_may_have_entries(void)
{
	struct list_walk walk;

	BEGIN(0x48, 0x8b, 0x5b, 0x08, 0x48, 0x83, 0xeb, 0x08, IS_RBP, 0x75, 0xf3);
	registers[RBX] = node(3) - 8;
	registers[RBP] = node(0) - 8;
	CHECK(find(&walk) && walk.entry == node(3) && walk.head == node(0) && walk.nr == 4, "%u steps from %#llx, head %#llx", walk.nr, walk.entry, walk.head);
	link_nodes(3, 3);
	CHECK(find(&walk) && walk.entry == node(3) && walk.nr == 1, "%u steps to itself", walk.nr);
	begin((const u8 []){ 0x48, 0x8b, 0x5b, 0x08, 0x48, 0x83, 0xeb, 0x08, IS_R12, 0x75, 0xf3 }, 13);
	registers[RBX] = node(3) - 8;
	registers[R12] = node(1) - 8;
	CHECK(!find(&walk), "it meets its head");
	BEGIN(0x48, 0x8b, 0x5b, 0x08, 0x48, 0x83, 0xeb, 0x10, IS_RBP, 0x75, 0xf3);
	registers[RBX] = node(3) - 8;
	registers[RBP] = node(0) - 8;
	CHECK(!find(&walk), "another number is taken away");
}

/* Of a head that is a variable the code has the address. */
static void walk__a_head_may_be_a_variable(void)
{
	struct list_walk walk;

	BEGIN(NEXT, IS_VARIABLE, 0x75, 0xf4);
	CHECK(find(&walk) && walk.entry == node(3) && walk.head == node(0), "%u steps from %#llx, head %#llx", walk.nr, walk.entry, walk.head);
	link_nodes(4, 0);
	link_nodes(0, 1);
	CHECK(!find(&walk), "it is met");
}

static void walk__its_own_head_is_met(void)
{
	struct list_walk walk;

	BEGIN(NEXT, IS_R12, AGAIN);
	CHECK(!find(&walk), "it ends there");
}

/* Of two loops each has its own head: a compare behind a jump is of the other one. */
static void walk__the_head_of_another_loop_is_none(void)
{
	struct list_walk walk;

	BEGIN(NEXT, IS_R12, AGAIN, IS_RBP, 0x75, 0xf3);
	CHECK(!find(&walk), "the first loop's");
	BEGIN(NEXT, 0x75, 0xfb, IS_RBP, 0x75, 0xf3);
	CHECK(!find(&walk), "behind a jump");
}

static void walk__what_heads_no_list_is_no_head(void)
{
	struct list_walk walk;

	BEGIN(NEXT, IS_RBP, AGAIN);
	words[1] = 0;
	CHECK(!find(&walk), "its entry does not point back");
}

static void walk__a_list_that_ends_is_none_that_comes_round(void)
{
	struct list_walk walk;

	BEGIN(NEXT, IS_RBP, AGAIN);
	words[2 * 4] = 0;
	CHECK(!find(&walk), "NULL");
	words[2 * 4] = node(100);
	CHECK(!find(&walk), "what is not there");
}

static void walk__an_entry_around_its_node_is_followed(void)
{
	struct list_walk walk;

	/* mov rax, [rbx + 8]; lea rbx, [rax - 8]; cmp rax, rbp; jne */
	BEGIN(0x48, 0x8b, 0x43, 0x08, 0x48, 0x8d, 0x58, 0xf8, 0x48, 0x39, 0xe8, 0x75, 0xf3);
	registers[RBX] = node(3) - 8;
	CHECK(find(&walk) && walk.entry == node(3) && walk.nr == 4, "%u steps", walk.nr);
	/* Without the second one it is no cursor. */
	BEGIN(0x48, 0x8b, 0x43, 0x08, 0x48, 0x39, 0xe8, 0x75, 0xf7);
	registers[RBX] = node(3) - 8;
	CHECK(!find(&walk), "it does not go on");
}

/* mov rbx, [rbx + 8]; test rbx, rbx; jne: 9 bytes, of which the last are in front of where it stands. */
#define CHAIN		0x48, 0x8b, 0x5b, 0x08, 0x48, 0x85, 0xdb, 0x75, 0xf7

/* Code that the chain's loop stands behind, so that @at of the function lies within that. */
static void begin_chain(const u8 *loop, u32 len, u32 from)
{
	begin(loop, 0);
	memcpy(bytes + from, loop, len);
	memset(words, 0, sizeof(words));
	registers[RBX] = node(3);
}

static void walk__a_chain_that_leads_back_has_no_end(void)
{
	static const u8 chain[] = { CHAIN };
	struct list_walk walk;

	begin_chain(chain, sizeof(chain), 0x1c);
	words[2 * 3 + 1] = node(3);
	CHECK(find(&walk) && walk.is_chain && walk.entry == node(3) && walk.nr == 1 && walk.next_at == 8, "%u steps from %#llx", walk.nr, walk.entry);
	words[2 * 3 + 1] = node(4);
	words[2 * 4 + 1] = node(3);
	CHECK(find(&walk) && walk.is_chain && walk.nr == 2, "%u steps", walk.nr);
	words[2 * 4 + 1] = 0;
	CHECK(!find(&walk), "it ends");
	/* It comes into a circle in which it is not yet. */
	words[2 * 4 + 1] = node(4);
	CHECK(!find(&walk), "the element at which it is, is not in it");
}

static void walk__a_chain_of_another_loop_is_none(void)
{
	static const u8 chain[] = { CHAIN }, calling[] = { 0x48, 0x8b, 0x5b, 0x08, 0xe8, 0, 0, 0, 0, 0x48, 0x85, 0xdb, 0x75, 0xf2 },
			untested[] = { 0x48, 0x8b, 0x5b, 0x08, 0x48, 0x85, 0xc0, 0x75, 0xf7 };
	struct list_walk walk;

	begin_chain(chain, sizeof(chain), 0);
	words[2 * 3 + 1] = node(3);
	CHECK(!find(&walk), "the function stands behind it");
	begin_chain(calling, sizeof(calling), 0x1c);
	words[2 * 3 + 1] = node(3);
	CHECK(!find(&walk), "a call lies between");
	begin_chain(untested, sizeof(untested), 0x1c);
	words[2 * 3 + 1] = node(3);
	CHECK(!find(&walk), "another register is tested");
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(walk__an_entry_of_another_list_comes_round);
	TAP_RUN(walk__registers_may_have_entries);
	TAP_RUN(walk__a_head_may_be_a_variable);
	TAP_RUN(walk__its_own_head_is_met);
	TAP_RUN(walk__the_head_of_another_loop_is_none);
	TAP_RUN(walk__what_heads_no_list_is_no_head);
	TAP_RUN(walk__a_list_that_ends_is_none_that_comes_round);
	TAP_RUN(walk__an_entry_around_its_node_is_followed);
	TAP_RUN(walk__a_chain_that_leads_back_has_no_end);
	TAP_RUN(walk__a_chain_of_another_loop_is_none);
	instruction_finish();
	return tap_done();
}
