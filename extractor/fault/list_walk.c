// SPDX-License-Identifier: GPL-2.0-or-later
#include "list_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_half.h"
#include "instruction/built_address.h"
#include "frame_register.h"
#include "instruction/instruction.h"
#include "kernel_state/slab.h"
#include "linux_kernel/vmem.h"

#define MOST_STEPS	100000
#define MOST_FRAMES	24
#define NEAR		6	/* instructions */

/* The head of "cmp rbx, 0xffffffffc0434010" that is a variable; 0: it is no such compare of @node. */
static u64 compared_address(const struct instruction *instruction, const struct built_addresses *built, s32 node)
{
	s32 other = instruction->compared[1];
	u64 address = other < 0 ? (u64)instruction->number : built->of[other];

	return instruction->compared[0] == node && (other < 0 || built->known & 1U << other) && in_kernel_half(address) && address % 8 == 0 ? address : 0;
}

/* Does @node come round to itself, without @head? */
static bool comes_round(u32 *nr, u64 *other, const struct kernel *kernel, u64 node, u64 head)
{
	struct kernel_object object;
	bool has_object = kernel_object_at(kernel, head, &object);
	u64 at = node;

	*other = 0;
	for (*nr = 0; *nr < MOST_STEPS; ) {
		if (!vmem_number(kernel->vmem, at, 8, &at) || !at || at == head)
			return false;
		++*nr;
		if (!*other && (kernel_modules_at(kernel->modules, at) || (has_object && at - object.start < object.size)))
			*other = at;
		if (at == node)
			return true;
	}
	return false;
}

static bool is_head(const struct kernel *kernel, u64 head)
{
	u64 next, back;

	return vmem_number(kernel->vmem, head, 8, &next) && vmem_number(kernel->vmem, next + 8, 8, &back) && back == head;
}

/*
 * A register of which the next one is read: "mov rbx, [rbx]", or "mov rax, [rbx + 0x10]" with "lea rbx, [rax - 0x10]" and a compare of rax.
 * @node: which register has the node behind that; @offset: of the node in what @cursor points to
 */
static bool takes_next(const struct function_code *code, const struct instruction *load, s32 *cursor, s32 *node, s64 *offset)
{
	struct instruction one;

	*cursor = load->from;
	*node = load->to;
	*offset = load->plus;
	if (load->to == load->from)
		return !load->plus;
	for (u32 at = 0; at < code->len; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return false;
		if (one.effect == INSTRUCTION_COPY && one.to == load->from && one.from == load->to && one.plus == -load->plus)
			return true;
	}
	return false;
}

/*
 * The register of the head with which @node is compared right behind its read, up to @at: what comes behind a jump is of another loop.
 * @address: not 0: there is none, the head is there
 * @built: at @at
 */
static s32 compared_with(const struct function_code *code, u32 at, s32 node, u64 *address, struct built_addresses built)
{
	struct instruction one;

	*address = 0;
	for (u32 nr = 0; at < code->len && nr < NEAR; at += one.len, nr++) {
		if (!function_code_decode(code, at, &one) || one.is_call || one.jumps || one.written & 1U << node)
			break;
		*address = compared_address(&one, &built, node);
		if (*address)
			break;
		if (one.compared[1] >= 0 && one.compared[0] != one.compared[1] && (one.compared[0] == node || one.compared[1] == node))
			return one.compared[one.compared[0] == node];
		built_addresses_step(&built, &one, INSTRUCTION_NO_REGISTER);
	}
	return INSTRUCTION_NO_REGISTER;
}

/*
 * "mov rbx, [rbx + 8]" and "sub rbx, 8" behind it, at @at: the registers of the loop have entries, and the nodes lie so far behind their
 * start. Return: the length of the second; 0: it is not so.
 */
static u32 takes_entry(const struct function_code *code, const struct instruction *load, u32 at)
{
	struct instruction one;

	return load->to == load->from && load->plus && function_code_decode(code, at, &one) && one.effect == INSTRUCTION_COPY &&
			       one.to == load->to && one.from == load->to && one.plus == -load->plus ? one.len : 0;
}

