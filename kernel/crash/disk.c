// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of disks and partitions by the number that events have of them (dev_t).  /proc/partitions
 * has both.  It is read when the recorder is loaded, and when devices have come: soon behind the
 * first of them, and later, because a slow disk's partitions take their time.
 */
#include <linux/device.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include "core/lost.h"
#include "events/hook.h"
#include "compat.h"
#include "proc.h"
#include "recorder.h"

#define TEXT_SIZE	(64 << 10)	/* some 1500 lines; more are left out */
#define SOON_MS		100
#define LATER_MS	3000

static char *text;
static bool is_soon;		/* it is on its way; what is added meanwhile must not put it off */
static bool is_later;		/* once more is to come */

static void name_disks(struct work_struct *unused);
static DECLARE_DELAYED_WORK(naming, name_disks);

static void name_disk(const char *line)
{
	unsigned int major, minor;
	unsigned long long blocks;
	char name[33];

	if (sscanf(line, "%u %u %llu %32s", &major, &minor, &blocks, name) != 4)
		return;
	/* Who loses the region waits for this. */
	rcu_read_lock();
	if (!epitaph_lost())
		epitaph_symbol_rename(EPITAPH_SYMBOL_DEVICE + MKDEV(major, minor), name);
	rcu_read_unlock();
}

static void name_disks(struct work_struct *unused)
{
	char *at = text, *line;

	/* What is added behind this is perhaps not in the text. */
	smp_store_mb(is_soon, false);
	if (epitaph_lost() || epitaph_proc_read("partitions", text, TEXT_SIZE) <= 0)
		return;
	while ((line = strsep(&at, "\n")))
		name_disk(line);
	if (xchg(&is_later, false))
		schedule_delayed_work(&naming, msecs_to_jiffies(LATER_MS));
}

static void expect_disks(struct pt_regs *regs)
{
	WRITE_ONCE(is_later, true);
	if (!xchg(&is_soon, true))
		mod_delayed_work(epitaph_wq, &naming, msecs_to_jiffies(SOON_MS));
}

static struct epitaph_hook additions = {
	.function = "device_add",
	.exported = device_add,
	.reached = expect_disks,
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
