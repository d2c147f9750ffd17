// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two buffer objects are moved: each mover locks the one that it was asked for, and then the other,
 * without a ticket that would tell of the order.
 *
 * pattern: two ww_mutexes locked without an acquire context, in two orders
 * upstream: the class of "lock both BOs with a ticket" (drm/amdgpu, drm/ttm, drm/xe "fix ABBA of dma_resv")
 * finding: deadlock of bo-evict and bo-move: bo-evict holds the lock of bo_a and waits for that of bo_b, in bo_copy(); bo-move has them the other way round
 * never: bo-stat, which waits for bo_a and holds nothing; a lost wakeup
 * must: (bo-evict|bo-move).*deadlock|deadlock.*(bo-evict|bo-move)
 * not: bo-stat.*holds|woken
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/bo-move.ko
 */
#include <linux/ww_mutex.h>
#include "crash.h"

struct bo {
	u32 handle, moves;
	struct ww_mutex lock;
	void *pages;
};

static DEFINE_WW_CLASS(bo_class);
static struct bo *bo_a, *bo_b;

static noinline void bo_copy(struct bo *from, struct bo *to, unsigned int prepare)
{
	ww_mutex_lock(&from->lock, NULL);
	msleep(prepare);
	ww_mutex_lock(&to->lock, NULL);
	swap(from->pages, to->pages);
	from->moves++;
	ww_mutex_unlock(&to->lock);
	ww_mutex_unlock(&from->lock);
}

static int bo_evict(void *data)
{
	for (;;) {
		bo_copy(bo_a, bo_b, 30);
		msleep(70);
	}
	return 0;
}

static int bo_mover(void *data)
{
	msleep(500);
	for (;;) {
		bo_copy(bo_b, bo_a, 25);
		msleep(33);
	}
	return 0;
}

static int bo_stat(void *data)
{
	for (;;) {
		ww_mutex_lock(&bo_a->lock, NULL);
		bo_a->handle ^= 1;
		ww_mutex_unlock(&bo_a->lock);
		msleep(90);
	}
	return 0;
}

static struct bo *bo_new(u32 handle)
{
	struct bo *bo = kzalloc(sizeof(*bo), GFP_KERNEL);

	if (bo) {
		bo->handle = handle;
		ww_mutex_init(&bo->lock, &bo_class);
	}
	return bo;
}

static int __init bo_init(void)
{
	bo_a = bo_new(2);
	bo_b = bo_new(4);
	if (!bo_a || !bo_b)
		return -ENOMEM;
	run_thread(bo_evict, NULL, 0, "bo-evict");
	run_thread(bo_stat, NULL, -1, "bo-stat");
	return run_thread(bo_mover, NULL, 1, "bo-move");
}
module_init(bo_init);
