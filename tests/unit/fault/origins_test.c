// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a register's value came from, in functions by hand: what is certain, and what is forgotten.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "fault/exception_table.h"
#include "fault/origins.h"
#include "tap.h"

#define START	0xffffffff81000000ULL
#define COLD	0xffffffff82000000ULL

enum { RAX = 0, RDX = 2, RBX = 3, RBP = 5, RSI = 6, RDI = 7 };

#define CODE(...)	((const u8 []){ __VA_ARGS__ }), sizeof((const u8 []){ __VA_ARGS__ })

#define LOAD_RAX	0x48, 0x8b, 0x47, 0x40		/* mov rax, [rdi + 0x40] */
#define USE_RAX		0x48, 0x8b, 0x40, 0x08		/* mov rax, [rax + 8] */
#define RETURN		0xc3, 0xcc

/* The symbols of a dump: a function at 0xffffffff83000000, and a part of one. */
bool kallsyms_find(const struct kallsyms *k, u64 addr, struct ksym *ret)
{
	(void)k;
	*ret = (struct ksym){ .start = addr & ~0xffffULL, .size = 0x10000 };
	strcpy(ret->name, addr < 0xffffffff83100000ULL ? "function" : "function.cold.1");
	return true;
}

/* Its table of exceptions, at TABLE. */
#define TABLE	0xffffffff84000000ULL
#define ENTRIES	300

/* Where each CPU has its task, behind its own base. */
#define CURRENT	0x1fbc0ULL

static s32 table[3 * ENTRIES];
static u64 table_end = TABLE + sizeof(table);

bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	(void)k;
	*ret = !strcmp(name, "current_task") ? CURRENT : !strcmp(name, "__start___ex_table") ? TABLE : !strcmp(name, "__stop___ex_table") ? table_end : 0;
	return *ret;
}

bool vmem_get(struct vmem *vmem, u64 va, void *buf, size_t size)
{
	(void)vmem;
	if (va - TABLE >= sizeof(table) || size > sizeof(table) - (va - TABLE))
		return false;
	memcpy(buf, (u8 *)table + (va - TABLE), size);
	return true;
}

static const struct kernel dump = { .machine = EM_X86_64, .kallsyms = (struct kallsyms *)&dump };
static const struct kernel *from;
static bool may_recover;

/* The origins at offset @at of @bytes. */
static struct origins origins_at(u32 at, const u8 *bytes, size_t len, const u8 *cold, size_t cold_len)
{
	struct function_code *code = calloc(1, sizeof(*code));
	struct err err = ERR_INIT;
	struct origins origins;

	code->set = &instruction_set_x86_64;
	code->start = START;
	code->size = code->len = (u32)len;
	code->at = at;
	code->is_whole = true;
	code->kernel = from;
	code->may_recover = may_recover;
	memcpy(code->bytes, bytes, len);
	if (cold_len) {
		code->cold_start = COLD;
		code->cold_len = (u32)cold_len;
		memcpy(code->cold, cold, cold_len);
	}
	CHECK(!origins_find(&origins, code, &err), "%s", err.msg);
	free(code);
	return origins;
}

static void check_loaded(const struct origins *origins, bool is_certain, const char *what)
{
	const struct origin *rax = &origins->of[RAX];

	CHECK(rax->reg == RDI && rax->nr_loads == 1 && rax->loads[0] == 0x40 && !rax->plus, "%s: RAX is [RDI + 0x40]", what);
	CHECK(origins->are_certain == is_certain, "%s: certain %d", what, origins->are_certain);
}

static void check_forgotten(const struct origins *origins, const char *what)
{
	CHECK(origins->of[RAX].reg == INSTRUCTION_NO_REGISTER, "%s: RAX is not known", what);
}

static void origins__a_load_is_followed(void)
{
	struct origins o = origins_at(4, CODE(LOAD_RAX, USE_RAX, RETURN), NULL, 0);

	check_loaded(&o, true, "a straight way");
	CHECK(o.of[RDI].reg == RDI && !o.of[RDI].nr_loads, "RDI is what it was");
}

