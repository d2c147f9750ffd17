// SPDX-License-Identifier: GPL-2.0-only
/* Last branches, where we know of none. */
#include <linux/errno.h>
#include "branches.h"

const char *epitaph_arch_branches_find(u32 *kind)
{
	return "they are not built for this architecture";
}

int epitaph_arch_branches_on(void)
{
	return -ENODEV;
}

void epitaph_arch_branches_off(void)
{
}

int epitaph_arch_branches_freeze(void)
{
	return -EBUSY;
}

void epitaph_arch_branches_go_on(void)
{
}

u32 epitaph_arch_branches_read(struct epitaph_branch *to)
{
	return 0;
}

void epitaph_arch_branches_watch(void (*take)(void))
{
}

void epitaph_arch_branches_unwatch(void)
{
}
