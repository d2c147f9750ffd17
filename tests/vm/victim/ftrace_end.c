// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has ftrace switch itself off, as it does after a fault of its own.  Its function for that is not for
 * modules, but a kprobe finds where it begins.
 */
#include <linux/kprobes.h>
#include <linux/module.h>

static int __init ftrace_end_init(void)
{
	struct kprobe probe = { .symbol_name = "ftrace_kill", .flags = KPROBE_FLAG_DISABLED };
	void (*end)(void);
	int err = register_kprobe(&probe);

	if (err)
		return err;
	end = (void (*)(void))probe.addr;
	unregister_kprobe(&probe);
	end();
	return 0;
}

static void __exit ftrace_end_exit(void)
{
}

module_init(ftrace_end_init);
module_exit(ftrace_end_exit);
MODULE_DESCRIPTION("The end of ftrace");
MODULE_LICENSE("GPL");
