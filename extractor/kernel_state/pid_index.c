// SPDX-License-Identifier: GPL-2.0-or-later
#include "pid_index.h"

#include "xarray.h"

struct pid_walk {
	const struct kernel *kernel;
	struct btf_member_place tasks, links, thread_pid, numbers;
	bool (*found)(const struct indexed_task *task, void *priv);
	void *priv;
};

static bool find_index_layout(struct pid_walk *w, const struct kernel_btf *kt, u32 *head)
{
	struct btf_member_place m;

	if (!kernel_btf_member(kt, "pid_namespace", "idr.idr_rt.xa_head", &m) ||
	    !kernel_btf_member(kt, "pid", "tasks", &w->tasks) ||
	    !kernel_btf_member(kt, "task_struct", "pid_links", &w->links) ||
	    !kernel_btf_member(kt, "task_struct", "thread_pid", &w->thread_pid))
		return false;
	/* Without it the number is not known. */
	if (!kernel_btf_member(kt, "pid", "numbers", &w->numbers))
		w->numbers.offset = 0;
	*head = m.offset;
	return true;
}

/* The task that a struct pid is of, the first of its first list, if it says so too. */
static bool take_pid(u64 pid, void *priv)
{
	struct pid_walk *w = priv;
	struct vmem *vmem = w->kernel->vmem;
	struct indexed_task task = { .pid = -1 };
	u64 link, back = 0;
	u32 number;

	if (!vmem_u64(vmem, pid + w->tasks.offset, &link) || !link)
		return true;
	task.va = link - w->links.offset;
	if (w->numbers.offset && vmem_u32(vmem, pid + w->numbers.offset, &number))
		task.pid = (s32)number;
	if (!vmem_u64(vmem, task.va + w->thread_pid.offset, &back))
		task.is_lacking = vmem_lack(vmem) == VMEM_LEFT_OUT;
	return (back != pid && !task.is_lacking) || w->found(&task, w->priv);
}

void pid_index_each(const struct kernel *kernel, bool (*found)(const struct indexed_task *task, void *priv), void *priv)
{
	struct pid_walk w = { .kernel = kernel, .found = found, .priv = priv };
	u64 namespace, root;
	u32 head, budget = XARRAY_NODES;

	if (find_index_layout(&w, kernel->ktypes, &head) &&
	    kallsyms_address(kernel->kallsyms, "init_pid_ns", &namespace) &&
	    vmem_u64(kernel->vmem, namespace + head, &root))
		kernel_xarray_each(kernel, root, &budget, take_pid, &w);
}
