// SPDX-License-Identifier: GPL-2.0-or-later
#include "idle_step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_half.h"
#include "fault/frame_register.h"
#include "fault/member_writers.h"
#include "linux_kernel/vmem.h"
#include "words.h"

#define MOST_LEN	512	/* bytes of such a loop */
#define MOST_STEPS	128	/* instructions of it */
#define NEAR		3	/* from the read of the sum to the jump */

struct idle_loop {
	struct instruction list[MOST_STEPS];
	u64 at[MOST_STEPS];
	u32 nr;
	u64 start, end;
	u32 written;
};

/* From @start up to the jump back at @end. */
static bool read_idle_loop(struct idle_loop *loop, const struct function_code *code, u32 start, u32 end)
{
	loop->nr = 0;
	loop->written = 0;
	loop->start = code->start + start;
	loop->end = code->start + end;
	for (u32 at = start; at < end; at += loop->list[loop->nr++].len) {
		if (loop->nr == MOST_STEPS || !function_code_decode(code, at, &loop->list[loop->nr]))
			return false;
		loop->at[loop->nr] = code->start + at;
		loop->written |= loop->list[loop->nr].written;
	}
	return true;
}

/* One plain place behind a register: its access. NULL: it is none. */
static const struct instruction_access *plain_access(const struct instruction *one, bool writes)
{
	const struct instruction_access *access = &one->accesses[0];

	return one->nr_accesses == 1 && access->writes == writes && access->reads != writes && access->base >= 0 && access->index < 0 &&
	       !access->is_relative && !access->is_absolute ? access : NULL;
}

/* "mov eax, ..." of "add eax, ...": the first operand's name. */
static bool first_operand(char name[8], const struct instruction *one)
{
	return sscanf(one->text, "%*s %7[a-z0-9],", name) == 1;
}

/* "mov dword ptr [rbx + 0x10], eax" of that register. */
static bool stores(const struct instruction *one, const char *name)
{
	const char *comma = strrchr(one->text, ',');

	return comma && !strncmp(one->text, "mov ", 4) && !strcmp(comma + 2, name);
}

/* Leaves the loop behind a test of that place, which number @i reads? */
static bool is_way_out(const struct idle_loop *loop, u32 i)
{
	char name[8], tested[24];

	if (!first_operand(name, &loop->list[i]) || strncmp(loop->list[i].text, "mov ", 4))
		return !strncmp(loop->list[i].text, "cmp ", 4) && i + 1 < loop->nr && loop->list[i + 1].jumps && loop->list[i + 1].goes_on &&
		       loop->list[i + 1].target - loop->start >= loop->end - loop->start;
	snprintf(tested, sizeof(tested), "test %s, %s", name, name);
	for (u32 k = i + 1; k + 1 < loop->nr && k < i + NEAR; k++) {
		const struct instruction *jump = &loop->list[k + 1];
		char compared[8];

		if (strcmp(loop->list[k].text, tested) &&
		    (strncmp(loop->list[k].text, "cmp ", 4) || !first_operand(compared, &loop->list[k]) || strcmp(compared, name)))
			continue;
		return jump->jumps && jump->goes_on && jump->target - loop->start >= loop->end - loop->start;
	}
	return false;
}

/* Is the sum that number @store writes what the loop leaves by? */
static bool ends_by(const struct idle_loop *loop, const struct instruction_access *sum)
{
	for (u32 i = 0; i < loop->nr; i++) {
		const struct instruction_access *access = plain_access(&loop->list[i], false);

		if (access && access->base == sum->base && access->offset == sum->offset && access->size == sum->size && is_way_out(loop, i))
			return true;
	}
	return false;
}