static void origins__half_a_register_is_no_pointer(void)
{
	/* mov rax, [edi + 0x40]; use */
	struct origins o = origins_at(5, CODE(0x67, LOAD_RAX, USE_RAX, RETURN), NULL, 0);
	struct instruction instruction;

	check_forgotten(&o, "a load by EDI");
	/* lea rax, [edi + 0x40]; use */
	o = origins_at(5, CODE(0x67, 0x48, 0x8d, 0x47, 0x40, USE_RAX, RETURN), NULL, 0);
	check_forgotten(&o, "the address of EDI");
	CHECK(instruction_decode(&instruction, &instruction_set_x86_64, CODE(0x67, LOAD_RAX), START), "mov rax, [edi + 0x40]");
	CHECK(instruction.nr_accesses == 1 && instruction.accesses[0].is_relative, "RDI does not say where");
}

static void origins__a_variable_is_a_beginning(void)
{
	/* mov rbx, [rip + 0x100]; mov rax, [rbx + 0x40]; use */
	struct origins o = origins_at(11, CODE(0x48, 0x8b, 0x1d, 0x00, 0x01, 0x00, 0x00, 0x48, 0x8b, 0x43, 0x40, USE_RAX, RETURN), NULL, 0);
	const struct origin *rax = &o.of[RAX], *rbx = &o.of[RBX];

	CHECK(rbx->reg == ORIGIN_ADDRESS && rbx->address == START + 0x107 && rbx->nr_loads == 1 && !rbx->loads[0], "RBX is the variable's");
	CHECK(rax->reg == ORIGIN_ADDRESS && rax->nr_loads == 2 && rax->loads[1] == 0x40 && origin_same_loads(rax, rbx, 1), "RAX was read behind it");
	/* lea rbx, [rip + 0x100]; mov rax, [rbx + 0x40]; use */
	o = origins_at(11, CODE(0x48, 0x8d, 0x1d, 0x00, 0x01, 0x00, 0x00, 0x48, 0x8b, 0x43, 0x40, USE_RAX, RETURN), NULL, 0);
	CHECK(rbx->reg == ORIGIN_ADDRESS && !rbx->nr_loads && rax->nr_loads == 1, "by its address");
	/* test edi, edi; je: one variable or another */
	o = origins_at(18, CODE(0x85, 0xff, 0x74, 0x07, 0x48, 0x8b, 0x05, 0x00, 0x01, 0x00, 0x00, 0x48, 0x8b, 0x05, 0x00, 0x02, 0x00, 0x00,
				USE_RAX, RETURN), NULL, 0);
	CHECK(rax->reg == ORIGIN_ADDRESS && rax->address == START + 0x212, "the last one that was read");
	/* mov rax, gs:[0x100]: of this CPU */
	o = origins_at(9, CODE(0x65, 0x48, 0x8b, 0x04, 0x25, 0x00, 0x01, 0x00, 0x00, USE_RAX, RETURN), NULL, 0);
	check_forgotten(&o, "what each CPU has");
}

static void origins__the_task_that_runs_is_a_beginning(void)
{
	struct origins o;

	from = &dump;
	/* mov rax, gs:[0x1fbc0]; mov rax, [rax + 8]; use */
	o = origins_at(13, CODE(0x65, 0x48, 0x8b, 0x04, 0x25, 0xc0, 0xfb, 0x01, 0x00, USE_RAX, USE_RAX, RETURN), NULL, 0);
	CHECK(o.of[RAX].reg == ORIGIN_CURRENT && o.of[RAX].nr_loads == 1 && o.of[RAX].loads[0] == 8, "%d, %u loads", o.of[RAX].reg, o.of[RAX].nr_loads);
	/* Another variable of the CPU, and the same number without the segment. */
	o = origins_at(13, CODE(0x65, 0x48, 0x8b, 0x04, 0x25, 0xc8, 0xfb, 0x01, 0x00, USE_RAX, USE_RAX, RETURN), NULL, 0);
	CHECK(o.of[RAX].reg == INSTRUCTION_NO_REGISTER, "%d", o.of[RAX].reg);
	o = origins_at(12, CODE(0x48, 0x8b, 0x04, 0x25, 0xc0, 0xfb, 0x01, 0x00, USE_RAX, USE_RAX, RETURN), NULL, 0);
	CHECK(o.of[RAX].reg != ORIGIN_CURRENT, "%d", o.of[RAX].reg);
	from = NULL;
}

