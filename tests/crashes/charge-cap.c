// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Pages are charged up to a limit which is "max".  The sum is made in 32 bits with a sign: it goes below zero and is less than
 * any limit.  The kernel warns where pages are given back, and that code is right.
 *
 * pattern: usage + amount in an int, compared with a limit of 64 bits
 * upstream: drawn from Debian's changelog: "cgroup/rdma: fix integer overflow in rdmacg_try_charge()"
 * finding: res_uncharge() warned that usage is below zero: res_try_charge(), which alone adds to it, went over 0x7fffffff
 * never: res_uncharge() gives back too much; mr-dereg; a race of the two; memory that was overwritten
 * must: ^likely: res_uncharge\(\) .*below zero.*counted up over the largest number.*in res_try_charge\(\)
 * not: mr-dereg.*(too often|too much)|race|overwritten
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/charge-cap.ko
 */
#include "crash.h"

struct res {
	int usage;
	u32 fails;
	s64 max;
	u64 charges;
};

struct pool {
	struct mutex lock;
	char device[16];
	struct res handles, regions;
};

static struct pool pool = {
	.lock = __MUTEX_INITIALIZER(pool.lock),
	.device = "mlx0",
	.handles = { .max = 4096 },
	.regions = { .max = S32_MAX },
};

static noinline int res_try_charge(struct pool *p, struct res *r, int amount)
{
	int err = 0;
	s64 new;

	mutex_lock(&p->lock);
	new = r->usage + amount;
	if (new > r->max) {
		r->fails++;
		err = -EAGAIN;
	} else {
		r->usage = new;
		r->charges++;
	}
	mutex_unlock(&p->lock);
	return err;
}

static noinline void res_uncharge(struct pool *p, struct res *r, int amount)
{
	mutex_lock(&p->lock);
	r->usage -= amount;
	WARN_ON_ONCE(r->usage < 0);
	mutex_unlock(&p->lock);
}

static int mr_reg(void *data)
{
	struct pool *p = data;

	for (;;) {
		res_try_charge(p, &p->handles, 1);
		res_try_charge(p, &p->regions, 0x2400000);
		msleep(20);
	}
	return 0;
}

static int mr_dereg(void *data)
{
	struct pool *p = data;

	for (;;) {
		msleep(70);
		res_uncharge(p, &p->regions, 0x2400000);
	}
	return 0;
}

static int __init charge_init(void)
{
	res_try_charge(&pool, &pool.regions, 0x4000000);
	run_thread(mr_reg, &pool, -1, "mr-reg");
	return run_thread(mr_dereg, &pool, -1, "mr-dereg");
}
module_init(charge_init);
