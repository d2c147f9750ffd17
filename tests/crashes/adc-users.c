// SPDX-License-Identifier: GPL-2.0-only
/*
 * A converter is taken away when its last user has gone.  The last user lowers the count and wakes none.
 *
 * pattern: wait_var_event() without wake_up_var() behind the decrement
 * upstream: the class of missing wake_up_var() (iio, afs, btrfs, nfs "missing wake_up_var")
 * finding: adc-unbind waits in adc_unbind() for adc->users to become 0; it is 0; adc_put() of adc-read lowered it and does not call wake_up_var()
 * never: adc-read, which has ended its read; a deadlock; a user that is still there; a lock
 * must: adc-unbind-[0-9]+ (waits|sleeps).*(wake_up_var|wait_var_event|woken|wakes|users)
 * not: deadlock|adc-read-[0-9]+ (holds|waits)
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/adc-users.ko
 */
#include <linux/wait_bit.h>
#include "crash.h"

struct adc {
	char name[16];
	u32 last, range;
	atomic_t users;
	bool gone;
};

static struct adc *adc;

static noinline bool adc_get(struct adc *a)
{
	if (READ_ONCE(a->gone))
		return false;
	atomic_inc(&a->users);
	return true;
}

static noinline void adc_put(struct adc *a)
{
	atomic_dec(&a->users);
}

static int adc_reader(void *data)
{
	struct adc *a = data;

	while (adc_get(a)) {
		a->last += a->range;
		msleep(900);
		adc_put(a);
		msleep(20);
	}
	while (!kthread_should_stop())
		msleep(300);
	return 0;
}

static noinline void adc_unbind(struct adc *a)
{
	WRITE_ONCE(a->gone, true);
	wait_var_event(&a->users, !atomic_read(&a->users));
	kfree(a);
}

static int adc_unbinder(void *data)
{
	msleep(1300);
	adc_unbind(data);
	return 0;
}

static int __init adc_init(void)
{
	adc = kzalloc(sizeof(*adc), GFP_KERNEL);
	if (!adc)
		return -ENOMEM;
	strscpy(adc->name, "adc0", sizeof(adc->name));
	adc->range = 5;
	run_thread(adc_reader, adc, 0, "adc-read");
	return run_thread(adc_unbinder, adc, 1, "adc-unbind");
}
module_init(adc_init);
