// SPDX-License-Identifier: GPL-2.0-or-later
#include "last_run.h"

#include "linux_kernel/linux_kernel.h"

static bool read_clocks(const struct kernel *kernel, u32 cpu, u64 *clock, u64 *clock_task)
{
	u64 rq;

	return kernel_percpu(kernel, "runqueues", cpu, &rq) && kernel_state_member(kernel, "rq", "clock", rq, clock) &&
	       kernel_state_member(kernel, "rq", "clock_task", rq, clock_task) && *clock_task <= *clock;
}

bool last_run_read(u64 *from, u64 *to, const struct kernel *kernel, const struct kernel_task *task)
{
	u64 clock, clock_task;

	if (task->cpu == NO_CPU || !read_clocks(kernel, task->cpu, &clock, &clock_task) ||
	    !kernel_state_member(kernel, "task_struct", "se.exec_start", task->va, from))
		return false;
	*to = *from + (clock - clock_task);
	return true;
}

u64 last_run_now(const struct kernel *kernel)
{
	u64 now = 0, clock, clock_task;

	for (u32 cpu = 0; cpu < kernel->nr_cpu_ids; cpu++)
		if (kernel_cpu_is_online(kernel, cpu) && read_clocks(kernel, cpu, &clock, &clock_task) && clock > now)
			now = clock;
	return now;
}
