// SPDX-License-Identifier: GPL-2.0-only
/*
 * filp_open() answers with an error pointer; the driver checks for NULL alone and goes on.
 *
 * pattern: IS_ERR versus NULL, as smatch finds them every week
 * upstream: CVE-2026-22987, net/sched: act_api: an ERR_PTR(-EBUSY) used as a tc_action
 * finding: an error number (-ENOENT, -2) was used as a pointer, in config_size() of this module
 * never: a wild or freed pointer; memory corruption
 * must: ^likely: .*config_size\(\) .*ERR_PTR\(-2\)
 * not: freed
 * guest: insmod /test/error-pointer-file.ko
 */
#include <linux/fs.h>
#include "crash.h"

static noinline loff_t config_size(struct file *file)
{
	return i_size_read(READ_ONCE(file->f_inode));
}

static int __init config_init(void)
{
	struct file *file = filp_open("/etc/driver.conf", O_RDONLY, 0);

	if (!file)
		return -ENOENT;
	pr_info("config of %lld bytes\n", config_size(file));
	return 0;
}
module_init(config_init);
