// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame_register.h"

#include <stdlib.h>
#include <string.h>

#include "instruction.h"
#include "kernel_state/cpu_regs.h"
#include "linux_kernel/vmem.h"
#include "tail_jump.h"

#define MOST_CALLERS	4

/* "rbx", as an instruction has it. */
static const char *const names[INSTRUCTION_REGISTERS] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15" };

static const u8 saved_by_interrupt[INSTRUCTION_REGISTERS] = {
	KREG_AX, KREG_CX, KREG_DX, KREG_BX, KREG_SP, KREG_BP, KREG_SI, KREG_DI, KREG_R8, KREG_R9, KREG_R10, KREG_R11, KREG_R12, KREG_R13, KREG_R14, KREG_R15,
};

/* Functions keep these for their callers. */
static bool is_kept(s32 reg)
{
	return reg == 3 || reg == 5 || (reg >= 12 && reg <= 15);
}

enum keeping { KEEPS_NOT_SEEN, KEEPS_UNTOUCHED, KEEPS_ON_STACK };

/* Up to where the function is. @depth: of the word that has it, below its return address. */
static enum keeping look_how_kept(u32 *depth, const struct function_code *code, s32 reg)
{
	bool is_start = true, is_written = false;
	struct instruction one;
	u32 nr = 0;

	if (!code->is_whole || code->from || code->at >= code->len)
		return KEEPS_NOT_SEEN;
	for (u32 at = 0; at < code->len; at += one.len) {
		bool is_push;

		if (!instruction_decode(&one, code->bytes + at, code->len - at, code->start + at))
			return KEEPS_NOT_SEEN;
		is_push = !strncmp(one.text, "push ", 5);
		if (is_start && is_push && !strcmp(one.text + 5, names[reg])) {
			*depth = nr;
			return !is_written && at < code->at ? KEEPS_ON_STACK : KEEPS_NOT_SEEN;
		}
		nr += is_push;
		/* The tracer's call is the first, and keeps all. */
		is_start &= !one.jumps && !(one.is_call && at > 4) && (is_push || !(one.written & 1U << 4) || (one.is_call && at <= 4));
		is_written |= (one.written & 1U << reg) && !(one.is_call && at <= 4);
	}
	return is_written || code->cold_start ? KEEPS_NOT_SEEN : KEEPS_UNTOUCHED;
}

static bool read_frame_code(struct function_code *code, const struct kernel *kernel, const struct kernel_frame *frame)
{
	char name[KERNEL_SYMBOL_MAX];

	return kernel_frame_name(kernel, frame, name, sizeof(name)) && function_code_read_caller(code, kernel, (struct report_text){ name, strlen(name) });
}

bool frame_register(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame, s32 reg)
{
	struct function_code *code = malloc(sizeof(*code));
	enum keeping keeping = KEEPS_UNTOUCHED;
	struct kernel_regs regs;
	bool is_found = false;

	if (!code || !instruction_can_decode() || reg < 0 || reg >= INSTRUCTION_REGISTERS) {
		free(code);
		return false;
	}
	for (u32 i = frame; keeping == KEEPS_UNTOUCHED && !is_found; i--) {
		u32 depth = 0;

		if (stack->frames[i].regs || (!i && task->is_running)) {
			is_found = stack->frames[i].regs ? kernel_saved_regs(kernel, stack->frames[i].regs, 0, &regs) : kernel_cpu_regs(kernel, task->cpu, &regs);
			*ret = is_found ? regs.r[saved_by_interrupt[reg]] : 0;
			break;
		}
		if (!i || !is_kept(reg) || !stack->frames[i - 1].top || !read_frame_code(code, kernel, &stack->frames[i - 1]))
			break;
		keeping = look_how_kept(&depth, code, reg);
		/* Below the end of its part: the return address, and then what it kept. */
		if (keeping == KEEPS_ON_STACK)
			is_found = vmem_number(kernel->vmem, stack->frames[i - 1].top - 16 - 8ULL * depth, 8, ret);
	}
	free(code);
	return is_found;
}

/* A register of the function still has the value, or what lies beside it. */
static bool value_in_registers(u64 *ret, const struct origins *origins, const struct kernel *kernel, const struct kernel_task *task,
			       const struct kernel_stack *stack, u32 frame, const struct origin *origin)
{
	u64 value;

	for (s32 i = 0; i < INSTRUCTION_REGISTERS; i++) {
		const struct origin *has = &origins->of[i];

		if (has->nr_loads != origin->nr_loads || has->reg == INSTRUCTION_NO_REGISTER || !origin_same_loads(has, origin, origin->nr_loads) ||
		    !frame_register(&value, kernel, task, stack, frame, i))
			continue;
		*ret = value - (u64)(s64)has->plus + (u64)(s64)origin->plus;
		return true;
	}
	return false;
}

/* The code of what called the function of @frame by its name, at that call. */
static bool read_calling_code(struct function_code *code, const struct kernel *kernel, const struct kernel_stack *stack, u32 frame, u64 called)
{
	struct instruction call;

	return frame + 1 < stack->nr_sure && !stack->frames[frame].regs && read_frame_code(code, kernel, &stack->frames[frame + 1]) &&
	       tail_jump_call_before(&call, code) && call.target == called;
}

bool frame_value(u64 *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame,
		 const struct function_code *code, const struct origin *origin)
{
	struct origins *origins = malloc(sizeof(*origins));
	struct function_code *at = malloc(sizeof(*at));
	struct origin wanted = *origin;
	struct err err = ERR_INIT;
	bool is_found = false;

	if (origins && at)
		*at = *code;
	for (u32 i = 0; origins && at && i < MOST_CALLERS && wanted.reg != INSTRUCTION_NO_REGISTER && !origins_find(origins, at, &err) && origins->are_certain; i++) {
		is_found = value_in_registers(ret, origins, kernel, task, stack, frame, &wanted);
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
