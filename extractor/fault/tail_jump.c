// SPDX-License-Identifier: GPL-2.0-or-later
#include "tail_jump.h"

#include <string.h>
#include <strings.h>

#include "kernel_state/kernel_text.h"
#include "veneer.h"

#define MOST_FUNCTIONS	8	/* one that jumps to another, and so on */
#define MOST_TABLE	4096	/* bytes of a table of functions */
#define MOST_VARIABLES	65536	/* of all modules */
#define MOST_OWN	16384	/* functions in tables of the kernel's own */

/* "__x86_indirect_thunk_rax", from 7.0 on also "__pi___x86_indirect_thunk_rax", calls what RAX has. */
static s32 register_of_thunk(const struct kernel *kernel, u64 target)
{
	static const char thunk[] = "_thunk_";
	struct ksym symbol;
	const char *at;

	if (!target || !kernel->kallsyms || !kallsyms_find(kernel->kallsyms, target, &symbol) ||
	    !strstr(symbol.name, "__x86_indirect_"))
		return INSTRUCTION_NO_REGISTER;
	at = strstr(symbol.name, thunk);
	/* The first of them has the name of all. */
	if (at && !strcmp(at, "_thunk_array"))
		return target == symbol.start ? 0 : INSTRUCTION_NO_REGISTER;
	for (s32 i = 0; at && i < INSTRUCTION_REGISTERS; i++) {
		const char *name = instruction_register(&instruction_set_x86_64, i), *found = at + sizeof(thunk) - 1;

		/* "r8", which is R08 in the kernel's lines. */
		if (!strcasecmp(found, name) || (name[1] == '0' && found[0] == 'r' && !strcmp(found + 1, name + 2)))
			return i;
	}
	return INSTRUCTION_NO_REGISTER;
}

s32 tail_jump_register(const struct kernel *kernel, const struct instruction *instruction)
{
	if (!instruction->is_call && !instruction->jumps)
		return INSTRUCTION_NO_REGISTER;
	if (instruction->called != INSTRUCTION_NO_REGISTER || !kernel)
		return instruction->called;
	return register_of_thunk(kernel, instruction->target);
}

/**
 * struct ways - the functions that the call may have come to
 * @list: the start of each, nr of them, the nearest first
 * @found: the function with the jump; 0: none yet
 * @at: where in it
 * @nr_jumps: of @found that may have been it
 * @is_torn: two functions have such a jump
 * @is_open: not all ways were followed to their ends
 */
struct ways {
	u64 list[MOST_FUNCTIONS];
	u32 nr;
	u64 found;
	u32 at;
	u32 nr_jumps;
	bool is_torn;
	bool is_open;
};

static void add_way(struct ways *ways, u64 target)
{
	for (u32 i = 0; i < ways->nr; i++)
		if (ways->list[i] == target)
			return;
	if (ways->nr == MOST_FUNCTIONS || ways->found)
		ways->is_open = true;
	else
		ways->list[ways->nr++] = target;
}

static bool went_to(const struct instruction_set *set, const struct fault_text *fault, s32 reg)
{
	const char *name = instruction_register(set, reg);
	u64 value;

	return *name && fault_text_register(fault, name, &value) && value == fault->address;
}

static bool stays(const struct function_code *code, u64 target)
{
	return target - code->start < code->size || (code->cold_start && target - code->cold_start < code->cold_len);
}

/* Many kernels return by a jump: arch/x86/lib/retpoline.S */
static bool is_return(const struct kernel *kernel, u64 target)
{
	static const char *const words[] = { "__x86_return_thunk", "__pi___x86_return_thunk", "srso_", "retbleed_return_thunk", "its_return_thunk", "__ret" };
	struct ksym symbol;

	if (!kernel->kallsyms || !kallsyms_find(kernel->kallsyms, target, &symbol))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strncmp(symbol.name, words[i], strlen(words[i])))
			return true;
	return false;
}

