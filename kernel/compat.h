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

/* 5.13: reading the log needs no dumper.  Never called before 5.19, see below. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 13, 0)
#define kmsg_dump_iter kmsg_dumper
#endif

/* 5.15: modules may call it; the same but for what it says. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 15, 0)
#define ftrace_free_filter(ops) ftrace_set_filter(ops, NULL, 0, 1)
#endif

/*
 * 5.19: a console knows the number of the record that it gets.  Before, nobody
 * can tell what it has got, and the log has nothing of NMIs that it has not.
 */
#define EPITAPH_NO_SEQ U64_MAX
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 19, 0)
#define epitaph_console_seq(con) ((void)(con), EPITAPH_NO_SEQ)
#else
#define epitaph_console_seq(con) READ_ONCE((con)->seq)
#endif

/* 6.2: timers are deleted by timer_...() */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define timer_delete_sync(timer) del_timer_sync(timer)
#endif

/*
 * 6.3: printk:console is a tracepoint as others.  Before, it is one for idle CPUs
 * too, and once it has a probe, the kernel warns of every line printed in NMI.
 */
#define EPITAPH_CONSOLE_IN_NMI (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0))

#endif /* _EPITAPH_COMPAT_H */
