/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbols of a dump: functions of 16 bytes each from CALLED on, with the names that the test has in
 * called[]. For tests that link with -z muldefs.
 */
#ifndef CALLED_FUNCTIONS_H
#define CALLED_FUNCTIONS_H

#include <string.h>

#include "linux_kernel/linux_kernel.h"

bool kallsyms_find(const struct kallsyms *k, u64 addr, struct ksym *ret)
{
	u64 nr = (addr - CALLED) / 16;

	(void)k;
	if (nr >= ARRAY_SIZE(called))
		return false;
	*ret = (struct ksym){ .start = CALLED + 16 * nr, .size = 16 };
	strcpy(ret->name, called[nr]);
	return true;
}

#endif
