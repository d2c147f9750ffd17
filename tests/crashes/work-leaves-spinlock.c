// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A work item returns in its error path with a spinlock held.  The kworker then sleeps, which is
 * where the kernel notices.
 *
 * pattern: a missing spin_unlock() in an error path
 * finding: the work function link_update() of this module left the atomic count raised (a lock held); the
 *	kernel says so itself: "workqueue leaked lock or atomic"
 * never: worker_thread() or the kworker as who slept wrongly, as the cause; the workqueue code
 * must: ^shown: The work function link_work\(\) .*came back with a spinlock held
 * not: worker_thread|process_one_work
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/work-leaves-spinlock.ko
 */
#include "crash.h"

static DEFINE_SPINLOCK(link_lock);
static int link_state;

static noinline int link_update(void)
{
	spin_lock(&link_lock);
	if (READ_ONCE(link_state) == 0)
		return -EIO;
	spin_unlock(&link_lock);
	return 0;
}

static void link_work(struct work_struct *unused)
{
	link_update();
}

static DECLARE_WORK(work, link_work);

static int __init link_init(void)
{
	schedule_work(&work);
	return 0;
}
module_init(link_init);
