// SPDX-License-Identifier: GPL-2.0-only
/*
 * An error of the memory controller, as its driver would report it: write a number
 * to /sys/kernel/debug/victim_mc_event, and ras:mc_event has it as error count.
 */
#include <linux/debugfs.h>
#include <linux/edac.h>
#include <ras/ras_event.h>

#include "victim.h"

static struct dentry *file;

static int report(void *unused, u64 number)
{
	trace_mc_event(HW_EVENT_ERR_CORRECTED, "victim's", "DIMM 3", number, 0, 1, 2, -1,
		       number << 12, 12, 0, "from the victim");
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(report_fops, NULL, report, "%llu\n");

void victim_ras_init(void)
{
	file = debugfs_create_file_unsafe("victim_mc_event", 0200, NULL, NULL, &report_fops);
}

void victim_ras_exit(void)
{
	debugfs_remove(file);
}
