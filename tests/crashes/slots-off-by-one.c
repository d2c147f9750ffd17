// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A table of eight slots is written at its ninth, which is the first word of the neighbour in the slab: the
 * operations of a sensor that does all right.
 *
 * pattern: "<=" for "<"; the neighbour's first word is a pointer to operations
 * upstream: the class of off-by-one slab writes (CVE-2021-22555's kin, ath11k, mlxsw "off by one in port array")
 * finding: sensor_read() called by sensor->ops, which was overwritten: the object right in front of it in kmalloc-64 was allocated by table_fill() of thread table-fill, which wrote one slot too many
 * never: sensor-poll or sensor_read() as the culprit; a NULL pointer that was never set; freed memory
 * must: ^likely: .*out of an object that was overwritten.*in front of it
 * not: ^shown|freed|NULL
 * kernels: 6.1
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/slots-off-by-one.ko
 */
#include "crash.h"

#define SENSORS 24

struct sensor_ops {
	u64 flags;
	int (*read)(int unit);
};

struct sensor {
	const struct sensor_ops *ops;
	u64 unit, last, min, max, pad[3];
};

static struct sensor *sensors[SENSORS];
static u64 *tables[SENSORS];

static noinline int probe_read(int unit)
{
	return unit * 3;
}

static const struct sensor_ops probe_ops = { .flags = 1, .read = probe_read };

static noinline int sensor_read(struct sensor *s)
{
	s->last = s->ops->read(s->unit);
	return s->last;
}

static int sensor_poll(void *unused)
{
	int i;

	for (;;) {
		for (i = 0; i < SENSORS; i++)
			sensor_read(sensors[i]);
		msleep(100);
	}
	return 0;
}

static noinline void table_fill(u64 *table, int n)
{
	int i;

	for (i = 0; i <= n; i++)
		table[i] = UNKNOWN(0x0000000300010000ull) + i;
}

static int table_filler(void *unused)
{
	msleep(1200);
	table_fill(tables[11], 8);
	return 0;
}

static int __init sensor_init(void)
{
	int i;

	for (i = 0; i < SENSORS; i++) {
		tables[i] = kzalloc(64, GFP_KERNEL);
		sensors[i] = kzalloc(sizeof(struct sensor), GFP_KERNEL);
		if (!tables[i] || !sensors[i])
			return -ENOMEM;
		sensors[i]->ops = UNKNOWN(&probe_ops);
		sensors[i]->unit = i;
	}
	run_thread(sensor_poll, NULL, 0, "sensor-poll");
	return run_thread(table_filler, NULL, 1, "table-fill");
}
module_init(sensor_init);
