// SPDX-License-Identifier: GPL-2.0-or-later
#include "frozen.h"

#include <string.h>

#include "linux_kernel/btf.h"
#include "linux_kernel/kallsyms.h"
#include "linux_kernel/vmem.h"

#define MOST_FILE_SYSTEMS	65536
#define LEVELS		3	/* SB_FREEZE_LEVELS, include/linux/fs.h */
#define COMPLETE	4	/* SB_FREEZE_COMPLETE */

/* The type of the file system @sb: its name. */
static void read_type(struct frozen_wait *ret, const struct kernel *kernel, u64 sb)
{
	u64 type, name;

	if (!kernel_state_member(kernel, "super_block", "s_type", sb, &type) ||
	    !kernel_state_member(kernel, "file_system_type", "name", type, &name) ||
	    vmem_string(kernel->vmem, name, ret->type, sizeof(ret->type)) <= 0)
		ret->type[0] = '\0';
}

/* Is the wait queue at @queue of one of the semaphores by which @sb lets nothing write? */
static bool is_of_file_system(const struct kernel *kernel, u64 sb, u64 queue)
{
	struct btf_member_place sems, waiters;
	u32 size;

	if (!kernel_btf_member(kernel->ktypes, "super_block", "s_writers.rw_sem", &sems) ||
	    !kernel_btf_member(kernel->ktypes, "percpu_rw_semaphore", "waiters", &waiters) ||
	    !kernel_btf_size(kernel->ktypes, "percpu_rw_semaphore", &size))
		return false;
	for (u32 i = 0; i < LEVELS; i++)
		if (queue == sb + sems.offset + i * size + waiters.offset)
			return true;
	return false;
}

bool frozen_wait_read(struct frozen_wait *ret, const struct kernel *kernel, const struct kernel_wait *wait)
{
	struct btf_member_place list, id;
	u64 head, at, frozen;

	memset(ret, 0, sizeof(*ret));
	if (wait->kind != KWAIT_QUEUE || !kernel->ktypes || !kallsyms_address(kernel->kallsyms, "super_blocks", &head) ||
	    !kernel_btf_member(kernel->ktypes, "super_block", "s_list", &list) ||
	    !kernel_btf_member(kernel->ktypes, "super_block", "s_id", &id))
		return false;
	at = head;
	for (u32 i = 0; i < MOST_FILE_SYSTEMS && vmem_u64(kernel->vmem, at, &at) && at != head; i++) {
		u64 sb = at - list.offset;

		if (!is_of_file_system(kernel, sb, wait->lock))
			continue;
		if (!kernel_state_member(kernel, "super_block", "s_writers.frozen", sb, &frozen) || !frozen)
			return false;
		ret->is_complete = frozen == COMPLETE;
		if (vmem_string(kernel->vmem, sb + id.offset, ret->id, sizeof(ret->id)) <= 0)
			ret->id[0] = '\0';
		read_type(ret, kernel, sb);
		return true;
	}
	return false;
}