static void take_jump(struct ways *ways, const struct function_code *code, u32 at)
{
	if (ways->found && ways->found != code->start)
		ways->is_torn = true;
	if (!ways->nr_jumps++)
		ways->at = at;
	ways->found = code->start;
}

static void look_at_jump(struct ways *ways, const struct function_code *code, u32 at, const struct instruction *jump,
			 const struct fault_text *fault)
{
	s32 reg = tail_jump_register(code->kernel, jump);

	if (reg != INSTRUCTION_NO_REGISTER && went_to(jump->set, fault, reg))
		take_jump(ways, code, at);
	/* By another register, or by what memory has. */
	else if (reg != INSTRUCTION_NO_REGISTER || !jump->target)
		ways->is_open = true;
	else if (!stays(code, jump->target) && !is_return(code->kernel, jump->target))
		add_way(ways, jump->target);
}

/* What lies apart is unlikely code: a jump there is none that is named. */
static void look_through(struct ways *ways, const struct function_code *code, const struct fault_text *fault)
{
	struct instruction instruction;

	if (code->cold_start)
		ways->is_open = true;
	for (u32 at = 0; at < code->len; at += instruction.len) {
		if (!function_code_decode(code, at, &instruction)) {
			ways->is_open = true;
			return;
		}
		if (instruction.jumps)
			look_at_jump(ways, code, at, &instruction, fault);
	}
}

bool tail_jump_find(struct tail_jump *tail, struct function_code *code, u64 target, const struct kernel *kernel,
		    const struct fault_text *fault)
{
	struct ways ways = { .nr = 0 };

	add_way(&ways, target);
	for (u32 i = 0; i < ways.nr; i++)
		if (function_code_read_function(code, kernel, ways.list[i]))
			look_through(&ways, code, fault);
		else
			ways.is_open = true;
	if (!ways.found || ways.is_torn || !function_code_read_function(code, kernel, ways.found) ||
	    !function_code_decode(code, ways.at, &tail->jump))
		return false;
	code->at = ways.at;
	tail->jump.called = tail_jump_register(kernel, &tail->jump);
	tail->is_alone = ways.nr_jumps == 1;
	tail->is_sure = !ways.is_open;
	return true;
}

bool tail_jump_call_before(struct instruction *call, struct function_code *code)
{
	u32 at = 0;

	while (at < code->at && function_code_decode(code, at, call)) {
		if (at + call->len == code->at && call->is_call) {
			code->at = at;
			return true;
		}
		at += call->len;
	}
	return false;
}

/* Is @place, "name+0x0/0x10", in the function of that name? */
static bool is_in(struct report_text place, const char *name)
{
	size_t len = strlen(name);

	return place.len > len && !memcmp(place.text, name, len) && place.text[len] == '+';
}

/* All jumps by an address of @bytes, out of the function. */
static void add_jumps(struct ways *ways, const struct function_code *code, const u8 *bytes, u32 len, u64 start)
{
	struct instruction jump;

	for (u32 at = 0; at < len && instruction_decode(&jump, code->set, bytes + at, len - at, start + at); at += jump.len)
		if (jump.jumps && jump.target && !stays(code, jump.target) && !is_return(code->kernel, jump.target))
			add_way(ways, veneer_end(code->kernel, jump.target));
}

/* Does the function at @start come to @inner by jumps alone? */
static bool jumps_to(struct function_code *code, const struct kernel *kernel, u64 start, struct report_text inner)
{
	struct ways ways = { .nr = 0 };

	add_way(&ways, start);
	for (u32 i = 0; i < ways.nr; i++) {
		if (!function_code_read_function(code, kernel, ways.list[i]))
			continue;
		if (is_in(inner, code->name))
			return i && function_code_read_function(code, kernel, start);
		add_jumps(&ways, code, code->bytes, code->len, code->start);
		add_jumps(&ways, code, code->cold, code->cold_len, code->cold_start);
	}
	return false;
}

bool tail_jump_between(struct function_code *code, const struct kernel *kernel, struct report_text frame,
		       struct report_text inner)
{
	struct instruction call;

