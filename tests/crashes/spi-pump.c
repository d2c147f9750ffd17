// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pump of a bus forgets to complete a message that it cannot map; the sender waits for ever, with the bus' mutex.
 *
 * pattern: message not finalized on an error path of the SPI core's pump
 * finding: flashd waits for a completion under bus->io; bus_pump() took the message off and never completed it
 * never: sensord
 * must: likely: flashd-[0-9]+ waits for a completion by bus-pump-[0-9]+, which alone would do so and idles in bus_pump\(\)
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/spi-pump.ko
 */
#include <linux/completion.h>
#include "crash.h"

struct bus_msg {
	struct list_head node;
	const u8 *tx;
	unsigned int len;
	int status;
	struct completion done;
};

struct bus {
	struct mutex io;
	spinlock_t lock;
	struct list_head queue;
	struct bus_msg *current_msg;
	wait_queue_head_t pump_wait;
	unsigned long sent, failed;
	u32 fifo;
};

static struct bus *bus;
static u8 pattern[64];

static noinline int bus_map(struct bus *b, struct bus_msg *msg)
{
	return msg->len % 4 ? -EINVAL : 0;
}

static noinline void bus_shift(struct bus *b, struct bus_msg *msg)
{
	unsigned int i;

	for (i = 0; i < msg->len; i++)
		b->fifo = b->fifo << 8 | msg->tx[i];
	usleep_range(100, 200);
}

static int bus_pump(void *data)
{
	struct bus *b = data;
	struct bus_msg *msg;

	for (;;) {
		wait_event_interruptible(b->pump_wait, !list_empty(&b->queue));
		spin_lock(&b->lock);
		msg = list_first_entry(&b->queue, struct bus_msg, node);
		list_del_init(&msg->node);
		b->current_msg = msg;
		spin_unlock(&b->lock);
		msg->status = bus_map(b, msg);
		if (msg->status) {
			b->failed++;
			b->current_msg = NULL;
			continue;
		}
		bus_shift(b, msg);
		b->sent++;
		b->current_msg = NULL;
		complete(&msg->done);
	}
	return 0;
}

static noinline int bus_sync(struct bus *b, const u8 *tx, unsigned int len)
{
	struct bus_msg msg = { .tx = tx, .len = len, .status = -EINPROGRESS };

	init_completion(&msg.done);
	mutex_lock(&b->io);
	spin_lock(&b->lock);
	list_add_tail(&msg.node, &b->queue);
	spin_unlock(&b->lock);
	wake_up(&b->pump_wait);
	wait_for_completion(&msg.done);
	mutex_unlock(&b->io);
	return msg.status;
}

static int sensord(void *data)
{
	for (;;) {
		bus_sync(data, pattern, 4);
		msleep(50);
	}
	return 0;
}

static int flashd(void *data)
{
	unsigned int i;

	for (i = 0; i < 20; i++) {
		bus_sync(data, pattern, 32);
		msleep(40);
	}
	return bus_sync(data, pattern, 13);
}

static int __init bus_init(void)
{
	bus = kzalloc(sizeof(*bus), GFP_KERNEL);
	if (!bus)
		return -ENOMEM;
	mutex_init(&bus->io);
	spin_lock_init(&bus->lock);
	INIT_LIST_HEAD(&bus->queue);
	init_waitqueue_head(&bus->pump_wait);
	run_thread(sensord, bus, -1, "sensord");
	run_thread(bus_pump, bus, -1, "bus-pump");
	return run_thread(flashd, bus, -1, "flashd");
}
module_init(bus_init);
