/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which functions of the loaded modules take objects of a cache, by their code. */
#ifndef EPITAPH_JUDGE_PANIC_ALLOC_SITES_H
#define EPITAPH_JUDGE_PANIC_ALLOC_SITES_H

#include "fault/function_code.h"

/**
 * struct alloc_sites - functions of modules that do
 * @nr: of them
 * @name: of the last, "rx_alloc+0x0/0x40 [rx]"
 * @size: that it asks for; 0: not known
 */
struct alloc_sites {
	u32 nr;
	char name[KERNEL_SYMBOL_MAX];
	u32 size;
};

/*
 * Of modules but the recorder. They give the allocator a pointer out of a variable, which is that cache by its name. What a module needed only to start is gone; the
 * kernel's own code is not looked at. False: there is more code than is looked at, or the types are not there.
 */
bool alloc_sites_find(struct alloc_sites *ret, const struct kernel *kernel, const char *cache);

#endif
