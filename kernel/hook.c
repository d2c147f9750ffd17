// SPDX-License-Identifier: GPL-2.0-only
/* Functions of the kernel's that tell us when they are called, by ftrace. */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include "compat.h"
#include "hook.h"

static void notrace entered(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct epitaph_hook *hook = container_of(ops, struct epitaph_hook, ops);
	struct pt_regs *regs = ftrace_get_regs(fregs);

	if (regs)
		hook->reached(regs);
}

int epitaph_hook_set(struct epitaph_hook *hook)
{
	unsigned char name[64];
	int err;

	strscpy(name, hook->function, sizeof(name));
	hook->ops.func = entered;
	hook->ops.flags = FTRACE_OPS_FL_SAVE_REGS | hook->flags;
	err = ftrace_set_filter(&hook->ops, name, strlen(name), 1);
	/* Without a filter it would be all functions. */
	if (err)
		return err;
	err = register_ftrace_function(&hook->ops);
	if (err)
		ftrace_free_filter(&hook->ops);
	hook->is_set = !err;
	return err;
}

void epitaph_hook_clear(struct epitaph_hook *hook)
{
	if (!hook->is_set)
		return;
	unregister_ftrace_function(&hook->ops);
	ftrace_free_filter(&hook->ops);
	hook->is_set = false;
}