static void origins__two_variables_are_two(void)
{
	/* test edi, edi; je; mov rax, [rip + 0x100]; jmp; mov rax, [rip + 0x200]; use */
	struct origins o = origins_at(20, CODE(0x85, 0xff, 0x74, 0x09, 0x48, 0x8b, 0x05, 0x00, 0x01, 0x00, 0x00, 0xeb, 0x07,
					       0x48, 0x8b, 0x05, 0x00, 0x02, 0x00, 0x00, USE_RAX, RETURN), NULL, 0);

	check_forgotten(&o, "one or the other");
}

static void origins__additions_are_counted(void)
{
	/* lea rbx, [rdi + 0x10]; add rbx, 8; mov rax, [rbx + 0x28] */
	struct origins o = origins_at(12, CODE(0x48, 0x8d, 0x5f, 0x10, 0x48, 0x83, 0xc3, 0x08, 0x48, 0x8b, 0x43, 0x28,
					       USE_RAX, RETURN), NULL, 0);

	check_loaded(&o, true, "by way of RBX");
	CHECK(o.of[RBX].reg == RDI && o.of[RBX].plus == 0x18, "RBX is RDI + 0x18");
}

static void origins__a_call_forgets(void)
{
	/* nop; nop; nop; nop; mov rax; call; use */
	struct origins o = origins_at(13, CODE(0x90, 0x90, 0x90, 0x90, LOAD_RAX, 0xe8, 0, 0, 0x10, 0, USE_RAX, RETURN), NULL, 0);

	CHECK(o.of[RAX].reg == ORIGIN_RESULT && !o.of[RAX].nr_loads, "what was in RAX is gone behind a call");
	CHECK(o.of[RBX].reg == RBX, "a callee keeps RBX");
	CHECK(o.of[RDX].reg == INSTRUCTION_NO_REGISTER, "and not RDX");
}

#define CALLED	(START + 0x100000)

static void origins__what_a_function_returned_is_a_beginning(void)
{
	/* nop 5; call; mov rbx, rax; use */
	struct origins o = origins_at(13, CODE(0x0f, 0x1f, 0x44, 0, 0, 0xe8, 0xf6, 0xff, 0x0f, 0, 0x48, 0x89, 0xc3, USE_RAX, RETURN), NULL, 0);

	CHECK(o.of[RAX].reg == ORIGIN_RESULT && o.of[RAX].address == CALLED && o.of[RAX].called_at == 5, "RAX has it");
	CHECK(o.of[RBX].reg == ORIGIN_RESULT && origin_same_loads(&o.of[RAX], &o.of[RBX], 0), "and its copy");
	/* nop 5; call; mov rbx, rax; call; use */
	o = origins_at(18, CODE(0x0f, 0x1f, 0x44, 0, 0, 0xe8, 0xf6, 0xff, 0x0f, 0, 0x48, 0x89, 0xc3, 0xe8, 0xee, 0xff, 0x0f, 0, USE_RAX, RETURN), NULL, 0);
	CHECK(o.of[RAX].address == CALLED && o.of[RBX].address == CALLED && !origin_same_loads(&o.of[RAX], &o.of[RBX], 0), "two calls return two");
	/* nop 5; test rsi, rsi; je +7; call; jmp +5; call; mov rbx, rax; use */
	o = origins_at(25, CODE(0x0f, 0x1f, 0x44, 0, 0, 0x48, 0x85, 0xf6, 0x74, 7, 0xe8, 0xf1, 0xff, 0x0f, 0, 0xeb, 5, 0xe8, 0xea, 0xff, 0x0f, 0, 0x48, 0x89, 0xc3,
				USE_RAX, RETURN), NULL, 0);
	CHECK(o.of[RAX].reg == ORIGIN_RESULT && o.of[RAX].address == CALLED, "either of two calls of it did");
	CHECK(!origin_same_loads(&o.of[RAX], &o.of[RBX], 0), "and which is not known");
	/* nop 5; call rax; use: by a register */
	o = origins_at(7, CODE(0x0f, 0x1f, 0x44, 0, 0, 0xff, 0xd0, USE_RAX, RETURN), NULL, 0);
	check_forgotten(&o, "behind a call by a pointer");
}

