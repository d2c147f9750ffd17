// SPDX-License-Identifier: GPL-2.0-only
/* A live patch of a function of the kernel, in the way of samples/livepatch. */
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/seq_file.h>

static int patched_cmdline_proc_show(struct seq_file *m, void *v)
{
	seq_puts(m, "patched\n");
	return 0;
}

static struct klp_func funcs[] = {
	{
		.old_name = "cmdline_proc_show",
		.new_func = patched_cmdline_proc_show,
	},
	{ }
};

static struct klp_object objects[] = {
	{ .funcs = funcs },
	{ }
};

static struct klp_patch patch = {
	.mod = THIS_MODULE,
	.objs = objects,
};

static int __init patcher_init(void)
{
	return klp_enable_patch(&patch);
}

static void __exit patcher_exit(void)
{
}

module_init(patcher_init);
module_exit(patcher_exit);
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
MODULE_DESCRIPTION("Is a live patch of /proc/cmdline");
