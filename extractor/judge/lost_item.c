// SPDX-License-Identifier: GPL-2.0-or-later
#include "lost_item.h"

#include <string.h>

#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "words.h"

static bool read_of_item(u64 *ret, const struct explain *explain, u64 item, const char *type, const char *member)
{
	const struct kernel *kernel = explain->kernel;
	struct btf_member_place place;

	return kernel_btf_member(kernel->ktypes, type, member, &place) && vmem_number(kernel->vmem, item + place.offset, 8, ret);
}

/*
 * Is no item there? INIT_WORK() in a work's own function gives it another one, and timer_shutdown() takes a timer's away: both leave the
 * other member as it was.
 */
static bool has_no_item(const struct explain *explain, u64 item, bool is_timer)
{
	const struct history_origin *origin = history_origin(&explain->history, item);
	const char *type = is_timer ? "timer_list" : "work_struct";
	char name[KERNEL_SYMBOL_MAX];
	u64 function, other;

	return read_of_item(&function, explain, item, type, is_timer ? "function" : "func") &&
	       read_of_item(&other, explain, item, type, is_timer ? "expires" : "data") &&
	       (function ? !words_symbol(explain, function, name, sizeof(name)) && !(origin && origin->function == function) : !other);
}

void lost_item_claim(struct explain *explain, const char *place, bool is_other_kind)
{
	const struct history *history = &explain->history;
	const struct history_cpu *cpu = history_cpu(history, explain->pm->end.cpu);
	const struct kernel_object *object = &explain->slab;
	bool is_timer = cpu && cpu->runs == HISTORY_TIMER;
	u64 ms = cpu && explain->pm->end.time > cpu->began ? (explain->pm->end.time - cpu->began) / 1000000 : 0;

	if (!explain->kernel || !explain->kernel->ktypes || !cpu || cpu->runs == HISTORY_NOTHING || !explain->has_slab ||
	    object->state != KOBJECT_IN_USE || !explain->access.has_memory || !explain->access.agrees || explain->access.memory.index >= 0 ||
	    (explain->finding->strength == FINDING_LIKELY && !is_other_kind) || !(is_timer ? history->has_timer_ends : history->has_work_ends) ||
	    (!is_timer && cpu->runner != explain->pm->end.pid) || cpu->object < object->start || cpu->object >= object->start + object->size ||
	    !explain->cause || explain->cause->time < cpu->began || !has_no_item(explain, cpu->object, is_timer))
		return;
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s found %llx where a pointer was to be, in an object of cache %.40s that was freed and given out anew, or cleared, while it ran: the %s that it runs for lay in that, and is not there any more.",
		      place, explain->access.pointer_value, object->cache, is_timer ? "timer" : "work item");
	finding_evidence_timeless(explain->finding, "the %s %016llx, which began to run %llu ms before the end, lies in %016llx; the dump has no function of it there",
				  is_timer ? "timer" : "work item", cpu->object, ms, object->start);
	if (is_timer)
		finding_open(explain->finding, "Who freed or cleared it: del_timer() does not wait for a function that runs, del_timer_sync() and timer_shutdown_sync() do. Or the function itself did. Who has the memory now is innocent.");
	else
		finding_open(explain->finding, "Who freed or cleared it: cancel_work() does not wait for a function that runs, cancel_work_sync() does. Or the function itself did. Who has the memory now is innocent.");
}
