// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who sleeps uninterruptibly is woken as if interruptibly.
 *
 * pattern: wake_up_interruptible() for sleepers of wait_event() (fixes in media, tty, staging)
 * finding: ring_done() (timer ring_poll) wakes only interruptible sleepers: room is there, capt-a and capt-b sleep on
 * never: capt-a, capt-b, viewer
 * must: likely: capt-[ab]-[0-9]+ waits in ring_put\(\) .* as ring_done\(\) of module dmaring, calls wake_up_interruptible\(\)
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/dmaring.ko
 * guest: while :; do read line </proc/uptime; sleep 0.5; done
 */
#include "crash.h"

#define SLOTS 32

struct ring {
	spinlock_t lock;
	u32 head, tail, done;
	wait_queue_head_t room;
	wait_queue_head_t data;
	struct timer_list poll;
	u32 slot[SLOTS];
};

static struct ring *ring;

static noinline void ring_done(struct ring *r, u32 n)
{
	spin_lock(&r->lock);
	n = min(n, r->head - r->tail);
	r->tail += n;
	r->done += n;
	spin_unlock(&r->lock);
	wake_up_interruptible(&r->data);
	wake_up_interruptible(&r->room);
}

static void ring_poll(struct timer_list *t)
{
	struct ring *r = from_timer(r, t, poll);

	ring_done(r, 3);
	mod_timer(&r->poll, jiffies + 1);
}

static noinline bool ring_room(struct ring *r)
{
	return r->head - r->tail < SLOTS;
}

static noinline void ring_put(struct ring *r, u32 val)
{
	for (;;) {
		wait_event(r->room, ring_room(r));
		spin_lock_bh(&r->lock);
		if (ring_room(r))
			break;
		spin_unlock_bh(&r->lock);
	}
	r->slot[r->head++ % SLOTS] = val;
	spin_unlock_bh(&r->lock);
}

static int capture(void *data)
{
	u32 i, j;

	for (i = 0;; i++) {
		u32 burst = i == 150 ? 60 : 2;

		for (j = 0; j < burst; j++)
			ring_put(data, i + j);
		usleep_range(4000, 5000);
	}
	return 0;
}

static int viewer(void *data)
{
	struct ring *r = data;
	u32 seen = 0;

	for (;;) {
		wait_event_interruptible(r->data, r->done - seen > 16);
		seen = r->done;
	}
	return 0;
}

static int __init dmaring_init(void)
{
	ring = kzalloc(sizeof(*ring), GFP_KERNEL);
	if (!ring)
		return -ENOMEM;
	spin_lock_init(&ring->lock);
	init_waitqueue_head(&ring->room);
	init_waitqueue_head(&ring->data);
	timer_setup(&ring->poll, ring_poll, 0);
	mod_timer(&ring->poll, jiffies + 1);
	run_thread(viewer, ring, -1, "viewer");
	run_thread(capture, ring, -1, "capt-a");
	return run_thread(capture, ring, -1, "capt-b");
}
module_init(dmaring_init);
