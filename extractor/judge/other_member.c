// SPDX-License-Identifier: GPL-2.0-or-later
#include "other_member.h"

#include <stdio.h>
#include <string.h>

#include "kernel_state/tasks.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "words.h"

/* The work item that the task @pid runs, and its function. False: it is no worker, or runs none. */
static bool read_own_work(const struct kernel *kernel, u64 pid, u64 *work, u64 *function)
{
	struct kernel_tasks *tasks = NULL;
	struct err err = ERR_INIT;
	u64 thread, worker, back;
	bool is = false;

	if (kernel_tasks_open(&tasks, kernel, &err))
		return false;
	for (u32 i = 0; pid && i < tasks->nr && !is; i++)
		is = (u64)tasks->list[i].pid == pid && tasks->list[i].flags & KERNEL_TASK_WORKER &&
		     kernel_state_member(kernel, "task_struct", "worker_private", tasks->list[i].va, &thread) &&
		     kernel_state_member(kernel, "kthread", "data", thread, &worker) && kernel_state_member(kernel, "worker", "task", worker, &back) &&
		     back == tasks->list[i].va && kernel_state_member(kernel, "worker", "current_work", worker, work) && *work &&
		     kernel_state_member(kernel, "worker", "current_func", worker, function);
	kernel_tasks_close(tasks);
	return is;
}

/* The only other work item of the object that has @function; 0: none, or more. */
static u64 find_other_work(const struct kernel *kernel, const struct kernel_object *object, u64 work, u64 function)
{
	struct btf_member_place func;
	u64 found = 0, value;
	u32 nr = 0;

	if (!kernel_btf_member(kernel->ktypes, "work_struct", "func", &func))
		return 0;
	for (u64 at = object->start; at + func.offset + 8 <= object->start + object->size; at += 8) {
		if (at == work || !vmem_number(kernel->vmem, at + func.offset, 8, &value) || value != function)
			continue;
		found = at;
		nr++;
	}
	return nr == 1 ? found : 0;
}

void other_member_claim(struct explain *explain, const char *place)
{
	const struct kernel *kernel = explain->kernel;
	struct report_text pid = explain->cause->pid;
	char name[KERNEL_SYMBOL_MAX], runs[KERNEL_SYMBOL_MAX], taken[WORDS_FUNCTION], place_of_work[2 * WORDS_FUNCTION];
	u64 pointer = explain->access.pointer_value, work, function, other;
	struct kernel_object object;

	if (!kernel || !kernel->ktypes || !pid.text || !explain->access.has_memory || !explain->access.agrees || explain->access.memory.base < 0 || !words_symbol(explain, pointer, name, sizeof(name)) || !strstr(name, "+0x0/") ||
	    !read_own_work(kernel, report_text_number(pid, pid.text, 10), &work, &function) || !kernel_object_at(kernel, work, &object) ||
	    !words_symbol(explain, function, runs, sizeof(runs)))
		return;
	other = find_other_work(kernel, &object, work, pointer);
	if (!other)
		return;
	words_function(taken, (struct report_text){ name, strlen(name) });
	words_place(place_of_work, (struct report_text){ runs, strlen(runs) });
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%.120s used the address of the function %.48s() as a pointer: %.100s probably took its work item for another member of its object (container_of()).", place,
		      taken, place_of_work);
	finding_evidence_timeless(explain->finding, "the work item that ran lies at 0x%llx of an object of cache %s; the one at 0x%llx of that has %.60s() for its function",
				  work - object.start, object.cache, other - object.start, taken);
	finding_open(explain->finding, "Whether container_of() in %s names the member that its work item is.", place_of_work);
}