static void origins__a_call_behind_a_load_is_known(void)
{
	/* mov rbx, [rdi + 8]; nop; call; mov rbp, rbx; use */
	struct origins o = origins_at(13, CODE(0x48, 0x8b, 0x5f, 0x08, 0x90, 0xe8, 0, 0, 0x10, 0, 0x48, 0x89, 0xdd,
					       USE_RAX, RETURN), NULL, 0);

	CHECK(o.of[RBX].nr_loads == 1 && o.of[RBX].is_before_call, "a call lies behind the load of RBX");
	CHECK(o.of[RBP].nr_loads == 1 && o.of[RBP].is_before_call, "and of its copy");
	/* nop 5; call; mov rbx, [rbp + 8]; use */
	o = origins_at(14, CODE(0x0f, 0x1f, 0x44, 0, 0, 0xe8, 0, 0, 0x10, 0, 0x48, 0x8b, 0x5d, 0x08, USE_RAX, RETURN), NULL, 0);
	CHECK(o.of[RBX].nr_loads == 1 && !o.of[RBX].is_before_call, "the call lies before the load");
	/* mov rbx, [rdi + 8]; test rsi, rsi; je +5; call; use */
	o = origins_at(14, CODE(0x48, 0x8b, 0x5f, 0x08, 0x48, 0x85, 0xf6, 0x74, 5, 0xe8, 0, 0, 0x10, 0, USE_RAX, RETURN), NULL, 0);
	CHECK(o.of[RBX].nr_loads == 1 && o.of[RBX].is_before_call, "one of two ways calls");
}

static void origins__two_reads_of_one_place_are_two(void)
{
	struct origins o;

	/* mov rbx, [rdi]; mov rbp, [rdi]; mov rdx, rbx; use */
	o = origins_at(9, CODE(0x48, 0x8b, 0x1f, 0x48, 0x8b, 0x2f, 0x48, 0x89, 0xda, USE_RAX, RETURN), NULL, 0);
	CHECK(!origin_same_loads(&o.of[RBX], &o.of[RBP], 1), "the place may have changed between them");
	CHECK(origin_same_loads(&o.of[RBX], &o.of[RDX], 1), "a copy is the same");
	CHECK(origin_same_loads(&o.of[RSI], &o.of[RSI], 0), "an argument stays what it was");
	/* test rsi, rsi; je +5; mov rbx, [rdi]; jmp +3; mov rbx, [rdi]; mov rdx, rbx; use */
	o = origins_at(16, CODE(0x48, 0x85, 0xf6, 0x74, 5, 0x48, 0x8b, 0x1f, 0xeb, 3, 0x48, 0x8b, 0x1f, 0x48, 0x89, 0xda,
				USE_RAX, RETURN), NULL, 0);
	CHECK(o.of[RBX].reg == RDI && o.of[RBX].nr_loads == 1, "two ways read the same place");
	CHECK(!origin_same_loads(&o.of[RBX], &o.of[RDX], 1), "and which of them did is not known");
}

static void origins__the_call_of_a_tracer_keeps_all(void)
{
	struct origins o = origins_at(9, CODE(0xe8, 0, 0, 0x10, 0, LOAD_RAX, USE_RAX, RETURN), NULL, 0);

	check_loaded(&o, true, "behind the tracer");
}

