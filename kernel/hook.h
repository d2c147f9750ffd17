/* SPDX-License-Identifier: GPL-2.0-only */
/* A function of the kernel's that tells us when it is called. */
#ifndef _EPITAPH_HOOK_H
#define _EPITAPH_HOOK_H

#include <linux/ftrace.h>

struct pt_regs;

/**
 * struct epitaph_hook - one function, and what to do at its entry
 * @function: its name; NULL: this kernel cannot have it
 * @exported: the function itself, if modules may call it; else NULL
 * @reached: runs at the entry, in whatever context the function is called in;
 *	regs_get_kernel_argument() has the arguments, and what @regs says is
 *	what the function is entered with
 * @flags: FTRACE_OPS_FL_* of this one
 * @optional: not every kernel has it, and going without is no news
 * @is_set: between epitaph_hook_set() and epitaph_hook_clear()
 */
struct epitaph_hook {
	const char		*function;
	void			*exported;
	void			(*reached)(struct pt_regs *regs);
	unsigned long		flags;
	bool			optional;
	bool			is_set;
	struct ftrace_ops	ops;
};

/**
 * epitaph_hook_set() - from now on, tell
 * @hook: cleared
 *
 * Context: process, may sleep.
 * Return: 0, -EINVAL: this kernel has no such function or cannot tell of it,
 *         or -EBUSY: somebody else has changed it.
 */
int epitaph_hook_set(struct epitaph_hook *hook);

/**
 * epitaph_hook_clear() - tell no more
 * @hook: set or not
 *
 * Afterwards no CPU runs @reached.
 *
 * Context: process, may sleep.
 */
void epitaph_hook_clear(struct epitaph_hook *hook);

#endif /* _EPITAPH_HOOK_H */
