/* SPDX-License-Identifier: GPL-2.0-only */
/* Older kernels made to look like the newest.  The only file here that may say LINUX_VERSION_CODE. */
#ifndef _VICTIM_COMPAT_H
#define _VICTIM_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/timer.h>
#include <linux/version.h>

/* 5.14: the list of those that panic() calls has a header of its own. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 14, 0)
#include <linux/notifier.h>
#else
#include <linux/panic_notifier.h>
#endif

/* 6.2: timers are deleted by timer_...() */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define timer_delete_sync(timer) del_timer_sync(timer)
#endif

/* From 6.10 on, __assign_str() takes the source from __string(). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#define victim_assign_str(dst, src) __assign_str(dst, src)
#else
#define victim_assign_str(dst, src) __assign_str(dst)
#endif

/* 6.13: a timer's function is set with its clock, and 6.15 has no other way. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

/* 6.16: a timer's owner has its type's name in front. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define timer_container_of(var, timer, field) from_timer(var, timer, field)
#endif

#endif /* _VICTIM_COMPAT_H */
