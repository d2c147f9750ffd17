// SPDX-License-Identifier: GPL-2.0-only
/*
 * A gauge is unplugged: its timer is stopped, and it is freed, while a thread still reads it.
 *
 * pattern: remove frees the state that a kthread of the driver still has (hwmon, iio, w1)
 * finding: gauge_remove() of plugd stopped the timer and freed the gauge; gauged goes on with it
 * never: gauged; loggerd, which has the memory since
 * must: likely: gauge_sample\(\) of module gauge_gone used [0-9a-f]+ as a pointer
 * shows: plugd-[0-9]+ cancelled the timer [0-9a-f]+ of gauge_poll\(\) of module gauge_gone, which lies in that object
 * guest: insmod /test/gauge-gone.ko
 * guest: while :; do read line </proc/uptime; sleep 0.1; done
 */
#include "crash.h"

struct gauge_bus {
	void (*read)(struct gauge_bus *bus, u32 reg);
	u32 reads;
};

struct gauge {
	char name[16];
	u32 limits[4];
	struct gauge_bus *bus;
	struct timer_list poll;
	u32 polls, value;
	u64 history[14];
};

struct entry {
	u32 stamp[50];
};

static struct gauge_bus bus;
static struct gauge *gauges[3];
static struct entry *entries[4096];

static void bus_read(struct gauge_bus *b, u32 reg)
{
	b->reads++;
}

static void gauge_poll(struct timer_list *t)
{
	struct gauge *g = from_timer(g, t, poll);

	g->polls++;
	mod_timer(&g->poll, jiffies + 5);
}

static noinline void gauge_sample(struct gauge *g)
{
	g->bus->read(g->bus, 4);
	g->value++;
}

static int gauged(void *data)
{
	struct gauge *g = data;

	for (;;) {
		gauge_sample(g);
		usleep_range(6000, 7000);
	}
	return 0;
}

static noinline void gauge_remove(struct gauge *g)
{
	del_timer_sync(&g->poll);
	kfree(g);
}

static int plugd(void *unused)
{
	msleep(700);
	gauge_remove(gauges[1]);
	gauges[1] = NULL;
	for (;;)
		msleep(50);
	return 0;
}

static noinline void entry_fill(struct entry *e, u32 seq)
{
	int i;

	for (i = 0; i < 50; i++)
		e->stamp[i] = 412000 + seq + i * 17;
}

static int loggerd(void *unused)
{
	u32 seq = 0;

	for (;;) {
		struct entry **e = &entries[seq % 4096];

		kfree(*e);
		*e = kmalloc(sizeof(**e), GFP_KERNEL);
		if (*e)
			entry_fill(*e, seq);
		if (++seq % 8 == 0)
			usleep_range(1500, 2000);
	}
	return 0;
}

static int __init gauge_init(void)
{
	int i;

	BUILD_BUG_ON(sizeof(struct gauge) <= 192 || sizeof(struct gauge) > 256);
	BUILD_BUG_ON(sizeof(struct entry) <= 192 || sizeof(struct entry) > 256);
	bus.read = bus_read;
	for (i = 0; i < 3; i++) {
		struct gauge *g = kzalloc(sizeof(*g), GFP_KERNEL);

		if (!g)
			return -ENOMEM;
		g->bus = &bus;
		timer_setup(&g->poll, gauge_poll, 0);
		mod_timer(&g->poll, jiffies + 2);
		gauges[i] = g;
	}
	run_thread(loggerd, NULL, 1, "loggerd");
	run_thread(plugd, NULL, 1, "plugd");
	run_thread(gauged, gauges[0], -1, "gauged0");
	return run_thread(gauged, gauges[1], 1, "gauged1");
}
module_init(gauge_init);
