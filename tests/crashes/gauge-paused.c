// SPDX-License-Identifier: GPL-2.0-only
/*
 * A gauge is calibrated, and two limits too many are written, over its bus; its timer is paused just then.
 *
 * pattern: a loop over an array within a struct that goes too far
 * finding: gauge_calibrate() of calibd wrote 6 limits of 4, over g->bus
 * never: powerd, which stopped the timer for the first time (gauge_pause); gauged
 * must: shown: gauge_sample\(\) of module gauge_paused read 8 bytes
 * not: powerd
 * guest: insmod /test/gauge-paused.ko
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

static struct gauge_bus bus;
static struct gauge *gauges[3];

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

static noinline void gauge_pause(struct gauge *g)
{
	del_timer_sync(&g->poll);
}

static noinline void gauge_calibrate(struct gauge *g, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		UNKNOWN(&g->limits[0])[i] = 510000 + 13 * i;
}

static int powerd(void *unused)
{
	msleep(700);
	gauge_pause(gauges[1]);
	for (;;)
		msleep(50);
	return 0;
}

static int calibd(void *unused)
{
	msleep(702);
	gauge_calibrate(gauges[1], 6);
	for (;;)
		msleep(50);
	return 0;
}

static int __init gauge_init(void)
{
	int i;

	BUILD_BUG_ON(sizeof(struct gauge) <= 192 || sizeof(struct gauge) > 256);
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
	run_thread(powerd, NULL, 1, "powerd");
	run_thread(calibd, NULL, 1, "calibd");
	run_thread(gauged, gauges[0], -1, "gauged0");
	return run_thread(gauged, gauges[1], 1, "gauged1");
}
module_init(gauge_init);
