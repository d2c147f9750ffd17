// SPDX-License-Identifier: GPL-2.0-or-later
#include "user_task.h"

#include <stdlib.h>

/* fs/kernfs/dir.c, fs/proc/inode.c, fs/debugfs/inode.c: functions that begin so. */
static const struct {
	const char *waits;
	const char *within[3];
} removals[] = {
	{ "kernfs_drain", { "kernfs_fop_", "kernfs_seq_" } },
	{ "proc_entry_rundown", { "proc_reg_" } },
	{ "__debugfs_file_removed", { "full_proxy_", "debugfs_attr_" } },
};

const struct kernel_task *user_task_find(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	const struct kernel_task *found = NULL;
	size_t k = 0;
	u32 nr = 0;

	if (!stack)
		return NULL;
	kernel_unwind(owners->unwinder, task, stack);
	while (k < ARRAY_SIZE(removals) && owners_frame(kernel, stack, removals[k].waits, 0) == stack->nr_sure)
		k++;
	for (u32 i = 0; k < ARRAY_SIZE(removals) && i < owners->tasks->nr; i++) {
		const struct kernel_task *other = &owners->tasks->list[i];
		bool is_within = false;

		if (other->is_running || other->is_lacking)
			continue;
		kernel_unwind(owners->unwinder, other, stack);
		for (size_t w = 0; w < ARRAY_SIZE(removals[k].within) && removals[k].within[w]; w++)
			is_within |= owners_frame(kernel, stack, removals[k].within[w], 0) < stack->nr_sure;
		if (!is_within)
			continue;
		found = other;
		nr++;
	}
	free(stack);
	return nr == 1 && found != task && found->state != 'R' ? found : NULL;
}
