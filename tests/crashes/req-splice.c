// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A batch is spliced off a list whose head is left as it was; the entries are freed, the next is added behind one.
 *
 * pattern: list_splice() where list_splice_init() is needed
 * upstream: the class of "use list_splice_init() so that the list is empty afterwards"
 * finding: dev->waiting still points to requests that req_run_batch() had spliced off without emptying the head, and freed: what req_submit() adds lands behind a freed entry.  req_submit() is innocent
 * never: req_submit() as the cause; that an entry was added twice; that the head was never set up
 * must: ^shown: req_submit\(\) .* leads to an entry which list_del\(\) took out
 * must: ^shown: req_submit\(\) .* found a list whose neighbours do not point
 * not: twice|double|head of the list was never
 * guest: insmod /test/req-splice.ko
 */
#include "crash.h"

struct request_hdr {
	struct list_head node;
	u32 tag, op;
	u64 sector;
	u8 cdb[32];
};

struct req_dev {
	spinlock_t lock;
	struct list_head waiting;
	wait_queue_head_t wait;
	u32 submitted, done, retried;
	bool batching;
};

static struct req_dev *dev0;

static noinline void req_finish(struct req_dev *dev, struct request_hdr *req)
{
	dev->done++;
	list_del(&req->node);
	kfree(req);
}

static noinline void req_run_one(struct req_dev *dev)
{
	struct request_hdr *req;

	spin_lock(&dev->lock);
	req = list_first_entry_or_null(&dev->waiting, struct request_hdr, node);
	if (req)
		req_finish(dev, req);
	spin_unlock(&dev->lock);
}

static noinline void req_run_batch(struct req_dev *dev)
{
	struct request_hdr *req, *next;
	LIST_HEAD(batch);

	spin_lock(&dev->lock);
	list_splice(&dev->waiting, &batch);
	spin_unlock(&dev->lock);
	list_for_each_entry_safe(req, next, &batch, node)
		req_finish(dev, req);
}

static int req_worker(void *data)
{
	struct req_dev *dev = data;

	for (;;) {
		if (dev->batching && !list_empty(&dev->waiting))
			req_run_batch(dev);
		else
			req_run_one(dev);
		msleep(25);
	}
	return 0;
}

static noinline int req_submit(struct req_dev *dev, u64 sector)
{
	struct request_hdr *req = kzalloc(sizeof(*req), GFP_KERNEL);

	if (!req)
		return -ENOMEM;
	req->sector = sector;
	spin_lock(&dev->lock);
	req->tag = dev->submitted++;
	list_add_tail(&req->node, &dev->waiting);
	spin_unlock(&dev->lock);
	return 0;
}

static int req_source(void *data)
{
	struct req_dev *dev = data;
	u64 sector;

	for (sector = 0;; sector += 8) {
		req_submit(dev, sector);
		msleep(20);
		if (dev->submitted == 60)
			dev->batching = true;
	}
	return 0;
}

static int __init req_init(void)
{
	struct req_dev *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	int err;

	if (!dev)
		return -ENOMEM;
	dev0 = dev;
	spin_lock_init(&dev->lock);
	INIT_LIST_HEAD(&dev->waiting);
	err = run_thread(req_worker, dev, 1, "req-run");
	return err ?: run_thread(req_source, dev, 0, "req-submit");
}
module_init(req_init);
