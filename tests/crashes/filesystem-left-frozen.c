// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A backup freezes a file system and forgets to thaw it.  A program that writes there waits for
 * ever; the disk has nothing to do with it.
 *
 * pattern: FIFREEZE or freeze_bdev() without its counterpart; the agent of a hypervisor that dies
 * finding: a task hangs as it waits to write to a file system that is frozen
 * never: the disk does not answer; a deadlock; an I/O error; "backup" as a holder of a lock
 * x86: the guest runs a program of the host
 * must: ^shown: init-[0-9]+ waits to write to the file system on frozen0 \(ext4\), which is frozen
 * not: deadlock|disk does
 * programs: /bin/make-ext4 mke2fs
 * guest: load_modules /lib/modules
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/filesystem-left-frozen.ko
 * guest: make-ext4 -q -F -t ext4 -E lazy_itable_init=0 /dev/frozen0
 * guest: mkdir -p /tmp/mnt
 * guest: mount -t ext4 /dev/frozen0 /tmp/mnt
 * guest: echo 1 >/sys/module/filesystem_left_frozen/parameters/freeze
 * guest: sleep 1
 * guest: echo text >/tmp/mnt/file
 */
#include <linux/fs.h>
#include <linux/moduleparam.h>
#include "ramdisk.h"

static bool disk_works(struct bio *bio)
{
	return true;
}

static int freeze_set(const char *text, const struct kernel_param *param)
{
	struct file *dir = filp_open("/tmp/mnt", O_RDONLY | O_DIRECTORY, 0);

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	freeze_super(file_inode(dir)->i_sb
#ifdef FOP_BUFFER_RASYNC
		     , FREEZE_HOLDER_USERSPACE
#endif
		     );
	filp_close(dir, NULL);
	return 0;
}

static const struct kernel_param_ops freeze_ops = { .set = freeze_set };
module_param_cb(freeze, &freeze_ops, NULL, 0200);

static int __init disk_init(void)
{
	return add_ramdisk("frozen0");
}
module_init(disk_init);
