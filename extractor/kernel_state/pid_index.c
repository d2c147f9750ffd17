// SPDX-License-Identifier: GPL-2.0-or-later
#include "pid_index.h"

#define NODES_MAX	65536
#define SLOTS_MAX	64
#define IS_NODE(entry)	(((entry) & 3) == 2 && (entry) > 4096)
#define IS_POINTER(entry) ((entry) && !((entry) & 3))

/**
 * struct pid_walk - down the kernel's xarray
 * @nr: nodes that were read
 */
struct pid_walk {
	const struct kernel *kernel;
	struct btf_member_place shift, slots, tasks, links, thread_pid;
	u32 nr;
	bool (*found)(u64 task, void *priv);
	void *priv;
	bool is_over;
};

static bool find_index_layout(struct pid_walk *w, const struct kernel_btf *kt, u32 *head)
{
	struct btf_member_place m;

	if (!kernel_btf_member(kt, "pid_namespace", "idr.idr_rt.xa_head", &m) ||
	    !kernel_btf_member(kt, "xa_node", "shift", &w->shift) ||
	    !kernel_btf_member(kt, "xa_node", "slots", &w->slots) ||
	    !kernel_btf_member(kt, "pid", "tasks", &w->tasks) ||
	    !kernel_btf_member(kt, "task_struct", "pid_links", &w->links) ||
	    !kernel_btf_member(kt, "task_struct", "thread_pid", &w->thread_pid))
		return false;
	*head = m.offset;
	return w->slots.nr && w->slots.nr <= SLOTS_MAX && w->slots.size == 8 * w->slots.nr;
}

/* The task that a struct pid is of, the first of its first list, if it says so too. */
static void take_pid(struct pid_walk *w, u64 pid)
{
	struct vmem *vmem = w->kernel->vmem;
	u64 link, task, back;

	if (!vmem_u64(vmem, pid + w->tasks.offset, &link) || !link)
		return;
	task = link - w->links.offset;
	if (vmem_u64(vmem, task + w->thread_pid.offset, &back) && back == pid)
		w->is_over = !w->found(task, w->priv);
}

/* @below: each level of the index has a lower shift than the one above. */
static void walk_pid_node(struct pid_walk *w, u64 node, u64 below)
{
	u64 shift, entry;

	if (w->nr++ >= NODES_MAX ||
	    !vmem_number(w->kernel->vmem, node + w->shift.offset, w->shift.size, &shift) || shift >= below)
		return;
	for (u32 i = 0; i < w->slots.nr && !w->is_over; i++) {
		if (!vmem_u64(w->kernel->vmem, node + w->slots.offset + 8 * i, &entry))
			continue;
		if (IS_NODE(entry) && shift)
			walk_pid_node(w, entry - 2, shift);
		else if (IS_POINTER(entry) && !shift)
			take_pid(w, entry);
	}
}

void pid_index_each(const struct kernel *kernel, bool (*found)(u64 task, void *priv), void *priv)
{
	struct pid_walk w = { .kernel = kernel, .found = found, .priv = priv };
	u64 namespace, root;
	u32 head;

	if (find_index_layout(&w, kernel->ktypes, &head) &&
	    kallsyms_address(kernel->kallsyms, "init_pid_ns", &namespace) &&
	    vmem_u64(kernel->vmem, namespace + head, &root) && IS_NODE(root))
		walk_pid_node(&w, root - 2, 64);
}
