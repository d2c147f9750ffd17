/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machine checks that the kernel printed before it was recorded: what the banks
 * held from the boot before, and what came up to then.
 */
#ifndef EPITAPH_RECORDING_MCE_FROM_LOG_H
#define EPITAPH_RECORDING_MCE_FROM_LOG_H

#include "mce_records.h"

/*
 * Takes what __print_mce() wrote out of the kernel's log.  Only lines of the
 * kernel's own count: a user can write any text to /dev/kmsg.
 *
 * Without a @clock, the time of day is left out.
 */
int mce_log_take(struct mces *mces, const struct klog *klog, const struct clock *clock,
		 struct err *err);

#endif
