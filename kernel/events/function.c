// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where functions of the kernel's begin.
 *
 * The kernel's search for a symbol is not for modules, but it finds a kprobe's
 * place with it.  So each function has a kprobe that is disabled, and no
 * instruction is changed for it.  They stay until the module goes: to take one away
 * is to wait for RCU, which a boot need not.
 *
 * ftrace searches by name, too: it asks for the name of each of the 50 000
 * functions that it can trace, which takes 90 million instructions.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include "function.h"

#ifdef CONFIG_KPROBES

#define MAX_FUNCTIONS	16

static struct kprobe probes[MAX_FUNCTIONS];
static struct kprobe *found[MAX_FUNCTIONS];
static int nr_found;

int epitaph_function_find(const char *name, unsigned long *addr)
{
	struct kprobe *probe = &probes[nr_found];
	int err;

	if (nr_found == MAX_FUNCTIONS)
		return -ENOSPC;
	*probe = (struct kprobe){ .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };
	err = register_kprobe(probe);
	if (err)
		return err;
	*addr = (unsigned long)probe->addr;
	found[nr_found++] = probe;
	return 0;
}

void epitaph_functions_stop(void)
{
	if (nr_found)
		unregister_kprobes(found, nr_found);
	nr_found = 0;
}

#else

int epitaph_function_find(const char *name, unsigned long *addr)
{
	return -EOPNOTSUPP;
}

void epitaph_functions_stop(void)
{
}

#endif