static void origins__two_ways_that_differ_forget(void)
{
	/* mov rax; test rsi, rsi; je +3; mov rax, rdx; use */
	struct origins o = origins_at(12, CODE(LOAD_RAX, 0x48, 0x85, 0xf6, 0x74, 3, 0x48, 0x89, 0xd0, USE_RAX, RETURN), NULL, 0);

	check_forgotten(&o, "two ways");
	/* ... je +3; mov rbx, rdx; use */
	o = origins_at(12, CODE(LOAD_RAX, 0x48, 0x85, 0xf6, 0x74, 3, 0x48, 0x89, 0xd3, USE_RAX, RETURN), NULL, 0);
	check_loaded(&o, true, "two ways that agree");
	CHECK(o.of[RBX].reg == INSTRUCTION_NO_REGISTER, "and differ in RBX");
}

static void origins__what_an_instruction_changes_unnamed_is_forgotten(void)
{
	struct origins o;

	/* mov rax, rsi; lock cmpxchg [rdi], rdx; use */
	o = origins_at(8, CODE(0x48, 0x89, 0xf0, 0xf0, 0x48, 0x0f, 0xb1, 0x17, USE_RAX, RETURN), NULL, 0);
	check_forgotten(&o, "cmpxchg");
	/* mov rax, rsi; lock cmpxchg16b [rdi]; use */
	o = origins_at(8, CODE(0x48, 0x89, 0xf0, 0xf0, 0x48, 0x0f, 0xc7, 0x0f, USE_RAX, RETURN), NULL, 0);
	check_forgotten(&o, "cmpxchg16b");
	CHECK(o.of[RDX].reg == INSTRUCTION_NO_REGISTER, "cmpxchg16b: RDX is not known");
	/* mov rax, rsi; xlat; use */
	o = origins_at(4, CODE(0x48, 0x89, 0xf0, 0xd7, USE_RAX, RETURN), NULL, 0);
	check_forgotten(&o, "xlat");
	/* enter 0x10, 0; use */
	o = origins_at(4, CODE(0xc8, 0x10, 0, 0, USE_RAX, RETURN), NULL, 0);
	CHECK(o.of[RBP].reg == INSTRUCTION_NO_REGISTER, "enter: RBP is not known");
	/* mov rax, rsi; vmcall; use */
	o = origins_at(6, CODE(0x48, 0x89, 0xf0, 0x0f, 0x01, 0xc1, USE_RAX, RETURN), NULL, 0);
	check_forgotten(&o, "vmcall");
}

static void origins__a_loop_forgets_what_it_changes(void)
{
	/* 1: mov rdi, [rdi + 0x40]; test rdi, rdi; jne 1b */
	struct origins o = origins_at(0, CODE(0x48, 0x8b, 0x7f, 0x40, 0x48, 0x85, 0xff, 0x75, 0xf7, RETURN), NULL, 0);

	CHECK(o.of[RDI].reg == INSTRUCTION_NO_REGISTER, "RDI moves on");
	CHECK(o.of[RSI].reg == RSI, "RSI does not");
	/* 1: use [rdi]; mov rdi, rdx; loop 1b */
	o = origins_at(0, CODE(0x48, 0x8b, 0x07, 0x48, 0x89, 0xd7, 0xe2, 0xf8, RETURN), NULL, 0);
	CHECK(o.of[RDI].reg == INSTRUCTION_NO_REGISTER, "RDI moves on by way of loop");
}

static void origins__the_cold_part_may_come_back(void)
{
	/* mov rax; test rsi, rsi; je COLD; use.  COLD: mov rax, rdx; jmp back */
	u64 from = START + 13, back = START + 13;
	s32 there = (s32)(COLD - from), here = (s32)(back - (COLD + 8));
	u8 bytes[] = { LOAD_RAX, 0x48, 0x85, 0xf6, 0x0f, 0x84, 0, 0, 0, 0, USE_RAX, RETURN };
	u8 cold[] = { 0x48, 0x89, 0xd0, 0xe9, 0, 0, 0, 0 };
	struct origins o;

	memcpy(bytes + 9, &there, 4);
	memcpy(cold + 4, &here, 4);
	o = origins_at(13, bytes, sizeof(bytes), cold, sizeof(cold));
	check_forgotten(&o, "the cold part changes RAX");
	cold[2] = 0xd3;	/* mov rbx, rdx */
	o = origins_at(13, bytes, sizeof(bytes), cold, sizeof(cold));
	check_loaded(&o, true, "the cold part changes RBX");
}

