// SPDX-License-Identifier: GPL-2.0-only
/*
 * The power of a zone is summed over the performance domains of its CPUs.  One CPU went away meanwhile, so that there is no device
 * of it any more and the look-up finds no domain: NULL, and that is not checked.
 *
 * pattern: what a look-up gave is used unchecked, as it "cannot fail" once the zone is registered
 * upstream: drawn from Debian's changelog: "powercap: dtpm_cpu: Fix NULL pointer dereference in get_pd_power_uw()"
 * finding: zone_power_uw() reads ->cap of NULL, which domain_get() returned for CPU 3, and does not check it
 * never: cpu-remover, which may take a CPU away at any time; freed memory; a lock; that zone-poll passed NULL
 * must: ^shown: zone_power_uw\(\) .*NULL pointer.*which domain_get\(\) had returned
 * not: freed|cpu_remove\(\)|remover
 * guest: insmod /test/zone-power.ko
 */
#include <linux/xarray.h>
#include "crash.h"

struct domain {
	u32 first, states;
	u32 power_uw[8];
	u32 cap;
};

struct cpu_dev {
	u32 cpu;
	char name[20];
	struct domain *domain;
};

struct power_zone {
	u32 cpus[4];
	u64 power_uw, polls;
};

static DEFINE_XARRAY(cpu_devs);
static struct domain *little, *big;
static struct power_zone zone = { .cpus = { 0, 1, 2, 3 } };

static noinline struct domain *domain_get(u32 cpu)
{
	struct cpu_dev *dev = xa_load(&cpu_devs, cpu);

	return dev ? dev->domain : NULL;
}

static noinline u64 zone_power_uw(struct power_zone *z)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(z->cpus); i++) {
		struct domain *d = domain_get(z->cpus[i]);

		sum += d->power_uw[d->cap & 7];
	}
	z->polls++;
	return sum;
}

static int zone_poll(void *data)
{
	struct power_zone *z = data;

	for (;;) {
		z->power_uw = zone_power_uw(z);
		msleep(30);
	}
	return 0;
}

static noinline void cpu_remove(u32 cpu)
{
	struct cpu_dev *dev = xa_erase(&cpu_devs, cpu);

	msleep(100);
	kfree(dev);
}

static int cpu_remover(void *unused)
{
	msleep(1500);
	cpu_remove(3);
	return 0;
}

static int __init zone_init(void)
{
	u32 cpu;

	little = kzalloc(sizeof(*little), GFP_KERNEL);
	big = kzalloc(sizeof(*big), GFP_KERNEL);
	if (!little || !big)
		return -ENOMEM;
	little->cap = 2;
	big->cap = 5;
	big->power_uw[5] = 840000;
	little->power_uw[2] = 91000;
	for (cpu = 0; cpu < 4; cpu++) {
		struct cpu_dev *dev = kzalloc(sizeof(*dev), GFP_KERNEL);

		if (!dev)
			return -ENOMEM;
		dev->cpu = cpu;
		dev->domain = cpu < 2 ? little : big;
		snprintf(dev->name, sizeof(dev->name), "cpu%u", cpu);
		xa_store(&cpu_devs, cpu, dev, GFP_KERNEL);
	}
	run_thread(cpu_remover, NULL, -1, "cpu-remover");
	return run_thread(zone_poll, &zone, -1, "zone-poll");
}
module_init(zone_init);
