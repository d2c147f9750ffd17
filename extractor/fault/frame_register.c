// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame_register.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"
#include "instruction/instruction.h"
#include "kernel_state/cpu_regs.h"
#include "linux_kernel/vmem.h"
#include "tail_jump.h"

#define MOST_CALLERS	4
#define FRAME_POINTER	29	/* of arm64 */
#define LINK_REGISTER	30

/* "rbx", as an instruction has it. */
static const char *const names[] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15" };

static const u8 saved_by_interrupt[] = {
	KREG_AX, KREG_CX, KREG_DX, KREG_BX, KREG_SP, KREG_BP, KREG_SI, KREG_DI, KREG_R8, KREG_R9, KREG_R10, KREG_R11, KREG_R12, KREG_R13, KREG_R14, KREG_R15,
};

/* Registers that an exception saves, by the CPU's numbers: of x86-64 in the order of enum kernel_reg; of arm64 in their own. */
static bool read_saved_register(u64 *ret, const struct kernel *kernel, u64 va, s32 reg)
{
	struct kernel_regs regs;

	if (kernel->machine == EM_AARCH64)
		return vmem_number(kernel->vmem, va + 8ULL * (u32)reg, 8, ret);
	if (!kernel_saved_regs(kernel, va, 0, &regs))
		return false;
	*ret = regs.r[saved_by_interrupt[reg]];
	return true;
}

/* Those that a CPU had when it was stopped. */
static bool read_stopped_register(u64 *ret, const struct kernel *kernel, u32 cpu, s32 reg)
{
	u64 regs[INSTRUCTION_REGISTERS];
	struct kernel_regs of_x86;

	if (kernel->machine == EM_AARCH64) {
		if (!kernel_note_regs(kernel, cpu, regs, INSTRUCTION_REGISTERS))
			return false;
		*ret = regs[reg];
		return true;
	}
	if (!kernel_cpu_regs(kernel, cpu, &of_x86))
		return false;
	*ret = of_x86.r[saved_by_interrupt[reg]];
	return true;
}

enum keeping { KEEPS_NOT_SEEN, KEEPS_UNTOUCHED, KEEPS_ON_STACK };

/**
 * struct prologue - what a function does first, as far as its code was gone through
 * @is_open: it goes on
 * @pushes: of x86-64: words that were pushed below the return address
 * @has_record, @record: of arm64: the frame record lies so far behind the stack pointer
 */
struct prologue {
	bool is_open;
	u32 pushes;
	bool has_record;
	s64 record;
};

/* "push rbx". @offset: where that is, behind the word below the return address. */
static bool is_pushed(struct prologue *prologue, const struct instruction *one, s32 reg, s64 *offset)
{
	bool is_push = !strncmp(one->text, "push ", 5);

	*offset = -8LL * prologue->pushes;
	prologue->pushes += is_push;
	prologue->is_open &= is_push || !(one->written & 1U << one->set->stack);
	return is_push && !strcmp(one->text + 5, names[reg]);
}

/* "stp x19, x20, [sp, #0x10]" behind "stp x29, x30, [sp, #-0x30]!". @offset: where @reg is, behind the frame record. */
static bool is_put_on_stack(struct prologue *prologue, const struct instruction *one, s32 reg, s64 *offset)
{
	const struct instruction_access *accesses = one->accesses;
	bool moves = one->written & 1U << one->set->stack;

	if (prologue->has_record && moves)
		prologue->is_open = false;
	for (u32 i = 0; i < one->nr_accesses; i++) {
		if (accesses[i].stores != STORED_REGISTER || accesses[i].size != 8 || accesses[i].base != one->set->stack || accesses[i].index >= 0)
			return false;
		*offset = accesses[i].offset - prologue->record;
		if (prologue->has_record && !moves && accesses[i].stored == reg)
			return true;
	}
	if (one->nr_accesses == 2 && accesses[0].stored == FRAME_POINTER && accesses[1].stored == LINK_REGISTER && !prologue->has_record) {
		prologue->has_record = true;
		prologue->record = moves ? 0 : accesses[0].offset;
	}
	return false;
}

