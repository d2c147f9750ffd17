// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu_claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_half.h"
#include "fault/callers.h"
#include "fault/function_code.h"
#include "fault/list_walk.h"
#include "fault/member_writers.h"
#include "judge/idle_step.h"
#include "judge/narrow_counter.h"
#include "judge/words.h"
#include "linux_kernel/vmem.h"
#include "owners.h"

#define MOST_LEN	96	/* bytes of such a loop */

/**
 * struct poll - a loop
 * @read: what it reads, of those places that it does not write
 * @written: a bit for each register that it changes
 * @text: of the instruction that reads
 */
struct poll {
	struct instruction_access read;
	u32 written;
	char text[80];
};

static bool is_same(const struct instruction_access *a, const struct instruction_access *b)
{
	return a->base == b->base && a->index == b->index && a->offset == b->offset && a->is_absolute == b->is_absolute;
}

/* A register that counts, or a pointer that is moved on: such a loop waits for no one. */
static bool counts(const struct instruction *instruction)
{
	static const char *const words[] = { "add ", "sub ", "inc ", "dec ", "lea ", "imul ", "shl ", "shr ", "sar ", "adds ", "subs ", "mul ", "madd ", "lsl ", "lsr ", "asr ", NULL };

	return instruction->written && plumbing_begins(instruction->text, words);
}

/* From @start up to the jump back at @end: one place is read, nothing is called, and no list is walked. */
static bool read_loop(struct poll *poll, const struct function_code *code, u32 start, u32 end)
{
	struct instruction instruction;
	bool has = false;

	poll->written = 0;
	for (u32 at = start; at < end; at += instruction.len) {
		if (!function_code_decode(code, at - code->from, &instruction) || instruction.is_call || counts(&instruction))
			return false;
		poll->written |= instruction.written;
		for (u32 i = 0; i < instruction.nr_accesses; i++) {
			const struct instruction_access *access = &instruction.accesses[i];

			if (!access->reads || access->writes)
				continue;
			if (access->is_relative || access->index >= 0 || (has && !is_same(&poll->read, access)))
				return false;
			poll->read = *access;
			snprintf(poll->text, sizeof(poll->text), "%s", instruction.text);
			has = true;
		}
	}
	return has && (poll->read.base < 0 || !(poll->written & 1U << poll->read.base));
}

/* The smallest loop that the function was in. */
static bool find_loop(struct poll *poll, const struct function_code *code)
{
	struct instruction instruction;
	u32 at = code->from, best = MOST_LEN + 1, end = code->from + code->len;
	struct poll now;

	for (; at < end && function_code_decode(code, at - code->from, &instruction); at += instruction.len) {
		u64 start = instruction.target - code->start;

		if (!instruction.jumps || !instruction.target || start > code->at || start < code->from || at < code->at || at + instruction.len - start >= best)
			continue;
		if (!read_loop(&now, code, (u32)start, at + instruction.len))
			continue;
		best = at + instruction.len - (u32)start;
		*poll = now;
	}
	return best <= MOST_LEN;
}

/* " nic+0x4 [module] (ffffffffc0402344)" */
static void put_polled(char text[KERNEL_SYMBOL_MAX + 80], const struct explain *explain, u64 address)
{
	char symbol[KERNEL_SYMBOL_MAX];
	struct kernel_object object;

	if (words_symbol(explain, address, symbol, sizeof(symbol))) {
		char *at = strchr(symbol, '/'), *module = strstr(symbol, " [");

		if (at && module)
			memmove(at, module, strlen(module) + 1);
		else if (at)
			*at = '\0';
		snprintf(text, KERNEL_SYMBOL_MAX + 80, "%.120s (%016llx)", symbol, address);
	} else if (explain->pm->kernel && kernel_object_at(explain->pm->kernel, address, &object)) {
		snprintf(text, KERNEL_SYMBOL_MAX + 80, "%016llx (0x%llx of an object of cache %s)", address, address - object.start, object.cache);
	} else {
		snprintf(text, KERNEL_SYMBOL_MAX + 80, "%016llx", address);
	}
}

