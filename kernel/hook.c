// SPDX-License-Identifier: GPL-2.0-only
/* Functions of the kernel's that tell us when they are called, by ftrace. */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include "compat.h"
#include "function.h"
#include "hook.h"

static void notrace entered(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct epitaph_hook *hook = container_of(ops, struct epitaph_hook, ops);
	struct pt_regs *regs = ftrace_get_regs(fregs);

	if (regs)
		hook->reached(regs);
}

static int filter_by_name(struct epitaph_hook *hook)
{
	unsigned char name[64];

	strscpy(name, hook->function, sizeof(name));
	return ftrace_set_filter(&hook->ops, name, strlen(name), 1);
}

/* By address, which is fast, and where that is not known by name. */
static int filter(struct epitaph_hook *hook)
{
	unsigned long addr = (unsigned long)hook->exported;
	int err = addr ? 0 : epitaph_function_find(hook->function, &addr);

	if (err == -ENOENT)
		return -EINVAL;
	if (!err && !ftrace_set_filter_ip(&hook->ops, addr, 0, 1))
		return 0;
	return filter_by_name(hook);
}

int epitaph_hook_set(struct epitaph_hook *hook)
{
	int err;

	if (!hook->function)
		return -EINVAL;
	hook->ops.func = entered;
	hook->ops.flags = FTRACE_OPS_FL_SAVE_REGS | hook->flags;
	err = filter(hook);
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
