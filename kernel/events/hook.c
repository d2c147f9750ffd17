// SPDX-License-Identifier: GPL-2.0-only
/*
 * Callbacks at the entry of kernel functions, by ftrace.
 *
 * Each registration makes ftrace walk over all functions that it can trace: 60 000 of 6.12,
 * which takes 11 million instructions.  So the hooks are registered together, and the
 * address says which function was reached.  A hook is registered by itself only if it
 * changes where a function returns to, or if its function is known by name only.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "arch/arch.h"
#include "compat.h"
#include "function.h"
#include "hook.h"
#include "prototype.h"

#define MAX_SHARED	16

static struct epitaph_hook *shared[MAX_SHARED];
static unsigned int nr_shared;
static bool is_started;
static bool is_ftrace_dead;

/* ftrace's place in a function is where that begins, or some bytes behind. */
static notrace struct epitaph_hook *hook_at(unsigned long ip)
{
	struct epitaph_hook *hook = NULL;
	unsigned int i;

	for (i = 0; i < nr_shared; i++)
		if (shared[i]->addr <= ip && (!hook || shared[i]->addr > hook->addr))
			hook = shared[i];
	return hook;
}

static notrace void call_hook(struct epitaph_hook *hook, struct ftrace_regs *fregs)
{
	/* A kernel that zeroes its stack calls memset() for it, and takes the place of two branches. */
	struct pt_regs room __uninitialized;
	struct pt_regs *regs = epitaph_arch_hook_regs(fregs, &room);

	if (!hook || !regs)
		return;
	hook->reached(regs);
	if (hook->redirects)
		epitaph_arch_hook_return(fregs, regs);
}

static void notrace entered_shared(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	call_hook(hook_at(ip), fregs);
}

static void notrace entered(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	call_hook(container_of(ops, struct epitaph_hook, ops), fregs);
}

/* Permanent: kernel.ftrace_enabled=0 does not turn it off. */
static struct ftrace_ops shared_ops = {
	.func = entered_shared,
	.flags = EPITAPH_ARCH_HOOK_FLAGS | FTRACE_OPS_FL_PERMANENT,
};

static int share_hook(struct epitaph_hook *hook)
{
	int err;

	if (nr_shared == MAX_SHARED)
		return -ENOSPC;
	/* Before ftrace calls it, which may be at once: hook_at() would find the one below. */
	shared[nr_shared] = hook;
	smp_store_release(&nr_shared, nr_shared + 1);
	err = ftrace_set_filter_ip(&shared_ops, hook->addr, 0, 0);
	if (err)
		WRITE_ONCE(nr_shared, nr_shared - 1);
	return err;
}

/* By address, which is fast, and where that is not known by name. */
static int filter(struct epitaph_hook *hook)
{
	unsigned char name[64];

	if (hook->addr && !ftrace_set_filter_ip(&hook->ops, hook->addr, 0, 1))
		return 0;
	strscpy(name, hook->function, sizeof(name));
	return ftrace_set_filter(&hook->ops, name, strlen(name), 1);
}

/* After a fault of its own, ftrace refuses everything: ftrace_kill().  Return: @err. */
static int see_dead(int err)
{
	if (err == -ENODEV && !is_ftrace_dead) {
		is_ftrace_dead = true;
		pr_warn("ftrace has switched itself off after a fault of its own, which the log has before: functions of the kernel cannot be hooked until the machine is booted anew, and of its end only events are recorded\n");
	}
	return err;
}

/* What ftrace called when it switched itself off it still calls: our code has to stay. */
void epitaph_hook_stay(void)
{
	pr_err("ftrace has switched itself off after a fault of its own, and still calls the recorder, which stays and records on: it cannot be unloaded until the machine is booted anew\n");
	while (!try_module_get(THIS_MODULE))
		schedule_timeout_idle(MAX_SCHEDULE_TIMEOUT);
}

static void take_off(struct ftrace_ops *ops)
{
	if (unregister_ftrace_function(ops))
		epitaph_hook_stay();
}

static int set_alone(struct epitaph_hook *hook)
{
	int err;

	hook->ops.func = entered;
	hook->ops.flags = EPITAPH_ARCH_HOOK_FLAGS |
			  (hook->redirects ? FTRACE_OPS_FL_IPMODIFY : FTRACE_OPS_FL_PERMANENT);
	err = filter(hook);
	/* Without a filter it would be all functions. */
	if (err)
		return err;
	err = register_ftrace_function(&hook->ops);
	if (err)
		ftrace_free_filter(&hook->ops);
	hook->is_alone = !err;
	return err;
}

int epitaph_hook_set(struct epitaph_hook *hook)
{
	int err;

	if (!hook->function)
		return -EINVAL;
	if (epitaph_prototype_is_other(hook->function))
		return -EPROTOTYPE;
	hook->addr = (unsigned long)hook->exported;
	err = hook->addr ? 0 : epitaph_function_find(hook->function, &hook->addr);
	if (err == -ENOENT)
		return -EINVAL;
	if (!err && !hook->redirects && !share_hook(hook))
		return 0;
	return see_dead(set_alone(hook));
}

void epitaph_hook_clear(struct epitaph_hook *hook)
{
	if (!hook->is_alone)
		return;
	take_off(&hook->ops);
	ftrace_free_filter(&hook->ops);
	hook->is_alone = false;
}

void epitaph_hooks_start(void)
{
	int err;

	if (!nr_shared || is_started)
		return;
	err = see_dead(register_ftrace_function(&shared_ops));
	if (err)
		pr_info("no hook on %s and %u more (%d), going without\n", shared[0]->function,
			nr_shared - 1, err);
	is_started = !err;
}

void epitaph_hooks_stop(void)
{
	if (is_started)
		take_off(&shared_ops);
	ftrace_free_filter(&shared_ops);
	is_started = false;
	nr_shared = 0;
}