static void add_poll(struct explain *explain, const struct poll *poll, const struct function_code *code)
{
	const struct kernel *kernel = explain->pm->kernel;
	char place[KERNEL_SYMBOL_MAX + 80], function[WORDS_FUNCTION], now[60] = "";
	struct fault_text regs = { 0 };
	u64 base = 0, address, value;

	words_registers_below(&regs, explain, explain->cause->place);
	if ((poll->read.is_absolute && !code->start) || poll->read.base == code->set->stack || poll->read.size > 8 ||
	    (poll->read.base >= 0 && !fault_text_register(&regs, instruction_register(code->set, poll->read.base), &base)))
		return;
	address = base + (u64)poll->read.offset;
	if (!in_kernel_half(address))
		return;
	put_polled(place, explain, address);
	words_function(function, explain->cause->place);
	if (kernel && vmem_number(kernel->vmem, address, poll->read.size, &value))
		snprintf(now, sizeof(now), "; the dump has 0x%llx there", value);
	finding_evidence_timeless(explain->finding, "%s() reads %u bytes at %s again and again (%s)%s", function, poll->read.size, place, poll->text, now);
	finding_open(explain->finding, "Who should have changed what %s() polls, %u bytes at %s, and did not; a loop as this one needs a limit.", function,
		     poll->read.size, place);
}

/* --- a list whose head the loop does not meet -------------------------------------- */

/* The task that ran on the CPU of the report, by its pid. Of the idle tasks each has 0. */
static const struct kernel_task *task_of_report(const struct owners *owners, const struct kernel_report *report)
{
	u64 pid = report->pid.text ? report_text_number(report->pid, report->pid.text, 10) : 0;
	u64 cpu = report->cpu.text ? report_text_number(report->cpu, report->cpu.text, 10) : NO_CPU;

	for (u32 i = 0; report->pid.text && i < owners->tasks->nr; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];

		if ((u64)task->pid == pid && task->is_running && (pid || task->cpu == cpu))
			return task;
	}
	return NULL;
}

/* An address of the module that has the function which walks; 0: none has. */
static u64 module_of_walk(const struct kernel *kernel, const struct list_walk *walk)
{
	struct fault_text of = { 0 };

	fault_text_take_module(&of, (struct report_text){ walk->function, strlen(walk->function) });
	for (u32 i = 0; *of.module && i < kernel->modules->nr; i++)
		if (!strcmp(kernel->modules->list[i].name, of.module) && kernel->modules->list[i].nr_ranges)
			return kernel->modules->list[i].ranges[0].start;
	return 0;
}

/* Which function of the module alone writes the link back of that head, as what adds to its end does? */
static bool open_list_of_object(struct explain *explain, const struct list_walk *walk)
{
	const struct kernel *kernel = explain->pm->kernel;
	u64 within = module_of_walk(kernel, walk);
	char function[WORDS_FUNCTION];
	struct member_writers writers;
	struct kernel_object object;

	if (!within || !kernel_object_at(kernel, walk->other, &object) ||
	    !member_writers_find(&writers, kernel, within, (s64)(walk->other + 8 - object.start)) || writers.nr != 1)
		return false;
	words_function(function, (struct report_text){ writers.name, strlen(writers.name) });
	finding_open(explain->finding, "Whether %.100s() moved that entry into the other list while it was read, without the lock or a grace period of RCU: it alone, of its module, adds to a list 0x%llx behind the start of an object. Who reads is innocent.",
		     function, walk->other - object.start);
	return true;
}

/* It is in the list of another head. Which function of that module alone has the address of it? */
static bool open_other_list(struct explain *explain, const struct list_walk *walk)
{
	const u64 head = walk->other;
	const struct kernel *kernel = explain->pm->kernel;
	const struct kernel_module *module = kernel_modules_at(kernel->modules, head);
	char place[KERNEL_SYMBOL_MAX + 80], function[WORDS_FUNCTION];
	struct named_functions named;

	put_polled(place, explain, head);
	finding_evidence_timeless(explain->finding, "the way round leads over %s: the head of another list, as it seems", place);
	if (!module)
		return open_list_of_object(explain, walk);
	if ( !callers_of_head(&named, kernel, module, head) || named.nr != 1)
		return false;
	words_function(function, (struct report_text){ named.names[0], strlen(named.names[0]) });
	finding_open(explain->finding, "Whether %.100s() moved that entry into the other list while it was read, without the lock or a grace period of RCU: it alone, of its module, uses that list. Who reads is innocent.",
		     function);
	return true;
}

