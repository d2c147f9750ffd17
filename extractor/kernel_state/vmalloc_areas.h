/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The areas of vmalloc() and the like of a dumped kernel, and who asked for them: what /proc/vmallocinfo has. */
#ifndef EPITAPH_KERNEL_STATE_VMALLOC_AREAS_H
#define EPITAPH_KERNEL_STATE_VMALLOC_AREAS_H

#include "linux_kernel/linux_kernel.h"

/**
 * struct vmalloc_area - an area
 * @caller: where it was asked for, a return address; 0: the kernel does not say
 * @pages: that it has; 0: it maps what others have, as ioremap() does
 */
struct vmalloc_area {
	u64 start;
	u64 end;
	u64 caller;
	u64 pages;
};

/**
 * struct vmalloc_user - one place that asked for areas
 * @caller: as of its areas
 * @nr: areas
 * @pages: of them all
 */
struct vmalloc_user {
	u64 caller;
	u64 nr;
	u64 pages;
};

/*
 * Who has the most pages. @all: pages of all areas. False: the list is not found, not whole, or is empty; or there are too many
 * places that ask.
 */
bool vmalloc_largest_user(const struct kernel *kernel, struct vmalloc_user *largest, u64 *all);

/* The area that has @va; false: none does, or it is not known. */
bool vmalloc_area_at(const struct kernel *kernel, u64 va, struct vmalloc_area *ret);

#endif
