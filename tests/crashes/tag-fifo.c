// SPDX-License-Identifier: GPL-2.0-only
/*
 * A FIFO of a sensor hub is read in steps of the pattern's length.  The last sensor is disabled while the FIFO is not empty: the
 * pattern has no length, and the loop goes no step.
 *
 * pattern: for (i = 0; i < len; i += step) with a step of 0
 * upstream: drawn from Debian's changelog: "iio: imu: st_lsm6dsx: fix possible lockup in st_lsm6dsx_read_tagged_fifo"
 * finding: tag_fifo_read() of imu-fifo loops without end: its step, hub.pattern_len, is 0, as sensor_disable() of imu-cfg set it
 * never: that it waits for a lock; interrupts; the timer; imu-cfg, which may disable a sensor, as who keeps the CPU
 * must: ^likely: tag_fifo_read\(\) .*loop.*what it adds each time, 2 bytes .*is 0\.$
 * not: waits for|interrupt|imu-cfg-[0-9]+ (keeps|ran)
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/tag-fifo.ko
 */
#include "crash.h"

struct sensor {
	u8 tag, enabled;
	u16 samples;
	u64 pushed;
};

struct hub {
	u16 level, pattern_len;
	u32 reads;
	struct sensor sensor[3];
	s16 fifo[256];
};

static struct hub *hub;

static noinline void sensor_push(struct hub *h, u32 at)
{
	struct sensor *s = &h->sensor[h->fifo[at & 255] & 1];

	if (s->enabled)
		s->pushed++;
}

static noinline int tag_fifo_read(struct hub *h)
{
	u16 len = READ_ONCE(h->level);
	u32 i;

	for (i = 0; i < len; i += READ_ONCE(h->pattern_len))
		sensor_push(h, i);
	h->reads++;
	return len;
}

static noinline void sensor_disable(struct hub *h, int which)
{
	struct sensor *s = &h->sensor[which];

	s->enabled = 0;
	WRITE_ONCE(h->pattern_len, h->pattern_len - s->samples);
}

static int imu_fifo(void *data)
{
	struct hub *h = data;

	for (;;) {
		WRITE_ONCE(h->level, 12 * (h->reads % 9 + 1));
		tag_fifo_read(h);
		msleep(20);
	}
	return 0;
}

static int imu_cfg(void *data)
{
	int i;

	for (i = 0; i < 3; i++) {
		msleep(500);
		sensor_disable(data, i);
	}
	return 0;
}

static int __init imu_init(void)
{
	int i;

	hub = kzalloc(sizeof(*hub), GFP_KERNEL);
	if (!hub)
		return -ENOMEM;
	for (i = 0; i < 256; i++)
		hub->fifo[i] = i * 37;
	for (i = 0; i < 3; i++) {
		hub->sensor[i].enabled = 1;
		hub->sensor[i].samples = 1 << i;
		hub->pattern_len += 1 << i;
	}
	run_thread(imu_fifo, hub, 1, "imu-fifo");
	return run_thread(imu_cfg, hub, 0, "imu-cfg");
}
module_init(imu_init);
