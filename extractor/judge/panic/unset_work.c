// SPDX-License-Identifier: GPL-2.0-or-later
#include "unset_work.h"

#include <string.h>

#include "judge/words.h"
#include "kernel_state/slab.h"
#include "kernel_state/tasks.h"

#define PENDING	1	/* WORK_STRUCT_PENDING, include/linux/workqueue.h: all that is in the data of one that was never set up */

static bool has_number(const struct kernel *kernel, u64 work, const char *member, u64 wanted)
{
	u64 value;

	return kernel_state_member(kernel, "work_struct", member, work, &value) && value == wanted;
}

/* It lies where its owner has it: in an object in use, or in a variable of a module. */
static bool is_unset(const struct kernel *kernel, u64 work)
{
	struct kernel_object object;

	if (work % 8 || !has_number(kernel, work, "data.counter", PENDING) || !has_number(kernel, work, "func", 0) ||
	    !has_number(kernel, work, "entry.next", 0) || !has_number(kernel, work, "entry.prev", 0))
		return false;
	return (kernel_object_at(kernel, work, &object) && object.state == KOBJECT_IN_USE) ||
	       (kernel->modules && kernel_modules_at(kernel->modules, work));
}

/* The only one that a register leads to: to it, or to its entry. */
static bool find_unset(u64 *ret, const struct explain *explain)
{
	const struct kernel *kernel = explain->kernel;
	struct btf_member_place entry;
	u32 nr = 0;

	if (!kernel || !kernel->ktypes || !kernel_btf_member(kernel->ktypes, "work_struct", "entry", &entry))
		return false;
	for (u32 i = 0; i < explain->fault.nr_registers; i++) {
		u64 values[] = { explain->fault.registers[i].value, explain->fault.registers[i].value - entry.offset };

		for (size_t k = 0; k < ARRAY_SIZE(values); k++)
			if (is_unset(kernel, values[k]) && !(nr && *ret == values[k])) {
				*ret = values[k];
				nr++;
			}
	}
	return nr == 1;
}

bool unset_work_claim(struct explain *explain, const char *warned)
{
	char function[WORDS_FUNCTION], by[2 * WORDS_FUNCTION] = "";
	bool is_of_module;
	u64 work = 0;

	words_function(function, explain->cause->place);
	if (strcmp(function, "__queue_work") || !find_unset(&work, explain))
		return false;
	is_of_module = words_module_behind(by, explain->cause);
	finding_claim(explain->finding, "warning", FINDING_LIKELY,
		      "%s%s queued the work item %016llx, which was never set up (INIT_WORK): its function and its list are 0, and %s() warned.%s",
		      is_of_module ? by : "The kernel", is_of_module ? ", or what that called," : "", work, function, warned);
	finding_open(explain->finding, "On which way its owner comes round INIT_WORK(). The task that ran there, and the workqueue, are innocent.");
	return true;
}
