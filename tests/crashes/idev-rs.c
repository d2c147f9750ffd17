// SPDX-License-Identifier: GPL-2.0-only
/*
 * A timer has a reference of its device.  Who arms it takes one if the timer is not pending, and
 * arms it some time later: by then it has run and put its reference.
 *
 * pattern: timer_pending() and mod_timer() with a gap in between
 * upstream: CVE-2023-53189 ipv6/addrconf: fix a potential refcount underflow for idev
 * finding: idev_rs_timer(), the timer's function, puts a reference that nothing took for it: idev_mod_rs() of idev-ra armed the timer without one; the count got to 0 while idev-ra still has its own
 * never: the timer's code; idev-stat, which holds no reference; a use after free that has happened
 * must: shown: .*as idev_rs_timer\(\) of module idev_rs found
 * not: call_timer_fn|idev-stat|freed by|double free
 * guest: sysctl -q kernel.panic_on_warn=1
 * guest: insmod /test/idev-rs.ko
 */
#include <linux/refcount.h>
#include "crash.h"

struct idev {
	refcount_t refs;
	u32 probes, seen;
	struct timer_list rs;
	struct mutex lock;
};

static struct idev *idev;

static noinline void __idev_put(struct idev *d)
{
	refcount_dec(&d->refs);
}

static noinline void idev_rs_timer(struct timer_list *t)
{
	struct idev *d = from_timer(d, t, rs);

	d->probes++;
	__idev_put(d);
}

static noinline void idev_mod_rs(struct idev *d, unsigned long when, unsigned int settle)
{
	if (!timer_pending(&d->rs))
		refcount_inc(&d->refs);
	msleep(settle);
	mod_timer(&d->rs, jiffies + when);
}

static int idev_ra(void *data)
{
	struct idev *d = data;

	msleep(300);
	idev_mod_rs(d, HZ / 10, 0);
	msleep(400);
	idev_mod_rs(d, HZ / 10, 0);
	msleep(60);
	idev_mod_rs(d, HZ / 5, 120);
	for (;;)
		msleep(1000);
	return 0;
}

static int idev_stat(void *data)
{
	struct idev *d = data;

	for (;;) {
		d->seen = d->probes;
		msleep(25);
	}
	return 0;
}

static int __init idev_init(void)
{
	idev = kzalloc(sizeof(*idev), GFP_KERNEL);
	if (!idev)
		return -ENOMEM;
	refcount_set(&idev->refs, 1);
	mutex_init(&idev->lock);
	timer_setup(&idev->rs, idev_rs_timer, 0);
	run_thread(idev_stat, idev, 0, "idev-stat");
	return run_thread(idev_ra, idev, 1, "idev-ra");
}
module_init(idev_init);
