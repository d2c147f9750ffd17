// SPDX-License-Identifier: GPL-2.0-or-later
#include "origins.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PASSES	200	/* a loop in a loop takes a few */
#define FARTHEST	(1 << 24)	/* of an offset */

/**
 * struct code_step - an instruction, and the origins before it
 * @at: its offset: from the function's start, or behind @size of it in the part that lies apart
 * @is_reached: by a way from the function's start
 */
struct code_step {
	struct instruction instruction;
	u32 at;
	bool is_reached;
	struct origin of[INSTRUCTION_REGISTERS];
};

/**
 * struct flow - the function
 * @number: of the step at each offset; -1: none begins there
 */
struct flow {
	const struct function_code *code;
	struct code_step *steps;
	u32 nr;
	s32 *number;
	bool is_certain;
};

bool origin_same_loads(const struct origin *a, const struct origin *b, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (a->loads[i] != b->loads[i] || a->read_at[i] != b->read_at[i] || a->read_at[i] == ORIGIN_SEVERAL)
			return false;
	return a->reg == b->reg && a->address == b->address && a->called_at == b->called_at && a->called_at != ORIGIN_SEVERAL;
}

/* Did both come from the same place, whichever instruction read it? */
static bool same_path(const struct origin *a, const struct origin *b)
{
	return a->reg == b->reg && a->address == b->address && a->nr_loads == b->nr_loads && a->plus == b->plus &&
	       !memcmp(a->loads, b->loads, a->nr_loads * sizeof(*a->loads));
}

static void forget(struct origin *origin)
{
	*origin = (struct origin){ .reg = INSTRUCTION_NO_REGISTER };
}

/* --- one instruction ------------------------------------------------------ */

/* The variable of each CPU that has its task: since 6.2 the first of pcpu_hot. */
static bool is_of_current(const struct function_code *code, u64 variable)
{
	u64 address;

	return code->kernel && code->kernel->kallsyms &&
	       (kallsyms_address(code->kernel->kallsyms, "current_task", &address) || kallsyms_address(code->kernel->kallsyms, "pcpu_hot", &address)) &&
	       address == variable;
}

/* What @step reads @more bytes behind where it reads, or copies. */
static struct origin origin_given(const struct function_code *code, const struct origin of[INSTRUCTION_REGISTERS], const struct code_step *step, s64 more)
{
	const struct instruction *instruction = &step->instruction;
	bool is_fixed = instruction->effect == INSTRUCTION_ADDRESS || instruction->effect == INSTRUCTION_PAGE || instruction->effect == INSTRUCTION_VARIABLE;
	bool is_load = instruction->effect == INSTRUCTION_LOAD || instruction->effect == INSTRUCTION_VARIABLE;
	struct origin origin = is_fixed ? (struct origin){ .reg = ORIGIN_ADDRESS, .address = (u64)instruction->plus } :
			       instruction->from < 0 ? (struct origin){ .reg = INSTRUCTION_NO_REGISTER } : of[instruction->from];
	s64 plus = (is_fixed ? 0 : origin.plus + instruction->plus) + more;

	if (instruction->effect == INSTRUCTION_OF_TASK ||
	    (instruction->effect == INSTRUCTION_OF_CPU && is_of_current(code, (u64)instruction->plus)))
		return (struct origin){ .reg = ORIGIN_CURRENT };
	if (origin.reg == INSTRUCTION_NO_REGISTER || plus <= -FARTHEST || plus >= FARTHEST || (is_load && origin.nr_loads == ORIGIN_LOADS)) {
		forget(&origin);
	} else if (is_load) {
		origin.read_at[origin.nr_loads] = (s32)step->at;
		origin.loads[origin.nr_loads++] = (s32)plus;
		origin.plus = 0;
		origin.is_before_call = false;
	} else {
		origin.plus = (s32)plus;
	}
	return origin;
}

static void copy_origin(const struct function_code *code, struct origin of[INSTRUCTION_REGISTERS], const struct code_step *step)
{
	const struct instruction *instruction = &step->instruction;
	struct origin first = origin_given(code, of, step, 0), second = origin_given(code, of, step, 8);

	for (s32 i = 0; i < code->set->nr_registers; i++)
		if (instruction->written & 1U << i)
			forget(&of[i]);
	of[instruction->to] = first;
	if (instruction->second >= 0)
		of[instruction->second] = second;
}

