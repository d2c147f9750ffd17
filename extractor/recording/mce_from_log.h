/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machine checks that the kernel logged before the recording began: those that the banks held
 * from the boot before, and those since.
 */
#ifndef EPITAPH_RECORDING_MCE_FROM_LOG_H
#define EPITAPH_RECORDING_MCE_FROM_LOG_H

#include "mce_records.h"

/*
 * Adds the machine checks that __print_mce() of the kernel logged. Only lines of the kernel
 * itself count: a user can write any text to /dev/kmsg.
 *
 * @clock: NULL: without times of day
 */
int mce_log_take(struct mces *mces, const struct klog *klog, const struct clock *clock,
		 struct err *err);

#endif
