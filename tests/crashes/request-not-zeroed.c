// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  bulk_request() takes a request out of the driver's own pool, does not set its callback, and calls it, if there
 * is one.  There is what label_request() had written, which had it before and gave it back rightly: text.
 *
 * pattern: recycled objects that are not cleared
 * upstream: the class of stale fields of recycled requests (blk-mq payloads, usb-storage, skb control blocks)
 * finding: a call by a pointer that is text; the object is in use; who wrote it: not known
 * never: use after free, as certain; an overrun of a neighbour; "bulk" as the one that wrote
 * must: ^shown: .*the text .*bulk_request\(\)
 * not: freed
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/request-not-zeroed.ko
 */
#include "crash.h"

struct request {
	int id;
	void (*done)(struct request *request);
	u8 more[112];
};

static struct request *spare;

static noinline struct request *take_request(void)
{
	struct request *r = xchg(&spare, NULL);

	return r ?: kmalloc(sizeof(*r), GFP_KERNEL);
}

static noinline void put_request(struct request *r)
{
	kfree(xchg(&spare, r));
}

static noinline void label_request(int id)
{
	struct request *r = take_request();

	snprintf((char *)r, 64, "request number %d of the labels of this disk, in order", id);
	msleep(20);
	put_request(r);
}

static noinline int bulk_request(void)
{
	struct request *r = take_request();

	r->id = 1;
	msleep(20);
	if (r->done)
		r->done(r);
	put_request(r);
	return r->id;
}

static int worker(void *unused)
{
	int i;

	msleep(300);
	for (i = 0; i < 5; i++)
		label_request(i);
	bulk_request();
	return 0;
}

static int __init requests_init(void)
{
	return run_thread(worker, NULL, 1, "bulk");
}
module_init(requests_init);
