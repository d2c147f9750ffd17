// SPDX-License-Identifier: GPL-2.0-only
/*
 * A handler is taken off under the mutex of the device, and that waits for the readers of the handlers; one of them is in a
 * handler that wants the mutex.
 *
 * pattern: synchronize_srcu() with a mutex held that is taken in a section of that SRCU
 * upstream: kvm irqfds/mmu notifiers, fsnotify marks, nvme head srcu: mutex against SRCU
 * finding: a deadlock of two: ev-unplug holds dev_lock in ev_unplug() and waits in synchronize_srcu() for the readers of ev_srcu; ev-deliver is such a reader in ev_deliver() and waits for dev_lock in ev_led()
 * never: ev-query, which only waits for dev_lock; a reader that forgot its unlock; RCU's own thread
 * must: deadlock.*ev-(unplug|deliver)-[0-9]+.*ev-(unplug|deliver)-[0-9]+
 * not: ev-query-[0-9]+.*deadlock|never left|forgot
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/ev-srcu.ko
 */
#include <linux/srcu.h>
#include "crash.h"

struct handler {
	u32 id;
	void (*event)(u32 code);
};

static DEFINE_MUTEX(dev_lock);
DEFINE_STATIC_SRCU(ev_srcu);
static struct handler *handlers[4];
static u32 leds, queried;

static noinline void ev_led(u32 code)
{
	mutex_lock(&dev_lock);
	leds ^= code;
	mutex_unlock(&dev_lock);
}

static noinline void ev_deliver(u32 code)
{
	int idx = srcu_read_lock(&ev_srcu);
	int i;

	for (i = 0; i < 4; i++) {
		struct handler *h = READ_ONCE(handlers[i]);

		if (h) {
			usleep_range(2000, 3000);
			h->event(code);
		}
	}
	srcu_read_unlock(&ev_srcu, idx);
}

static noinline void ev_unplug(int i)
{
	struct handler *h;

	mutex_lock(&dev_lock);
	h = handlers[i];
	WRITE_ONCE(handlers[i], NULL);
	synchronize_srcu(&ev_srcu);
	kfree(h);
	mutex_unlock(&dev_lock);
}

static int ev_deliverer(void *unused)
{
	u32 code;

	for (code = 1;; code++) {
		ev_deliver(code);
		usleep_range(100, 200);
	}
	return 0;
}

static int ev_unplugger(void *unused)
{
	msleep(900);
	ev_unplug(2);
	return 0;
}

static int ev_query(void *unused)
{
	msleep(700);
	for (;;) {
		mutex_lock(&dev_lock);
		queried = leds;
		mutex_unlock(&dev_lock);
		msleep(110);
	}
	return 0;
}

static int __init ev_init(void)
{
	int i;

	for (i = 0; i < 4; i++) {
		handlers[i] = kzalloc(sizeof(struct handler), GFP_KERNEL);
		if (!handlers[i])
			return -ENOMEM;
		handlers[i]->event = ev_led;
	}
	run_thread(ev_query, NULL, 0, "ev-query");
	run_thread(ev_deliverer, NULL, 0, "ev-deliver");
	return run_thread(ev_unplugger, NULL, 1, "ev-unplug");
}
module_init(ev_init);
