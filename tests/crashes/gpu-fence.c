// SPDX-License-Identifier: GPL-2.0-only
/*
 * The queue of jobs is flushed at a reset.  A job that had not begun is dropped, and its fence is
 * never signalled.  A buffer is closed, which waits for that fence with the address space locked.
 *
 * pattern: job freed without dma_fence_signal() with an error
 * upstream: the class of drm/sched "signal the finished fence of killed jobs" (amdgpu, lima, panfrost)
 * finding: gem-close waits in gem_wait_idle() for a dma_fence (of timeline "gfx", seqno 3) that is not signalled; it holds vm->lock, for which disp-flip waits; gpu_flush() of gpu-reset dropped the job without a signal
 * never: a deadlock; disp-flip holds; gpu-reset holds a lock
 * must: likely: gem-close-[0-9]+ waits .*fence.*not signalled: number 3 
 * not: deadlock|disp-flip-[0-9]+ holds|gpu-reset-[0-9]+ holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/gpu-fence.ko
 */
#include <linux/dma-fence.h>
#include "crash.h"

struct gpu_job {
	struct dma_fence fence;
	struct list_head list;
};

struct gpu {
	spinlock_t lock;
	struct list_head jobs;
	u64 context, seqno;
	struct dma_fence *last;
	struct mutex vm_lock;
	u32 flips, resets;
};

static struct gpu *gpu;

static const char *gpu_driver_name(struct dma_fence *fence)
{
	return "gpu0";
}

static const char *gpu_timeline_name(struct dma_fence *fence)
{
	return "gfx";
}

static const struct dma_fence_ops gpu_fence_ops = {
	.get_driver_name = gpu_driver_name,
	.get_timeline_name = gpu_timeline_name,
};

static noinline int gpu_submit(struct gpu *g)
{
	struct gpu_job *job = kzalloc(sizeof(*job), GFP_KERNEL);

	if (!job)
		return -ENOMEM;
	dma_fence_init(&job->fence, &gpu_fence_ops, &g->lock, g->context, ++g->seqno);
	g->last = dma_fence_get(&job->fence);
	spin_lock_irq(&g->lock);
	list_add_tail(&job->list, &g->jobs);
	spin_unlock_irq(&g->lock);
	return 0;
}

static noinline struct gpu_job *gpu_next(struct gpu *g)
{
	struct gpu_job *job;

	spin_lock_irq(&g->lock);
	job = list_first_entry_or_null(&g->jobs, struct gpu_job, list);
	if (job)
		list_del(&job->list);
	spin_unlock_irq(&g->lock);
	return job;
}

static noinline void gpu_flush(struct gpu *g)
{
	struct gpu_job *job = gpu_next(g);

	if (job)
		dma_fence_put(&job->fence);
	g->resets++;
}

static int gpu_reset(void *data)
{
	struct gpu *g = data;
	struct gpu_job *job;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		msleep(300);
		job = gpu_next(g);
		if (job) {
			dma_fence_signal(&job->fence);
			dma_fence_put(&job->fence);
		}
	}
	msleep(300);
	gpu_flush(g);
	for (;;)
		msleep(500);
	return 0;
}

static noinline void gem_wait_idle(struct gpu *g)
{
	dma_fence_wait(g->last, false);
}

static int gem_close(void *data)
{
	struct gpu *g = data;
	unsigned int i;

	for (i = 0; i < 3; i++)
		gpu_submit(g);
	msleep(700);
	mutex_lock(&g->vm_lock);
	gem_wait_idle(g);
	mutex_unlock(&g->vm_lock);
	return 0;
}

static int disp_flip(void *data)
{
	struct gpu *g = data;

	for (;;) {
		mutex_lock(&g->vm_lock);
		g->flips++;
		mutex_unlock(&g->vm_lock);
		msleep(40);
	}
	return 0;
}

static int __init gpu_init(void)
{
	gpu = kzalloc(sizeof(*gpu), GFP_KERNEL);
	if (!gpu)
		return -ENOMEM;
	spin_lock_init(&gpu->lock);
	mutex_init(&gpu->vm_lock);
	INIT_LIST_HEAD(&gpu->jobs);
	gpu->context = dma_fence_context_alloc(1);
	run_thread(gem_close, gpu, 0, "gem-close");
	run_thread(disp_flip, gpu, 1, "disp-flip");
	return run_thread(gpu_reset, gpu, 1, "gpu-reset");
}
module_init(gpu_init);
