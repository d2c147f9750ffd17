/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Older kernels made to look like the newest.  The only file that may say
 * LINUX_VERSION_CODE; what the generated probes need is found out without it.
 */
#ifndef _EPITAPH_COMPAT_H
#define _EPITAPH_COMPAT_H

#include <linux/ftrace.h>
#include <linux/timer.h>
#include <linux/version.h>

/* 5.11: ftrace's callbacks get a struct ftrace_regs. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define ftrace_regs pt_regs
static inline struct pt_regs *ftrace_get_regs(struct pt_regs *regs)
{
	return regs;
}
#endif

/* 5.15: modules may call it; the same but for what it says. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 15, 0)
#define ftrace_free_filter(ops) ftrace_set_filter(ops, NULL, 0, 1)
#endif

/* 6.2: timers are deleted by timer_...() */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define timer_delete_sync(timer) del_timer_sync(timer)
#endif

#endif /* _EPITAPH_COMPAT_H */
