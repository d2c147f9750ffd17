// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver destroys its workqueue and then stops its timer.  The timer queues work on the
 * workqueue, whose memory has other contents by then.
 *
 * pattern: wrong order of destroy_workqueue() and del_timer_sync(), as in Bluetooth's and others' remove
 * finding: the timer function watch_link() of this module queued work on a workqueue that no
 *	longer is one: freed or overwritten
 * never: swapper or the task interrupted; the kernel's workqueue code; a damaged timer
 * must: ^shown: __queue_work\(\) read
 * not: swapper|idle|timer-damaged
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/queue-of-destroyed-workqueue.ko
 */
#include "crash.h"

static struct workqueue_struct *link_wq;
static struct timer_list watch;
static void *other[2000];

static void link_work(struct work_struct *unused)
{
}

static DECLARE_WORK(work, link_work);

static noinline void watch_link(struct timer_list *timer)
{
	queue_work(link_wq, &work);
	mod_timer(timer, jiffies + HZ);
}

static noinline void link_remove(void)
{
	int i;

	destroy_workqueue(link_wq);
	msleep(200);
	for (i = 0; i < 2000; i++) {
		/* Fills up the places of the size of the workqueue. */
		other[i] = kmalloc(i % 2 ? 512 : 1024, GFP_KERNEL);
		if (other[i])
			memset(other[i], ' ', i % 2 ? 512 : 1024);
	}
	msleep(3000);
	del_timer_sync(&watch);
}

static int remover(void *unused)
{
	msleep(1500);
	link_remove();
	return 0;
}

static int __init link_init(void)
{
	link_wq = alloc_workqueue("link", 0, 0);
	timer_setup(&watch, watch_link, 0);
	mod_timer(&watch, jiffies + HZ);
	return run_thread(remover, NULL, -1, "remover");
}
module_init(link_init);
