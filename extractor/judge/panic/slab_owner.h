/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose the objects of a cache are that filled the memory: what they point to. */
#ifndef EPITAPH_JUDGE_SLAB_OWNER_H
#define EPITAPH_JUDGE_SLAB_OWNER_H

#include "linux_kernel/linux_kernel.h"

/**
 * struct slab_owner - what most objects of a sample have in common
 * @nr_objects: that were looked at, all in use
 * @nr_pointing: of these, that have @pointer
 * @pointer: to a function or a variable of a module
 */
struct slab_owner {
	u32 nr_objects;
	u32 nr_pointing;
	u64 pointer;
};

/**
 * slab_owner_find() - look at objects of the cache @cache, here and there in the memory
 * @pages: of the memory
 *
 * Return: false: too few were found, or no pointer to a module is in most of them.
 */
bool slab_owner_find(struct slab_owner *ret, const struct kernel *kernel, const char *cache, u64 pages);

#endif
