// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of disks and partitions by the number that events have of them (dev_t).  /proc/partitions
 * has those that are there when the recorder is loaded; device_add() is given each that comes later.
 */
#include <linux/device.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include "arch/arch.h"
#include "core/lost.h"
#include "events/hook.h"
#include "compat.h"
#include "proc.h"
#include "recorder.h"

#define TEXT_SIZE	(64 << 10)	/* some 1500 lines; more are left out */
#define LATER_MS	3000

static char *text;
static DEFINE_RAW_SPINLOCK(names);

static void name_disk(dev_t dev, const char *name)
{
	/* Who loses the region waits for this. */
	rcu_read_lock();
	raw_spin_lock(&names);
	if (!epitaph_lost())
		epitaph_symbol_rename(EPITAPH_SYMBOL_DEVICE + dev, name);
	raw_spin_unlock(&names);
	rcu_read_unlock();
}

static void name_disk_of(const char *line)
{
	unsigned int major, minor;
	unsigned long long blocks;
	char name[33];

	if (sscanf(line, "%u %u %llu %32s", &major, &minor, &blocks, name) == 4)
		name_disk(MKDEV(major, minor), name);
}

static void name_disks(struct work_struct *unused)
{
	char *at = text, *line;

	if (epitaph_lost() || epitaph_proc_read("partitions", text, TEXT_SIZE) <= 0)
		return;
	while ((line = strsep(&at, "\n")))
		name_disk_of(line);
}

static DECLARE_DELAYED_WORK(naming, name_disks);

static bool is_disk(const struct device *dev)
{
	const char *type = dev && dev->type ? dev->type->name : NULL;

	return type && (!strcmp(type, "disk") || !strcmp(type, "partition"));
}

/* The kernel has given it number and name, and no one has sent it a request. */
static void name_added(struct pt_regs *regs)
{
	const struct device *dev = (const struct device *)epitaph_arch_argument(regs, 0);

	/* One of NVMe's several paths is hidden: it has no number. */
	if (is_disk(dev) && dev->devt && dev_name(dev))
		name_disk(dev->devt, dev_name(dev));
}

static struct epitaph_hook additions = {
	.function = "device_add",
	.exported = device_add,
	.reached = name_added,
};

void epitaph_disks_start(void)
{
	text = vmalloc(TEXT_SIZE);
	if (!text)
		return;
	name_disks(NULL);
	/* Those that come before the hooks are on. */
	schedule_delayed_work(&naming, msecs_to_jiffies(LATER_MS));
	if (epitaph_hook_set(&additions))
		pr_info("disks that come later have no names: device_add() cannot be hooked\n");
}

void epitaph_disks_stop(void)
{
	epitaph_hook_clear(&additions);
	cancel_delayed_work_sync(&naming);
	vfree(text);
	text = NULL;
}