/* Up to where the function is. @offset: of the word that has it, behind the one below its return address, or the frame record. */
static enum keeping look_how_kept(s64 *offset, const struct function_code *code, s32 reg)
{
	struct prologue prologue = { .is_open = true };
	bool is_written = false;
	struct instruction one;

	if (!code->is_whole || code->from || code->at >= code->len)
		return KEEPS_NOT_SEEN;
	for (u32 at = 0; at < code->len; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return KEEPS_NOT_SEEN;
		/* The tracer's call is the first, and keeps all. */
		if (function_code_is_tracer(code, at, &one))
			continue;
		prologue.is_open &= !one.jumps && !one.is_call;
		if (prologue.is_open && (code->set == &instruction_set_arm64 ? is_put_on_stack : is_pushed)(&prologue, &one, reg, offset))
			return !is_written && at < code->at ? KEEPS_ON_STACK : KEEPS_NOT_SEEN;
		is_written |= one.written & 1U << reg;
	}
	return is_written || code->cold_start ? KEEPS_NOT_SEEN : KEEPS_UNTOUCHED;
}

static bool read_frame_code(struct function_code *code, const struct kernel *kernel, const struct kernel_frame *frame)
{
	char name[KERNEL_SYMBOL_MAX];

	return kernel_frame_name(kernel, frame, name, sizeof(name)) && function_code_read_caller(code, kernel, (struct report_text){ name, strlen(name) });
}

static bool is_interrupted(const struct kernel_task *task, const struct kernel_stack *stack, u32 frame)
{
	return stack->frames[frame].regs || (!frame && task->is_running);
}

/* Has the function of arm64 stored it by the place where it is? */
static bool has_frame_record(const struct function_code *code)
{
	struct instruction one;

	for (u32 at = 0; at < code->at && function_code_decode(code, at, &one); at += one.len)
		if (one.nr_accesses == 2 && one.accesses[0].stored == FRAME_POINTER && one.accesses[1].stored == LINK_REGISTER)
			return true;
	return false;
}

bool frame_register(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame, s32 reg)
{
	struct function_code *code = malloc(sizeof(*code));
	const struct instruction_set *set = instruction_set_of(kernel->machine);
	enum keeping keeping = KEEPS_UNTOUCHED;
	bool is_found = false;

	if (!code || !instruction_can_decode() || !*instruction_register(set, reg)) {
		free(code);
		return false;
	}
	for (u32 i = frame; keeping == KEEPS_UNTOUCHED && !is_found; i--) {
		s64 offset = 0;

		if (is_interrupted(task, stack, i)) {
			is_found = stack->frames[i].regs ? read_saved_register(ret, kernel, stack->frames[i].regs, reg) : read_stopped_register(ret, kernel, task->cpu, reg);
			break;
		}
		if (!i || !(set->kept & 1U << reg) || !stack->frames[i - 1].top || !read_frame_code(code, kernel, &stack->frames[i - 1]))
			break;
		/* What is interrupted in front of its frame record hides its caller. */
		if (set == &instruction_set_arm64 && is_interrupted(task, stack, i - 1) && !has_frame_record(code))
			break;
		keeping = look_how_kept(&offset, code, reg);
		/* At the end of its part lie the return address and what it kept; of arm64 a frame record, and that behind it. */
		if (keeping == KEEPS_ON_STACK)
			is_found = vmem_number(kernel->vmem, stack->frames[i - 1].top - 16 + (u64)offset, 8, ret);
	}
	free(code);
	return is_found;
}

bool frame_argument(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame)
{
	const struct instruction_set *set = instruction_set_of(kernel->machine);

	return set && frame_register(ret, kernel, task, stack, frame, set->arguments[0]);
}

/* A register of the function still has the value, or what lies beside it. */
static bool value_in_registers(u64 *ret, const struct origins *origins, const struct kernel *kernel, const struct kernel_task *task,
			       const struct kernel_stack *stack, u32 frame, const struct origin *origin)
{
	u64 value;

	for (s32 i = 0; i < origins->set->nr_registers; i++) {
		const struct origin *has = &origins->of[i];

		if (has->nr_loads != origin->nr_loads || has->reg == INSTRUCTION_NO_REGISTER || !origin_same_loads(has, origin, origin->nr_loads) ||
		    !frame_register(&value, kernel, task, stack, frame, i))
			continue;
		*ret = value - (u64)(s64)has->plus + (u64)(s64)origin->plus;
		return true;
	}
	return false;
}

