/* SPDX-License-Identifier: GPL-2.0-only */
/* A callback at the entry of a kernel function. */
#ifndef EPITAPH_EVENTS_HOOK_H
#define EPITAPH_EVENTS_HOOK_H

#include <linux/ftrace.h>

#ifndef CONFIG_FUNCTION_TRACER
#error "the recorder follows functions of the kernel: it needs one with CONFIG_FUNCTION_TRACER"
#endif

struct pt_regs;

/**
 * struct epitaph_hook - one function, and what to do at its entry
 * @function: its name; NULL: this kernel cannot have it
 * @exported: the function itself, if modules may call it; else NULL
 * @reached: runs at the entry, in whatever context the function is called in;
 *	epitaph_arch_argument() has the arguments, and what @regs says is
 *	what the function is entered with
 * @redirects: @reached changes where the function goes on
 * @optional: not every kernel has it, and going without is no news
 * @addr: where it begins, if that is known
 * @is_alone: registered with ftrace by itself, as @ops
 */
struct epitaph_hook {
	const char		*function;
	void			*exported;
	void			(*reached)(struct pt_regs *regs);
	bool			redirects;
	bool			optional;
	bool			is_alone;
	unsigned long		addr;
	struct ftrace_ops	ops;
};

/**
 * epitaph_hook_set() - call @reached from epitaph_hooks_start() on at the latest
 * @hook: cleared
 *
 * Context: process, may sleep; before epitaph_hooks_start(), unless it redirects.
 * Return: 0, -EINVAL: this kernel has no such function or cannot hook it,
 *         -ENODEV: ftrace has switched itself off, which the log says once,
 *         -EPROTOTYPE: it has one that takes something else, which the log says,
 *         or -EBUSY: another user has changed the function.
 */
int epitaph_hook_set(struct epitaph_hook *hook);

/**
 * epitaph_hook_clear() - call @reached no more
 * @hook: set or not
 *
 * Afterwards, and after epitaph_hooks_stop(), no CPU runs @reached.
 *
 * Context: process, may sleep.
 */
void epitaph_hook_clear(struct epitaph_hook *hook);

/**
 * epitaph_hooks_start() - switch on all hooks that are set
 *
 * The log says if ftrace refuses.
 *
 * Context: process, may sleep.
 */
void epitaph_hooks_start(void);

/* Switches off all hooks but those that redirect.  Started or not; may sleep. */
void epitaph_hooks_stop(void);

/**
 * epitaph_hook_stay() - ftrace does not give a function back, and calls it still
 *
 * It returns if the module can be kept.  Where it is being unloaded, it does not: the caller sleeps for
 * good.
 *
 * Context: process, may sleep.
 */
void epitaph_hook_stay(void);

#endif /* EPITAPH_EVENTS_HOOK_H */