	return instruction_can_decode() && inner.text && function_code_read_caller(code, kernel, frame) &&
	       tail_jump_call_before(&call, code) && call.target && call.called == INSTRUCTION_NO_REGISTER &&
	       jumps_to(code, kernel, call.target, inner);
}

/* How far behind the start of a table the call of @code took its pointer from; -1: from elsewhere. */
static s64 place_in_table(const struct function_code *code, const struct instruction *call)
{
	s32 reg = tail_jump_register(code->kernel, call);
	struct instruction one;
	s64 place = -1;

	if (reg == INSTRUCTION_NO_REGISTER)
		return call->nr_accesses == 1 && call->accesses[0].base >= 0 && call->accesses[0].index == INSTRUCTION_NO_REGISTER &&
		       !call->accesses[0].is_relative && !call->target ? call->accesses[0].offset : -1;
	for (u32 at = 0; at < code->at; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return -1;
		if (one.effect == INSTRUCTION_LOAD && one.to == reg)
			place = one.plus;
		else if (one.written & 1U << reg)
			place = -1;
	}
	return place;
}

/* What these call stands in an object that others gave them, and most of those are in allocated memory. */
static bool calls_out_of_objects(struct report_text frame)
{
	static const char *const names[] = {
		"process_one_work", "rcu_do_batch", "call_timer_fn", "__hrtimer_run_queues", "tasklet_action_common", "irq_work_single",
		"task_work_run", "kthread", "kthread_worker_fn", "async_run_entry_fn", "__wake_up_common",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (is_in(frame, names[i]))
			return true;
	return false;
}

/* May it be a table of the kernel's own? Without the symbols of its variables (CONFIG_KALLSYMS_ALL) that is not known. */
static bool may_be_own_table(struct function_code *code, const struct kernel *kernel, s64 place, struct report_text inner)
{
	char type, name[KALLSYMS_NAME_MAX];
	u64 at, function, last = 0;
	struct kernel_text text;
	struct ksym symbol;
	u32 nr = 0, left = MOST_OWN;

	if (!kernel->kallsyms || !kernel_text_find(&text, kernel))
		return true;
	for (u32 i = 0; left && i < kallsyms_nr(kernel->kallsyms); i++) {
		if (!kallsyms_symbol(kernel->kallsyms, i, &at, &type, name) || !strchr("dDrRbB", type))
			continue;
		nr++;
		if (!vmem_u64(kernel->vmem, at + place, &function) || function == last || !kernel_text_is_builtin(&text, function))
			continue;
		last = function;
		left--;
		if ((!kallsyms_find(kernel->kallsyms, at, &symbol) || (u64)place < symbol.size) && jumps_to(code, kernel, function, inner))
			return true;
	}
	return !nr || !left;
}

bool tail_jump_by_table(struct function_code *code, const struct kernel *kernel, struct report_text frame, struct report_text inner)
{
	struct instruction call;
	u64 found = 0, at, function;
	u32 budget = MOST_VARIABLES;
	char type, name[KALLSYMS_NAME_MAX];
	s64 place;

	if (!instruction_can_decode() || !inner.text || !kernel->modules || calls_out_of_objects(frame) || !function_code_read_caller(code, kernel, frame) ||
	    !tail_jump_call_before(&call, code))
		return false;
	place = place_in_table(code, &call);
	if (place < 0 || place >= MOST_TABLE || place % 8)
		return false;
	for (u32 m = 0; m < kernel->modules->nr; m++) {
		const struct kernel_module *module = &kernel->modules->list[m];

		for (u32 i = 0; budget && kernel_modules_symbol(kernel->modules, module, i, &at, &type, name); i++, budget--) {
			if (!strchr("dDrRbB", type) || !vmem_u64(kernel->vmem, at + place, &function) || function == found ||
			    kernel_modules_at(kernel->modules, function) != module || !jumps_to(code, kernel, function, inner))
				continue;
			if (found)
				return false;
			found = function;
		}
	}
	return found && !may_be_own_table(code, kernel, place, inner) && function_code_read_function(code, kernel, found);
}