/* A register has the pointer by which it was read, and memory what is there now. */
static bool value_in_memory(u64 *ret, const struct origins *origins, const struct kernel *kernel, const struct kernel_task *task,
			    const struct kernel_stack *stack, u32 frame, const struct origin *origin)
{
	struct origin by = *origin;
	u64 address, value;

	if (!by.nr_loads)
		return false;
	by.plus = by.loads[--by.nr_loads];
	if (!value_in_registers(&address, origins, kernel, task, stack, frame, &by) || !vmem_number(kernel->vmem, address, 8, &value))
		return false;
	*ret = value + (u64)(s64)origin->plus;
	return true;
}

/* The code of what called the function of @frame by its name, at that call. */
static bool read_calling_code(struct function_code *code, const struct kernel *kernel, const struct kernel_stack *stack, u32 frame, u64 called)
{
	struct instruction call;

	return frame + 1 < stack->nr_sure && !stack->frames[frame].regs && read_frame_code(code, kernel, &stack->frames[frame + 1]) &&
	       tail_jump_call_before(&call, code) && call.target == called;
}

static bool find_value(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame,
		       const struct function_code *code, const struct origin *origin, bool is_now)
{
	struct origins *origins = malloc(sizeof(*origins));
	struct function_code *at = malloc(sizeof(*at));
	struct origin wanted = *origin;
	struct err err = ERR_INIT;
	bool is_found = false;

	if (origins && at)
		*at = *code;
	for (u32 i = 0; origins && at && i < MOST_CALLERS && wanted.reg != INSTRUCTION_NO_REGISTER && !origins_find(origins, at, &err) && origins->are_certain; i++) {
		is_found = value_in_registers(ret, origins, kernel, task, stack, frame, &wanted) ||
			   (is_now && value_in_memory(ret, origins, kernel, task, stack, frame, &wanted));
		/* What it was given and did not keep, its caller may have kept. */
		if (is_found || wanted.nr_loads || wanted.reg >= INSTRUCTION_REGISTERS || !read_calling_code(at, kernel, stack, frame, at->start) ||
		    origins_find(origins, at, &err) || !origins->are_certain)
			break;
		origin = &origins->of[wanted.reg];
		wanted = (struct origin){ .reg = origin->reg, .address = origin->address, .nr_loads = origin->nr_loads, .plus = origin->plus + wanted.plus };
		memcpy(wanted.loads, origin->loads, sizeof(wanted.loads));
		memcpy(wanted.read_at, origin->read_at, sizeof(wanted.read_at));
		frame++;
	}
	free(at);
	free(origins);
	return is_found;
}

bool frame_value(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame,
		 const struct function_code *code, const struct origin *origin)
{
	return find_value(ret, kernel, task, stack, frame, code, origin, false);
}

bool frame_value_now(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame,
		     const struct function_code *code, const struct origin *origin)
{
	return find_value(ret, kernel, task, stack, frame, code, origin, true);
}

bool frame_given(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame,
		 const struct function_code *code, u32 at)
{
	struct function_code *there = malloc(sizeof(*there));
	struct origins *origins = malloc(sizeof(*origins));
	struct err err = ERR_INIT;
	struct argument argument;
	bool is = false;

	if (argument_read(&argument, code, at) && argument.base == INSTRUCTION_NO_REGISTER) {
		*ret = (u64)argument.offset;
		is = true;
	} else if (there && origins) {
		*there = *code;
		there->at = at;
		if (!origins_find(origins, there, &err)) {
			const struct origin *of = &origins->of[there->set->arguments[0]];

			if (of->reg == ORIGIN_ADDRESS && !of->nr_loads)
				*ret = of->address + (u64)(s64)of->plus;
			is = (of->reg == ORIGIN_ADDRESS && !of->nr_loads) ||
			     (of->reg != INSTRUCTION_NO_REGISTER && frame_value(ret, kernel, task, stack, frame, code, of));
		}
	}
	free(origins);
	free(there);
	return is;
}