/* An entry whose way on leads to itself. */
static void claim_itself(struct explain *explain, const struct list_walk *walk, const char *place)
{
	u64 back;
	bool leads_back = vmem_number(explain->pm->kernel->vmem, walk->entry + 8, 8, &back) && back == walk->entry;

	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s goes round a list without end: the entry at which it is leads to itself, %s.", place,
		      leads_back ? "as list_del_init() leaves one that it takes out" :
				   "and its link back leads elsewhere, as where list_add() was given the entry that was the first already");
	if (leads_back)
		finding_open(explain->finding, "Who took it out, or set it up anew (INIT_LIST_HEAD()), while it was read: without the lock, or under RCU, where list_del_rcu() leaves the way on. Or it is the head of another list, which is empty by now. Who reads is innocent.");
	else
		finding_open(explain->finding, "Who added it twice, without taking it out in between; or who wrote over it. Who reads is innocent.");
}

static void claim_walk(struct explain *explain, const struct list_walk *walk)
{
	char place[2 * WORDS_FUNCTION], head[KERNEL_SYMBOL_MAX + 80];

	words_place(place, (struct report_text){ walk->function, strlen(walk->function) });
	put_polled(head, explain, walk->head);
	finding_evidence_timeless(explain->finding, "it is at the entry %016llx, and would end at the head %s", walk->entry, head);
	if (walk->nr == 1) {
		claim_itself(explain, walk, place);
		return;
	}
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s goes round a list without end: from the entry at which it is, %u steps lead back to that, and the list's head is none of them.", place,
		      walk->nr);
	if (walk->other && open_other_list(explain, walk))
		return;
	finding_open(explain->finding, "Who moved that entry into another list while it was read (list_move() needs the lock, or a grace period of RCU), or lost the head of this one. Who reads is innocent.");
}

/* Elements that lead to each other in a circle, and none to NULL. */
static void claim_chain_walk(struct explain *explain, const struct list_walk *walk)
{
	const struct kernel *kernel = explain->pm->kernel;
	char place[2 * WORDS_FUNCTION], writer[2 * WORDS_FUNCTION], steps[40] = "itself";
	struct finding *finding = explain->finding;
	struct member_writers writers;
	struct kernel_object object;
	u64 within = module_of_walk(kernel, walk);

	words_place(place, (struct report_text){ walk->function, strlen(walk->function) });
	if (walk->nr > 1)
		snprintf(steps, sizeof(steps), "itself after %u steps", walk->nr);
	finding_claim(finding, finding->kind, FINDING_LIKELY,
		      "%s goes round a chain without end: the element at which it is, %016llx, leads by its pointer at 0x%llx to %s, and never to NULL.", place,
		      walk->entry, (u64)walk->next_at, steps);
	if (kernel_object_at(kernel, walk->entry, &object) && object.start == walk->entry && within &&
	    member_writers_find(&writers, kernel, within, walk->next_at) && writers.nr == 1) {
		words_place(writer, (struct report_text){ writers.name, strlen(writers.name) });
		finding_open(finding, "Whether %s put an element into the chain that was in it already: it alone, of its module, writes a pointer 0x%llx behind the start of an object. Who reads is innocent.",
			     writer, (u64)walk->next_at);
	} else {
		finding_open(finding, "Who put an element into the chain that was in it already, or freed one that is another's now. Who reads is innocent.");
	}
}

/* By the stack of the task: a walk along a list, or a loop of what called the function of the report. */
static bool stack_loop_claim(struct explain *explain)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct owners owners = { 0 };
	struct list_walk walk = { .nr = 0 };
	const struct kernel_task *task = NULL;
	bool is_step;

	if (stack && explain->pm->kernel && explain->cause && owners_open(&owners, explain)) {
		task = task_of_report(&owners, explain->cause);
		if (task) {
			kernel_unwind(owners.unwinder, task, stack);
			if (!list_walk_find(&walk, explain->pm->kernel, task, stack))
				walk.nr = 0;
		}
	}
	if (walk.nr && walk.is_chain)
		claim_chain_walk(explain, &walk);
	else if (walk.nr)
		claim_walk(explain, &walk);
	is_step = !walk.nr && (idle_step_claim(explain) || (task && explain->cause->place.text && idle_step_claim_caller(explain, task, stack)));
	owners_close(&owners);
	free(stack);
	return walk.nr || is_step;
}

void poll_loop_add(struct explain *explain)
{
	struct function_code *code;
	struct poll poll;

	if (stack_loop_claim(explain) || narrow_counter_claim(explain))
		return;
	if (!instruction_can_decode() || !explain->cause || !explain->cause->place.text)
		return;
	code = calloc(1, sizeof(*code));
	if (code && function_code_read(code, explain->pm->kernel, explain->death, explain->cause) && find_loop(&poll, code))
		add_poll(explain, &poll, code);
	free(code);
}
