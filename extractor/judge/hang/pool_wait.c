// SPDX-License-Identifier: GPL-2.0-or-later
/* Tasks that wait for an element of a mempool, each with one in hand: mm/mempool.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "chain_claims.h"
#include "instruction/instruction.h"
#include "linux_kernel/btf.h"

#define MOST_TASKS	8	/* that have one */
#define MOST_WAITING	1000	/* tasks whose code is looked at */

/**
 * struct pool_holders - tasks that wait for an element, and have one
 * @name: of the function that took it, of the first
 * @nr_waiting: all that wait
 */
struct pool_holders {
	const struct kernel_task *tasks[MOST_TASKS];
	u32 nr;
	u32 nr_waiting;
	char name[KERNEL_SYMBOL_MAX];
};

/* Does @one store one of the registers @has, or exchange it for what is in memory? */
static bool is_stored(const struct instruction *one, u32 has)
{
	for (u32 i = 0; i < one->nr_accesses; i++) {
		const struct instruction_access *access = &one->accesses[i];

		if (access->stores == STORED_REGISTER && has & 1U << access->stored)
			return true;
		for (s32 reg = 0; access->writes && access->stores == STORED_OTHER && reg < one->set->nr_registers; reg++)
			if (has & 1U << reg && strcasestr(one->text, instruction_register(one->set, reg)))
				return true;
	}
	return false;
}

static u32 all_arguments(const struct instruction_set *set)
{
	u32 all = 0;

	for (s32 i = 0; i < set->nr_arguments; i++)
		all |= 1U << set->arguments[i];
	return all;
}

/*
 * What the function called at @now gave it at an earlier call: does it have that still, in the order of its instructions? What it gave to
 * another function, or stored, may be on its way back.
 */
static bool keeps_element(const struct function_code *code, u64 now)
{
	struct instruction one;
	u32 has = 0;

	for (u32 at = 0; at < code->at && at < code->len; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return false;
		if (at + one.len == code->at)
			break;
		if (one.is_call) {
			has = has & all_arguments(code->set) ? 0 : has & code->set->kept;
			if (one.target == now)
				has |= 1U << code->set->result;
		} else if (is_stored(&one, has)) {
			has = 0;
		} else if (one.effect == INSTRUCTION_COPY && !one.plus && has & 1U << one.from) {
			has |= 1U << one.to;
		} else {
			has &= ~one.written;
		}
	}
	return has & code->set->kept;
}

/* Has the function of that frame what the call that it is in gives, from an earlier call of the same? */
static bool has_one(const struct kernel *kernel, const struct kernel_frame *frame, struct function_code *code, char name[KERNEL_SYMBOL_MAX])
{
	struct instruction one;
	u64 now = 0;

	if (!kernel_modules_at(kernel->modules, frame->ip) || !kernel_frame_name(kernel, frame, name, KERNEL_SYMBOL_MAX) ||
	    !function_code_read_caller(code, kernel, (struct report_text){ name, strlen(name) }))
		return false;
	for (u32 at = 0; at < code->at && at < code->len; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return false;
		now = one.is_call && at + one.len == code->at ? one.target : 0;
	}
	return now && keeps_element(code, now);
}

static void look_at_waiter(struct pool_holders *holders, const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task, u64 queue,
			   struct kernel_stack *stack, struct function_code *code)
{
	char name[KERNEL_SYMBOL_MAX];
	struct kernel_wait wait;
	u32 from;

	kernel_unwind(owners->unwinder, task, stack);
	from = owners_frame(kernel, stack, "mempool_alloc", 0);
	if (from == stack->nr_sure || !kernel_wait_of(owners->waits, task, stack, &wait) || wait.lock != queue)
		return;
	holders->nr_waiting++;
	for (u32 i = from + 1; i < stack->nr_sure && holders->nr < MOST_TASKS; i++) {
		if (!has_one(kernel, &stack->frames[i], code, name))
			continue;
		if (!holders->nr)
			memcpy(holders->name, name, sizeof(name));
		holders->tasks[holders->nr++] = task;
		return;
	}
}

static void find_holders(struct pool_holders *holders, const struct owners *owners, const struct kernel *kernel, u64 queue)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct function_code *code = malloc(sizeof(*code));

	*holders = (struct pool_holders){ .nr = 0 };
	for (u32 i = 0; stack && code && i < owners->tasks->nr; i++) {
		const struct kernel_task *task = &owners->tasks->list[i];

		if (!task->is_running && !task->is_lacking && task->state == 'D' && holders->nr_waiting < MOST_WAITING)
			look_at_waiter(holders, owners, kernel, task, queue, stack, code);
	}
	free(code);
	free(stack);
}

void pool_wait_claim(struct explain *explain, const struct owners *owners)
{
	const struct kernel *kernel = explain->pm->kernel;
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_wait *wait = &chain->waits[chain->nr - 1];
	char who[FINDING_TEXT - 160] = "", place[2 * WORDS_FUNCTION];
	struct btf_member_place queue;
	struct pool_holders holders;
	u64 pool, least, left;
	size_t len = 0;

	if (chain->is_cycle || !chain->last_waits || wait->kind != KWAIT_QUEUE || wait->owner || !kernel->modules || !kernel->kallsyms || !kernel->ktypes ||
	    !instruction_can_decode() || !kernel_btf_member(kernel->ktypes, "mempool_s", "wait", &queue))
		return;
	pool = wait->lock - queue.offset;
	if (!kernel_state_member(kernel, "mempool_s", "min_nr", pool, &least) || !kernel_state_member(kernel, "mempool_s", "curr_nr", pool, &left) || (u32)left)
		return;
	find_holders(&holders, owners, kernel, wait->lock);
	/* An element that another one has comes back. */
	if (!holders.nr || holders.nr < (u32)least)
		return;
	for (u32 i = 0; i < holders.nr && len < sizeof(who) - 40; i++)
		len += snprintf(who + len, sizeof(who) - len, "%s%s-%d", i ? ", " : "", holders.tasks[i]->comm, holders.tasks[i]->pid);
	words_place(place, (struct report_text){ holders.name, strlen(holders.name) });
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "A deadlock: the mempool at %016llx keeps %u elements, and each of these tasks has one and waits for another: %s. It was taken in %s.",
		      pool, (u32)least, who, place);
	finding_open(explain->finding, "What takes two elements of one pool waits for itself, or for another that does: it needs a pool for each, or to give the first back before.");
	finding_evidence_timeless(explain->finding, "by the mempool's own counts it keeps %u and has none left; %u tasks wait for one", (u32)least, holders.nr_waiting);
}