static void go_through(const struct function_code *code, struct origin of[INSTRUCTION_REGISTERS], const struct code_step *step)
{
	const struct instruction *instruction = &step->instruction;

	if (function_code_is_tracer(code, step->at, &step->instruction))
		return;
	if (instruction->effect != INSTRUCTION_OTHER && instruction->effect != INSTRUCTION_NUMBER) {
		copy_origin(code, of, step);
		return;
	}
	for (s32 i = 0; i < code->set->nr_registers; i++)
		if (instruction->written & 1U << i)
			forget(&of[i]);
		else if (instruction->is_call)
			of[i].is_before_call = of[i].nr_loads;
	if (instruction->is_call && instruction->target)
		of[code->set->result] = (struct origin){ .reg = ORIGIN_RESULT, .address = instruction->target, .called_at = (s32)step->at };
}

/* --- the ways ------------------------------------------------------------- */

/* Has @origin changed by @other, which comes to the same place? */
static bool merge_origin(struct origin *origin, const struct origin *other)
{
	bool changed = false;

	if (origin->reg == INSTRUCTION_NO_REGISTER)
		return false;
	if (!same_path(origin, other)) {
		forget(origin);
		return true;
	}
	for (u32 i = 0; i < origin->nr_loads; i++) {
		if (origin->read_at[i] == ORIGIN_SEVERAL || origin->read_at[i] == other->read_at[i])
			continue;
		origin->read_at[i] = ORIGIN_SEVERAL;
		changed = true;
	}
	if (origin->called_at != other->called_at && origin->called_at != ORIGIN_SEVERAL) {
		origin->called_at = ORIGIN_SEVERAL;
		changed = true;
	}
	if (other->is_before_call && !origin->is_before_call)
		origin->is_before_call = changed = true;
	return changed;
}

/* Has @step changed by what comes to it? */
static bool merge(struct code_step *step, const struct origin of[INSTRUCTION_REGISTERS], s32 nr_registers)
{
	bool changed = false;

	if (!step->is_reached) {
		memcpy(step->of, of, sizeof(step->of));
		step->is_reached = true;
		return true;
	}
	for (s32 i = 0; i < nr_registers; i++)
		changed |= merge_origin(&step->of[i], &of[i]);
	return changed;
}

static bool merge_at(struct flow *flow, u64 at, const struct origin of[INSTRUCTION_REGISTERS])
{
	s32 number = at < 2ULL * FUNCTION_CODE_MAX ? flow->number[at] : -1;

	if (number >= 0)
		return merge(&flow->steps[number], of, flow->code->set->nr_registers);
	flow->is_certain = false;
	return false;
}

/*
 * To another function, which returns to our caller? The log alone does not say what is there: what
 * stands in the place of a return is one, unless code follows.
 */
static bool leaves(const struct flow *flow, const struct code_step *step)
{
	bool is_last = step + 1 == flow->steps + flow->nr || step[1].instruction.is_trap;

	if (!flow->code->kernel)
		return !step->instruction.goes_on && is_last;
	return function_code_leaves_to(flow->code, step->instruction.target);
}

static bool follow_jump(struct flow *flow, const struct code_step *step, const struct origin of[INSTRUCTION_REGISTERS])
{
	const struct function_code *code = flow->code;
	u64 target = step->instruction.target;

	/* By a table, or to another function: it cannot be seen which. A kernel with thunks has no tables. */
	if (!target && step->instruction.called != INSTRUCTION_NO_REGISTER && function_code_has_no_tables(code))
		return false;
	if (!target) {
		flow->is_certain = false;
		return false;
	}
	if (target - code->start < code->size)
		return merge_at(flow, target - code->start, of);
	if (code->cold_start && target - code->cold_start < code->cold_len)
		return merge_at(flow, FUNCTION_CODE_MAX + (target - code->cold_start), of);
	if (!leaves(flow, step))
		flow->is_certain = false;
	return false;
}

