// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A module is unloaded and leaves its misc device registered.  Another device is opened.
 *
 * pattern: missing misc_deregister() in module_exit()
 * upstream: the class of missing misc_deregister() (watchdog, ipmi, staging)
 * finding: the list misc_list has an entry that lay in the module misc_left, which was unloaded without misc_deregister()
 * never: the device cpu_dma_latency, head or the shell, misc_open() as guilty; freed slab memory
 * must: misc_left.*(unloaded|was removed|gone)|unloaded.*misc_left|(lay|lies|was) in .*misc_left
 * not: cpu_dma_latency|head-[0-9]+ (freed|holds)
 * guest: insmod /test/misc-left.ko
 * guest: sleep 1
 * guest: rmmod misc_left
 * guest: sleep 1
 * guest: head -c 1 /dev/cpu_dma_latency
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include "crash.h"

static u32 opened;

static int gate_open(struct inode *inode, struct file *file)
{
	opened++;
	return 0;
}

static const struct file_operations gate_fops = {
	.open = gate_open,
};

static struct miscdevice gate = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "gate",
	.fops = &gate_fops,
};

static int __init gate_init(void)
{
	return misc_register(&gate);
}
module_init(gate_init);

static void __exit gate_exit(void)
{
	pr_info("gate: was opened %u times\n", opened);
}
module_exit(gate_exit);
