// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module is removed without its file in /proc.  Reading the file takes the table of functions from where the module was.
 *
 * pattern: a missing remove_proc_entry() in module_exit()
 * upstream: the class of "fix missing remove_proc_entry in exit" (for example in net/sctp, drivers/scsi)
 * finding: the kernel read from memory of this module, which is unloaded: the file's proc_ops
 * never: "cat" or procfs as the culprit; NULL; a jump; the module "dummy"
 * must: ^shown: proc_reg_open\(\)
 * not: NULL|dummy
 * modules: dummy
 * guest: load_modules /lib/modules
 * guest: insmod /test/proc-file-left-behind.ko
 * guest: rmmod proc_file_left_behind
 * guest: sleep 1
 * guest: cat /proc/gauge
 */
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include "crash.h"

static int gauge_show(struct seq_file *file, void *unused)
{
	seq_puts(file, "5\n");
	return 0;
}

static int gauge_open(struct inode *inode, struct file *file)
{
	return single_open(file, gauge_show, NULL);
}

static const struct proc_ops gauge_ops = {
	.proc_open = gauge_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init gauge_init(void)
{
	return proc_create("gauge", 0444, NULL, &gauge_ops) ? 0 : -ENOMEM;
}

static void __exit gauge_exit(void)
{
}
module_init(gauge_init);
module_exit(gauge_exit);