static void origins__what_cannot_be_seen_is_not_certain(void)
{
	/* mov rax; use; jmp [rdx * 8 + table] */
	struct origins o = origins_at(4, CODE(LOAD_RAX, USE_RAX, 0xff, 0x24, 0xd5, 0, 0, 0, 0x81, RETURN), NULL, 0);

	check_loaded(&o, false, "a table of jumps");
	/* stac */
	o = origins_at(4, CODE(LOAD_RAX, USE_RAX, 0x0f, 0x01, 0xcb, RETURN), NULL, 0);
	check_loaded(&o, false, "an access to user space");
	/* a jump into the middle of an instruction */
	o = origins_at(4, CODE(LOAD_RAX, USE_RAX, 0xeb, 0xf7, RETURN), NULL, 0);
	check_loaded(&o, false, "a jump into an instruction");
	/* no instruction */
	o = origins_at(4, CODE(LOAD_RAX, USE_RAX, 0x06, RETURN), NULL, 0);
	check_loaded(&o, false, "bytes that are no code");
	/* test edi, edi; je, to a zero */
	o = origins_at(8, CODE(0x85, 0xff, 0x74, 0x0a, LOAD_RAX, USE_RAX, RETURN, 0x00), NULL, 0);
	check_loaded(&o, false, "a jump to a byte that is no code");
}

static void origins__zeros_behind_a_function_are_not_reached(void)
{
	/* The last function of a module, as failover_unregister() of 7.2: jmp, and half an instruction. */
	struct origins o;

	from = &dump;
	o = origins_at(4, CODE(LOAD_RAX, USE_RAX, 0xe9, 0xf3, 0xff, 0xff, 0x01, 0x00), NULL, 0);
	check_loaded(&o, true, "a zero behind the jump to another function");
	from = NULL;
}

static void origins__a_kprobe_makes_it_uncertain(void)
{
	/* mov rax; int3, once push rbx; use */
	struct origins o = origins_at(5, CODE(LOAD_RAX, 0xcc, USE_RAX, RETURN), NULL, 0);

	check_loaded(&o, false, "a breakpoint on the way");
	/* Padding is not reached. */
	o = origins_at(4, CODE(LOAD_RAX, USE_RAX, RETURN, 0xcc, 0xcc), NULL, 0);
	check_loaded(&o, true, "breakpoints behind the return");
}

static void check_jump_to(u64 target, bool is_certain, const char *what)
{
	/* mov rax; test rsi, rsi; je +5; jmp TARGET; use */
	u8 bytes[] = { LOAD_RAX, 0x48, 0x85, 0xf6, 0x74, 5, 0xe9, 0, 0, 0, 0, USE_RAX, RETURN };
	s32 far = (s32)(target - (START + 14));
	struct origins o;

	memcpy(bytes + 10, &far, 4);
	from = &dump;
	o = origins_at(14, bytes, sizeof(bytes), NULL, 0);
	check_loaded(&o, is_certain, what);
	from = NULL;
}

static void origins__a_jump_out_must_lead_to_a_function(void)
{
	struct origins o;

	check_jump_to(0xffffffff83010000, true, "to a function");
	check_jump_to(0xffffffff83010004, true, "behind its endbr64");
	check_jump_to(0xffffffff83010010, false, "into a function, or to a detour");
	check_jump_to(0xffffffff83110000, false, "to a part that may jump back");
	/* Of the log alone: mov rax; test rsi, rsi; je out; use */
	o = origins_at(13, CODE(LOAD_RAX, 0x48, 0x85, 0xf6, 0x0f, 0x84, 0, 0, 0x10, 0, USE_RAX, RETURN), NULL, 0);
	check_loaded(&o, false, "a way to what was not printed");
	/* mov rax; use; jmp out; int3 */
	o = origins_at(4, CODE(LOAD_RAX, USE_RAX, 0xe9, 0, 0, 0x10, 0, 0xcc), NULL, 0);
	check_loaded(&o, true, "a thunk in the place of the return");
}

