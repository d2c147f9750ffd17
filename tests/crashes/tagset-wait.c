// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  An exclusive waiter takes the wake-up of a tag and leaves without it; the next waiter sleeps although a tag is free.
 *
 * pattern: missed wake-up: a woken exclusive waiter bails out and does not pass the wake-up on
 * upstream: the class of sbitmap/blk-mq "lost wakeup" fixes; rwsem/pipe exclusive waiters killed by a signal; ioctx aio
 * finding: writer-b waits in tag_get() although set->free is 1 and no task holds a tag: tag_put() woke the first exclusive waiter (writer-a), whose queue was closing, so tag_get() returned -ESHUTDOWN without taking the tag and without waking the next waiter; that wake-up was lost.  The fault is in tag_get()'s closing path
 * never: a tag that leaked or was never put; writer-b as the cause; a held lock; a device that hangs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: insmod /test/tagset-wait.ko
 */
#include "crash.h"
#include <linux/wait.h>

struct tag_set {
	atomic_t free;
	u32 gets, puts, refused;
	wait_queue_head_t wait;
};

struct tag_queue {
	char name[16];
	struct tag_set *set;
	bool closing;
	u32 done;
};

static struct tag_set *tags;
static struct tag_queue queue[3];

static noinline int tag_get(struct tag_queue *q)
{
	struct tag_set *set = q->set;
	DEFINE_WAIT(wait);
	int err = 0;

	for (;;) {
		prepare_to_wait_exclusive(&set->wait, &wait, TASK_UNINTERRUPTIBLE);
		if (READ_ONCE(q->closing)) {
			set->refused++;
			err = -ESHUTDOWN;
			break;
		}
		if (atomic_add_unless(&set->free, -1, 0)) {
			set->gets++;
			break;
		}
		schedule();
	}
	finish_wait(&set->wait, &wait);
	return err;
}

static noinline void tag_put(struct tag_set *set)
{
	atomic_inc(&set->free);
	set->puts++;
	wake_up(&set->wait);
}

static int queue_writer(void *data)
{
	struct tag_queue *q = data;

	if (tag_get(q))
		return 0;
	msleep(1000);
	q->done++;
	tag_put(q->set);
	return 0;
}

static int __init tagset_init(void)
{
	static const char * const names[] = { "writer-0", "writer-a", "writer-b" };
	int i;

	tags = kzalloc(sizeof(*tags), GFP_KERNEL);
	if (!tags)
		return -ENOMEM;
	init_waitqueue_head(&tags->wait);
	atomic_set(&tags->free, 1);
	for (i = 0; i < 3; i++) {
		queue[i].set = tags;
		strscpy(queue[i].name, names[i], sizeof(queue[i].name));
		run_thread(queue_writer, &queue[i], -1, names[i]);
		msleep(200);
	}
	WRITE_ONCE(queue[1].closing, true);
	return 0;
}
module_init(tagset_init);
