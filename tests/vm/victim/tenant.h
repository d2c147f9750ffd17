/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A module with one work, whose name is TENANT_WORK.  Two of one size come to lie at one
 * address, one after the other.
 */
#include <linux/module.h>
#include <linux/workqueue.h>

static void TENANT_WORK(struct work_struct *work)
{
}

static DECLARE_WORK(work, TENANT_WORK);

static int __init tenant_init(void)
{
	schedule_work(&work);
	flush_work(&work);
	return 0;
}

static void __exit tenant_exit(void)
{
}

module_init(tenant_init);
module_exit(tenant_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Has a name for an address");