static bool follow_step(struct flow *flow, const struct code_step *step)
{
	u32 end = step->at < FUNCTION_CODE_MAX ? flow->code->len : FUNCTION_CODE_MAX + flow->code->cold_len;
	u32 next = step->at + step->instruction.len;
	struct origin of[INSTRUCTION_REGISTERS];
	bool changed = false;

	if (step->instruction.is_trap)
		flow->is_certain = false;
	memcpy(of, step->of, sizeof(of));
	go_through(flow->code, of, step);
	if (step->instruction.jumps)
		changed |= follow_jump(flow, step, of);
	if (step->instruction.goes_on && next < end)
		changed |= merge_at(flow, next, of);
	return changed;
}

static void follow_all(struct flow *flow)
{
	bool changed = true;
	u32 pass = 0;

	for (; changed && pass < MOST_PASSES; pass++) {
		changed = false;
		for (u32 i = 0; i < flow->nr; i++)
			if (flow->steps[i].is_reached)
				changed |= follow_step(flow, &flow->steps[i]);
	}
	/* Then more might be forgotten. */
	if (changed)
		for (u32 i = 0; i < flow->nr; i++)
			flow->steps[i].is_reached = false;
}

/* --- decoding ------------------------------------------------------------- */

/* What opens user space to the kernel, or reads it as a program would: a fault there may go on elsewhere. */
static bool is_for_user(const char *text)
{
	return !strcmp(text, "stac") || !strncmp(text, "ldtr", 4) || !strncmp(text, "sttr", 4);
}

/*
 * From @at on, up to what is no code; @bytes are at address @ip. The last function of a module has the zeros behind it: only a way that
 * comes to them is not certain.
 */
static void decode_part(struct flow *flow, u32 at, const u8 *bytes, u32 len, u64 ip)
{
	for (u32 done = 0; done < len; ) {
		struct code_step *step = &flow->steps[flow->nr];

		if (!instruction_decode(&step->instruction, flow->code->set, bytes + done, len - done, ip + done))
			return;
		if (is_for_user(step->instruction.text))
			flow->is_certain = false;
		step->at = at + done;
		flow->number[step->at] = (s32)flow->nr++;
		done += step->instruction.len;
	}
}

static void take_origins(struct origins *origins, const struct flow *flow)
{
	s32 number = flow->number[flow->code->at];

	if (number < 0 || !flow->steps[number].is_reached)
		return;
	memcpy(origins->of, flow->steps[number].of, sizeof(origins->of));
	origins->are_certain = flow->is_certain;
}

static void find_in_flow(struct origins *origins, struct flow *flow)
{
	const struct function_code *code = flow->code;

	memset(flow->number, 0xff, 2 * FUNCTION_CODE_MAX * sizeof(*flow->number));
	decode_part(flow, 0, code->bytes, code->len, code->start);
	if (code->cold_start)
		decode_part(flow, FUNCTION_CODE_MAX, code->cold, code->cold_len, code->cold_start);
	if (!flow->nr)
		return;
	flow->steps[0].is_reached = true;
	for (s32 i = 0; i < code->set->nr_registers; i++)
		flow->steps[0].of[i] = (struct origin){ .reg = (s32)i };
	follow_all(flow);
	take_origins(origins, flow);
}

int origins_find(struct origins *origins, const struct function_code *code, struct err *err)
{
	struct flow flow = { .code = code, .is_certain = code->is_whole && !code->may_recover };
	int ret = 0;

	origins->are_certain = false;
	for (u32 i = 0; i < INSTRUCTION_REGISTERS; i++)
		forget(&origins->of[i]);
	origins->set = code->set;
	if (!code->set || code->from || code->at >= FUNCTION_CODE_MAX)
		return 0;
	flow.steps = calloc(code->len + code->cold_len + 1, sizeof(*flow.steps));
	flow.number = malloc(2 * FUNCTION_CODE_MAX * sizeof(*flow.number));
	if (flow.steps && flow.number)
		find_in_flow(origins, &flow);
	else
		ret = err_sys(err, "the code of a function");
	free(flow.steps);
	free(flow.number);
	return ret;
}