/* Of the step that number @add adds. */
static bool take_idle_step(struct idle_step *ret, const struct idle_loop *loop, u32 add)
{
	const struct instruction_access *step = plain_access(&loop->list[add], false), *sum;
	char name[8];

	if (!step || (strncmp(loop->list[add].text, "add ", 4) && strncmp(loop->list[add].text, "sub ", 4)) || !first_operand(name, &loop->list[add]) ||
	    !(loop->list[add].set->kept & 1U << step->base) || loop->written & 1U << step->base)
		return false;
	for (u32 i = add + 1; i < loop->nr && !loop->list[i].is_call && !loop->list[i].jumps; i++) {
		sum = plain_access(&loop->list[i], true);
		if (!sum || !stores(&loop->list[i], name))
			continue;
		*ret = (struct idle_step){ step->base, step->offset, step->size, sum->base, sum->offset, sum->size };
		return step->size == sum->size && ends_by(loop, sum);
	}
	return false;
}

/* How many instructions of the loop write the register. */
static u32 nr_writing(const struct idle_loop *loop, s32 reg)
{
	u32 nr = 0;

	for (u32 i = 0; i < loop->nr; i++)
		nr += loop->list[i].written >> reg & 1;
	return nr;
}

/* Is the sum in the register @name compared right behind number @add with one that the loop keeps, and does that end it or go on? */
static bool is_compared(const struct idle_loop *loop, u32 add, const char *name)
{
	const struct instruction *cmp = &loop->list[add + 1], *jump = &loop->list[add + 2];
	char first[8], second[8];

	return add + 2 < loop->nr && !cmp->nr_accesses && sscanf(cmp->text, "cmp %7[a-z0-9], %7[a-z0-9]", first, second) == 2 && jump->jumps && jump->goes_on &&
	       (!strcmp(first, name) || !strcmp(second, name)) && (jump->target == loop->start || jump->target - loop->start >= loop->end - loop->start);
}

/* "movzx eax, word ptr [rbp + 2]; add ebx, eax; cmp ebx, r12d; jb": the sum of it is in a register. */
static bool take_idle_register(struct idle_step *ret, const struct idle_loop *loop, u32 add)
{
	const struct instruction *one = &loop->list[add], *load = add ? &loop->list[add - 1] : one;
	const struct instruction_access *step;
	char sum[8], from[8], loaded[8];

	if (sscanf(one->text, "add %7[a-z0-9], %7[a-z0-9]", sum, from) != 2 || one->nr_accesses || !one->written || one->written & (one->written - 1) ||
	    strncmp(load->text, "mov", 3) || !first_operand(loaded, load) || strcmp(loaded, from))
		return false;
	step = plain_access(load, false);
	if (!step || !(one->set->kept & 1U << step->base) || loop->written & 1U << step->base || nr_writing(loop, __builtin_ctz(one->written)) != 1 ||
	    !is_compared(loop, add, sum))
		return false;
	*ret = (struct idle_step){ step->base, step->offset, step->size, __builtin_ctz(one->written), 0, 0 };
	return true;
}

bool idle_step_find(struct idle_step *ret, const struct function_code *code)
{
	struct idle_loop *loop = malloc(sizeof(*loop));
	struct instruction one;
	bool is = false;

	for (u32 at = 0; loop && !code->from && at < code->len && !is && function_code_decode(code, at, &one); at += one.len) {
		u64 start = one.target - code->start;

		if (!one.jumps || !one.target || start > code->at || at < code->at || at + one.len - start > MOST_LEN ||
		    !read_idle_loop(loop, code, (u32)start, at + one.len))
			continue;
		for (u32 i = 0; i < loop->nr && !is; i++)
			is = take_idle_step(ret, loop, i) || take_idle_register(ret, loop, i);
	}
	free(loop);
	return is;
}

