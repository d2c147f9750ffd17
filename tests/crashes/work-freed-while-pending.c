// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  An object is freed while its work item waits on a queue.  Its memory is a label of "labeller" when
 * a kworker comes to it.
 *
 * pattern: a missing cancel_work_sync() before kfree()
 * upstream: the class of use-after-free in process_one_work() (Bluetooth, usb, drm: remove paths)
 * finding: a work item was freed, or overwritten, while it was queued; that its memory was freed if the trace has it
 * never: "labeller", the work item in front of it, or the workqueue code as who did it
 * not: labeller
 * guest: insmod /test/work-freed-while-pending.ko
 */
#include "crash.h"

struct link {
	u64 speed;
	struct work_struct work;
	char rest[128];
};

static void link_update(struct work_struct *work)
{
	container_of(work, struct link, work)->speed++;
}

static void slow(struct work_struct *unused)
{
	msleep(1500);
}

static struct workqueue_struct *queue;
static DECLARE_WORK(slow_work, slow);
static char *labels[300];

static noinline void link_remove(struct link *l)
{
	kfree(l);
}

static int labeller(void *unused)
{
	int i;

	msleep(500);
	for (i = 0; i < ARRAY_SIZE(labels); i++) {
		labels[i] = kmalloc(sizeof(struct link), GFP_KERNEL);
		memset(labels[i], 'L', sizeof(struct link));
	}
	return 0;
}

static int __init link_init(void)
{
	struct link *l = kzalloc(sizeof(*l), GFP_KERNEL);

	queue = alloc_ordered_workqueue("links", 0);
	INIT_WORK(&l->work, link_update);
	queue_work(queue, &slow_work);
	queue_work(queue, &l->work);
	link_remove(l);
	return run_thread(labeller, NULL, raw_smp_processor_id(), "labeller");
}
module_init(link_init);
