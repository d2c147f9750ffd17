// SPDX-License-Identifier: GPL-2.0-only
/*
 * A handler follows a pointer of the process instead of copy_from_user().
 *
 * pattern: missing __user handling in an ioctl
 * finding: kernel read user memory directly (SMAP), in read_request() of this module; the process is sh
 * never: wild pointer of unknown origin; freed memory
 * must: ^shown: .*read_request\(\) .*user space.*copy_from_user
 * not: freed
 * guest: insmod /test/user-pointer-read.ko
 * guest: sleep 1
 * guest: echo 1 >/sys/module/user_pointer_read/parameters/request
 */
#include <linux/mm_types.h>
#include "crash.h"

static noinline long read_request(const long *request)
{
	return READ_ONCE(*request);
}

static int set_request(const char *text, const struct kernel_param *kp)
{
	return read_request((long *)UNKNOWN(current->mm->start_stack)) ? 0 : 0;
}

static const struct kernel_param_ops request_ops = { .set = set_request };
module_param_cb(request, &request_ops, NULL, 0200);
