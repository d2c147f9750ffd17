// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "monitor" on CPU 0 has a sensor read on CPU 1 by an IPI; the sensor of that CPU was never found.  CPU 1 runs
 * "calculator", innocent.
 *
 * pattern: a function for each CPU that does not expect a CPU without state
 * upstream: the class of hwmon/coretemp and cpufreq callbacks on a CPU that came late
 * finding: NULL pointer (+0x18) in read_sensor() of this module, called by an IPI on CPU 1
 * never: calculator; swapper; the IPI code
 * must: ^shown: read_sensor\(\) .*NULL pointer
 * not: calculator|swapper
 * guest: insmod /test/null-in-ipi.ko
 */
#include <linux/smp.h>
#include "crash.h"

struct sensor {
	long id;
	long kind;
	long limit;
	long value;
};

static struct sensor first;
static struct sensor *sensors[2] = { &first, NULL };

static noinline void read_sensor(void *unused)
{
	struct sensor *s = READ_ONCE(sensors[smp_processor_id() & 1]);

	WRITE_ONCE(s->value, s->id + 1);
}

static int monitor(void *unused)
{
	int cpu;

	msleep(300);
	for (cpu = 0; cpu < 2; cpu++)
		smp_call_function_single(cpu, read_sensor, NULL, 1);
	return 0;
}

static int calculator(void *unused)
{
	unsigned long sum = 0;

	for (;;) {
		udelay(100);
		sum++;
		cond_resched();
	}
	return sum;
}

static int __init sensor_init(void)
{
	run_thread(calculator, NULL, 1, "calculator");
	return run_thread(monitor, NULL, 0, "monitor");
}
module_init(sensor_init);