/* "test rdi, rdi", "cbnz x0, ...": of the register that the load at @load writes. */
static bool tests_null(const struct instruction *load, const struct instruction *one)
{
	char loaded[8], first[8], second[8];

	return (one->jumps && one->tested == load->to) ||
	       (sscanf(load->text, "mov %7[a-z0-9],", loaded) == 1 && sscanf(one->text, "test %7[a-z0-9], %7[a-z0-9]", first, second) == 2 &&
		!strcmp(first, loaded) && !strcmp(second, loaded));
}

/* Right behind the load, which ends at @at: a test of what it read, and a jump back over the place where the function is. */
static bool is_round(const struct function_code *code, const struct instruction *load, u32 at)
{
	struct instruction one;
	bool is_tested = false;

	for (u32 nr = 0; at < code->len && nr < NEAR; at += one.len, nr++) {
		u64 target;

		if (!function_code_decode(code, at, &one) || one.is_call || one.written & 1U << load->to)
			return false;
		is_tested |= tests_null(load, &one);
		target = one.target - code->start;
		if (is_tested && one.jumps)
			return target <= code->at && target < at && code->at <= at + one.len;
		if (one.jumps)
			return false;
	}
	return false;
}

/* Of the load in front of @at: "mov rdi, [rdi + 0x10]". Calls would have changed what @code reads of an element before it. */
static bool chain_of_load(struct list_walk *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame,
			  const struct function_code *code, const struct instruction *load, u32 at)
{
	u64 node;

	if (load->effect != INSTRUCTION_LOAD || load->to != load->from || !is_round(code, load, at) ||
	    !frame_register(&ret->entry, kernel, task, stack, frame, load->to) || !in_kernel_half(ret->entry))
		return false;
	node = ret->entry;
	for (ret->nr = 0; ret->nr < MOST_STEPS; ) {
		if (!vmem_number(kernel->vmem, node + (u64)load->plus, 8, &node) || !node)
			return false;
		ret->nr++;
		if (node == ret->entry) {
			ret->is_chain = true;
			ret->next_at = load->plus;
			return true;
		}
	}
	return false;
}

/* Of the load in front of @at. */
static bool walk_of_load(struct list_walk *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame,
			 const struct function_code *code, const struct instruction *load, u32 at, const struct built_addresses *built)
{
	s32 cursor = load->from, node, head;
	s64 offset = load->plus;
	u32 behind;
	u64 entry;

	if (load->effect != INSTRUCTION_LOAD)
		return false;
	behind = takes_entry(code, load, at);
	head = compared_with(code, at + behind, load->to, &ret->head, *built);
	if ((head < 0 && !ret->head) || (!behind && !takes_next(code, load, &cursor, &node, &offset)) || !frame_register(&entry, kernel, task, stack, frame, cursor) ||
	    (head >= 0 && !frame_register(&ret->head, kernel, task, stack, frame, head)))
		return false;
	ret->entry = entry + (u64)offset;
	ret->head += behind ? (u64)offset : 0;
	return ret->entry != ret->head && is_head(kernel, ret->head) && comes_round(&ret->nr, &ret->other, kernel, ret->entry, ret->head);
}

static bool walk_of_frame(struct list_walk *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack, u32 frame,
			  struct function_code *code)
{
	struct built_addresses built = { .known = 0 };
	struct instruction one;

	if (!kernel_frame_name(kernel, &stack->frames[frame], ret->function, sizeof(ret->function)) ||
	    !function_code_read_caller(code, kernel, (struct report_text){ ret->function, strlen(ret->function) }) || !code->is_whole || code->from)
		return false;
	for (u32 at = 0; at < code->len; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return false;
		built_addresses_step(&built, &one, INSTRUCTION_NO_REGISTER);
		if (walk_of_load(ret, kernel, task, stack, frame, code, &one, at + one.len, &built) ||
		    chain_of_load(ret, kernel, task, stack, frame, code, &one, at + one.len))
			return true;
	}
	return false;
}

bool list_walk_find(struct list_walk *ret, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack)
{
	struct function_code *code = malloc(sizeof(*code));
	bool is_found = false;

	*ret = (struct list_walk){ .nr = 0 };
	for (u32 i = 0; code && kernel->modules && instruction_can_decode() && i < stack->nr_sure && i < MOST_FRAMES && !is_found; i++)
		is_found = kernel_modules_at(kernel->modules, stack->frames[i].ip) && walk_of_frame(ret, kernel, task, stack, i, code);
	free(code);
	return is_found;
}
