/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which functions of a module call one of its functions by its name, and whether others may call it by a pointer. */
#ifndef EPITAPH_FAULT_CALLERS_H
#define EPITAPH_FAULT_CALLERS_H

#include "function_code.h"

#define CALLERS_MAX	16
#define CALLERS_NAMED	2

/**
 * struct caller - a function that calls it, or jumps to it at its end
 * @last: offset of the last such call
 */
struct caller {
	u64 start;
	u32 size;
	u32 last;
};

/**
 * struct callers - all of the module
 * @is_open: there are more, or its address is in the module's code or in a variable of it: who calls it by that is not known
 */
struct callers {
	struct caller list[CALLERS_MAX];
	u32 nr;
	bool is_open;
};

/**
 * struct named_functions - some functions of a module
 * @nr: of them, without that which the module's end calls
 * @names: of the first, "mux_cleanup+0x0/0x40 [gsm]"
 */
struct named_functions {
	u32 nr;
	char names[CALLERS_NAMED][KERNEL_SYMBOL_MAX];
};

/*
 * Those that give objects back to the allocator. False: the module has more code than is looked at. What a module needed only to start
 * is gone.
 */
bool callers_freeing(struct named_functions *ret, const struct kernel *kernel, const struct kernel_module *module);

/* Those that cancel timers; the same. */
bool callers_cancelling(struct named_functions *ret, const struct kernel *kernel, const struct kernel_module *module);

/* Those that put a file; the same. */
bool callers_putting_files(struct named_functions *ret, const struct kernel *kernel, const struct kernel_module *module);

/* Those whose code has the address @address of a list's head, or of its second word. */
bool callers_of_head(struct named_functions *ret, const struct kernel *kernel, const struct kernel_module *module, u64 address);

/**
 * callers_find() - look through the module that has the function at @start
 *
 * What a module needed only to start is gone. Return: false: it is no module's, what decodes is not here, or the module has more code
 * than is looked at.
 */
bool callers_find(struct callers *ret, const struct kernel *kernel, u64 start);

#endif
