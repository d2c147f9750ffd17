// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two writers each hold a bounce buffer of a mempool and each wait for a second one; the pool has two.
 *
 * pattern: several elements of one mempool taken before any is given back
 * upstream: df2cb6daa4cb ("block: Avoid deadlocks with bio allocation by stacking drivers")
 * finding: stripe-a and stripe-b wait for each other in mempool_alloc(), each with one element, by stripe_write()
 * never: stats
 * must: likely: A deadlock: the mempool at [0-9a-f]{16} keeps 2 elements, and each of these tasks has one
 * guest: echo 3 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/bounce-pool.ko
 */
#include <linux/mempool.h>
#include "crash.h"

struct bounce {
	u64 sector;
	u32 len;
	u32 flags;
	u8 data[480];
};

struct stripe_dev {
	mempool_t *pool;
	struct mutex stat_lock;
	atomic_t out;
	u64 written;
	u64 sector;
	unsigned int delay;
};

static struct stripe_dev *dev;

static void *bounce_alloc(gfp_t gfp, void *data)
{
	struct stripe_dev *d = data;

	if (atomic_inc_return(&d->out) <= 2)
		return kmalloc(sizeof(struct bounce), gfp);
	atomic_dec(&d->out);
	return NULL;
}

static void bounce_free(void *elem, void *data)
{
	struct stripe_dev *d = data;

	atomic_dec(&d->out);
	kfree(elem);
}

static noinline struct bounce *stripe_fill(struct stripe_dev *d, u64 sector)
{
	struct bounce *b = mempool_alloc(d->pool, GFP_NOIO);

	b->sector = sector;
	b->len = sizeof(b->data);
	usleep_range(1000, 2000);
	return b;
}

static noinline void stripe_write(struct stripe_dev *d, u64 sector)
{
	struct bounce *data = stripe_fill(d, sector);
	struct bounce *parity;

	msleep(d->delay);
	parity = stripe_fill(d, sector + 8);
	mutex_lock(&d->stat_lock);
	d->written += data->len + parity->len;
	mutex_unlock(&d->stat_lock);
	mempool_free(parity, d->pool);
	mempool_free(data, d->pool);
}

static int stripe_a(void *data)
{
	int i;

	for (i = 0; i < 20; i++)
		stripe_write(data, i * 16);
	dev->delay = 200;
	stripe_write(data, 1 << 20);
	return 0;
}

static int stripe_b(void *data)
{
	while (!READ_ONCE(dev->delay))
		msleep(5);
	stripe_write(data, 1 << 21);
	return 0;
}

static int stats(void *data)
{
	struct stripe_dev *d = data;

	for (;;) {
		mutex_lock(&d->stat_lock);
		d->sector = d->written >> 9;
		mutex_unlock(&d->stat_lock);
		msleep(100);
	}
	return 0;
}

static int __init stripe_init(void)
{
	dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	if (!dev)
		return -ENOMEM;
	mutex_init(&dev->stat_lock);
	dev->pool = mempool_create(2, bounce_alloc, bounce_free, dev);
	if (!dev->pool)
		return -ENOMEM;
	run_thread(stats, dev, -1, "stats");
	run_thread(stripe_a, dev, 0, "stripe-a");
	return run_thread(stripe_b, dev, 1, "stripe-b");
}
module_init(stripe_init);
