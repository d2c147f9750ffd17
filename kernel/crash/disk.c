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
static u32 nr_added;	/* with @names: by device_add() */

/* @listed: how many had been added when the list was read that has it; false: it is older than one of them. */
static bool name_disk(dev_t dev, const char *name, const u32 *listed)
{
	bool is_old;

	/* Who loses the region waits for this. */
	rcu_read_lock();
	raw_spin_lock(&names);
	is_old = listed && *listed != nr_added;
	nr_added += !listed;
	if (!is_old && !epitaph_lost())
		epitaph_symbol_rename(EPITAPH_SYMBOL_DEVICE + dev, name);
	raw_spin_unlock(&names);
	rcu_read_unlock();
	return !is_old;
}

static bool name_disk_of(const char *line, u32 listed)
{
	unsigned int major, minor;
	unsigned long long blocks;
	char name[33];

	return sscanf(line, "%u %u %llu %32s", &major, &minor, &blocks, name) != 4 ||
	       name_disk(MKDEV(major, minor), name, &listed);
}

static void name_disks(struct work_struct *work)
{
	u32 listed = READ_ONCE(nr_added);
	char *at = text, *line;

	if (epitaph_lost() || epitaph_proc_read("partitions", text, TEXT_SIZE) <= 0)
		return;
	while ((line = strsep(&at, "\n")))
		if (!name_disk_of(line, listed)) {
			/* A number in it may be another disk's by now. */
			schedule_delayed_work(to_delayed_work(work), msecs_to_jiffies(LATER_MS));
			return;
		}
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
		name_disk(dev->devt, dev_name(dev), NULL);
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
	name_disks(&naming.work);
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
