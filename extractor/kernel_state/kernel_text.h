/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a kernel has code: its own and that of its modules. */
#ifndef EPITAPH_KERNEL_STATE_KERNEL_TEXT_H
#define EPITAPH_KERNEL_STATE_KERNEL_TEXT_H

#include "linux_kernel/linux_kernel.h"

/**
 * struct kernel_text - from and to
 * @init_text: of what is there only while the kernel boots; 0 to 0 if it is unknown
 */
struct kernel_text {
	const struct kernel *kernel;
	u64 text[2], init_text[2];
};

/* Return: false: the symbols do not say where. */
bool kernel_text_find(struct kernel_text *ret, const struct kernel *kernel);

/* Is it an address of the kernel's own code? */
bool kernel_text_is_builtin(const struct kernel_text *text, u64 va);

/* The module that has code there, or NULL. */
const struct kernel_module *kernel_text_module(const struct kernel_text *text, u64 va);

/* Is it an address of code, of the kernel or of a module? */
bool kernel_text_has(const struct kernel_text *text, u64 va);

#endif