static void claim_step(struct explain *explain, const struct function_code *code, struct report_text at, const struct idle_step *step, u64 base)
{
	struct finding *finding = explain->finding;
	char place[2 * WORDS_FUNCTION], writer[2 * WORDS_FUNCTION], sum[60];
	struct member_writers writers;

	words_place(place, at);
	if (step->sum_size)
		snprintf(sum, sizeof(sum), "0x%llx behind what %s points to", (u64)step->sum_offset, instruction_register(code->set, step->sum_base));
	else
		snprintf(sum, sizeof(sum), "in %s", instruction_register(code->set, step->sum_base));
	finding_claim(finding, finding->kind, FINDING_LIKELY,
		      "%s goes round a loop that it leaves by what it adds up, %s; what it adds each time, %u bytes at 0x%llx of %016llx, is 0.",
		      place, sum, step->size, (u64)step->offset, base);
	if (!member_writers_find_sized(&writers, explain->kernel, code->start, step->offset, step->size) || writers.nr + writers.nr_clearing != 1) {
		finding_open(finding, "Who set that to 0, or to a number that became 0, as by a division.");
		return;
	}
	words_place(writer, writers.nr ? (struct report_text){ writers.name, strlen(writers.name) } : (struct report_text){ writers.clearing, strlen(writers.clearing) });
	finding_open(finding, "Whether %s made it 0, as by a division: that alone, of what this module has, writes %u bytes 0x%llx behind the start of an object.", writer,
		     step->size, (u64)step->offset);
}

bool idle_step_claim(struct explain *explain)
{
	struct function_code *code = explain->kernel && explain->cause && explain->cause->place.text && instruction_can_decode() ? malloc(sizeof(*code)) : NULL;
	struct fault_text regs = { 0 };
	struct idle_step step = { 0 };
	bool is = false;
	u64 base, value;

	if (code && function_code_read(code, explain->kernel, explain->death, explain->cause) && code->start && idle_step_find(&step, code)) {
		words_registers_below(&regs, explain, explain->cause->place);
		is = fault_text_register(&regs, instruction_register(code->set, step.base), &base) && in_kernel_half(base) &&
		     vmem_number(explain->kernel->vmem, base + (u64)step.offset, step.size, &value) && !value;
	}
	if (is)
		claim_step(explain, code, explain->cause->place, &step, base);
	free(code);
	return is;
}

#define MOST_FRAMES	4	/* from where the CPU was */

/* Is the place of @code in a loop at all? Then that one may be the one without end. */
static bool is_in_loop(const struct function_code *code)
{
	struct instruction one;

	for (u32 at = 0; !code->from && at < code->len; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return true;
		if (one.jumps && at >= code->at && one.target - code->start <= code->at)
			return true;
	}
	return code->from;
}

bool idle_step_claim_caller(struct explain *explain, const struct kernel_task *task, const struct kernel_stack *stack)
{
	const struct kernel *kernel = explain->pm->kernel;
	struct function_code *code = instruction_can_decode() ? malloc(sizeof(*code)) : NULL;
	char name[KERNEL_SYMBOL_MAX], function[WORDS_FUNCTION], here[WORDS_FUNCTION];
	struct idle_step step = { 0 };
	bool is = false, is_open;
	u64 base, value;
	u32 i = 0;

	words_function(here, explain->cause->place);
	while (i < stack->nr_sure && !(kernel_frame_name(kernel, &stack->frames[i], name, sizeof(name)) &&
				       (words_function(function, (struct report_text){ name, strlen(name) }), !strcmp(function, here))))
		i++;
	is_open = code && function_code_read(code, kernel, explain->death, explain->cause) && !is_in_loop(code);
	for (u32 k = i + 1; is_open && k < stack->nr_sure && k < i + MOST_FRAMES && !is; k++) {
		struct report_text frame = { name, kernel_frame_name(kernel, &stack->frames[k], name, sizeof(name)) };

		is_open = frame.len && !stack->frames[k].regs && function_code_read_caller(code, kernel, frame);
		is = is_open && idle_step_find(&step, code) && frame_register(&base, kernel, task, stack, k, step.base) && in_kernel_half(base) &&
		     vmem_number(kernel->vmem, base + (u64)step.offset, step.size, &value) && !value;
		if (is)
			claim_step(explain, code, frame, &step, base);
		is_open = is_open && !is_in_loop(code);
	}
	free(code);
	return is;
}