static void origins__the_table_of_exceptions_is_looked_at(void)
{
	struct origins o;

	table[3 * 299] = (s32)(START + 8 - (TABLE + 12 * 299));
	CHECK(exception_table_has(&dump, START, 9), "the last entry is of the last byte");
	CHECK(exception_table_has(&dump, START + 8, 1), "and of the first");
	CHECK(!exception_table_has(&dump, START, 8), "none is of the bytes before it");
	CHECK(!exception_table_has(&dump, START + 9, 8), "nor behind it");
	table_end += 12;
	CHECK(exception_table_has(&dump, START, 8), "a table that is not all there may have any");
	table_end = TABLE - 12;
	CHECK(exception_table_has(&dump, START, 8), "and one that ends before it begins");
	table_end = TABLE + sizeof(table);
	may_recover = true;
	o = origins_at(4, CODE(LOAD_RAX, USE_RAX, RETURN), NULL, 0);
	may_recover = false;
	check_loaded(&o, false, "a way by the table");
	CHECK(!exception_table_has(&(struct kernel){ 0 }, START, 9), "no symbols");
}

static void origins__code_that_is_not_reached_has_none(void)
{
	struct origins o = origins_at(2, CODE(RETURN, USE_RAX, RETURN), NULL, 0);

	check_forgotten(&o, "behind the return");
	CHECK(!o.are_certain, "nothing is certain there");
}

/* Any bytes: an answer in time, and no fault. */
static void origins__any_bytes_are_survived(void)
{
	u8 bytes[600];

	srand(21);
	for (u32 round = 0; round < 300; round++) {
		for (u32 i = 0; i < sizeof(bytes); i++)
			bytes[i] = rand() % 4 ? (u8)rand() : (u8[]){ 0xeb, 0x74, 0xe9, 0x48 }[rand() % 4];
		origins_at(rand() % sizeof(bytes), bytes, sizeof(bytes), bytes, sizeof(bytes) / 2);
	}
}

int main(void)
{
	instruction_prepare();
	if (!instruction_can_decode()) {
		puts("1..0 # SKIP libcapstone is not here");
		return 77;
	}
	TAP_RUN(origins__a_load_is_followed);
	TAP_RUN(origins__half_a_register_is_no_pointer);
	TAP_RUN(origins__a_variable_is_a_beginning);
	TAP_RUN(origins__the_task_that_runs_is_a_beginning);
	TAP_RUN(origins__two_variables_are_two);
	TAP_RUN(origins__additions_are_counted);
	TAP_RUN(origins__a_call_forgets);
	TAP_RUN(origins__what_a_function_returned_is_a_beginning);
	TAP_RUN(origins__a_call_behind_a_load_is_known);
	TAP_RUN(origins__two_reads_of_one_place_are_two);
	TAP_RUN(origins__the_call_of_a_tracer_keeps_all);
	TAP_RUN(origins__two_ways_that_differ_forget);
	TAP_RUN(origins__what_an_instruction_changes_unnamed_is_forgotten);
	TAP_RUN(origins__a_loop_forgets_what_it_changes);
	TAP_RUN(origins__the_cold_part_may_come_back);
	TAP_RUN(origins__what_cannot_be_seen_is_not_certain);
	TAP_RUN(origins__zeros_behind_a_function_are_not_reached);
	TAP_RUN(origins__a_kprobe_makes_it_uncertain);
	TAP_RUN(origins__a_jump_out_must_lead_to_a_function);
	TAP_RUN(origins__the_table_of_exceptions_is_looked_at);
	TAP_RUN(origins__code_that_is_not_reached_has_none);
	TAP_RUN(origins__any_bytes_are_survived);
	return tap_done();
}
