// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A request is freed by the address of its list entry, which is not its first member.  The allocator takes the middle of the
 * object for a free one; two users share memory then, and another one, "writer", dies.
 *
 * pattern: kfree() of a member instead of its object
 * upstream: the class of kfree(&x->member): isci, wlcore, IB/hfi1
 * finding: memory was written over or freed wrongly; whatever died, "reaper" with reap() had freed an address that is no object's start.
 *	Without that: not known, or possible
 * never: "writer", "filler" or the allocator as guilty, shown or likely
 * not: ^(shown|likely): .*(filler|fill\(\))|wrote
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/freed-by-its-member.ko
 */
#include "crash.h"

struct request {
	void (*done)(struct request *rq);
	u64 number;
	char payload[80];
	struct list_head entry;
	u64 sums[2];
};

static struct request *requests[64];
static u64 nr_done;

static noinline void request_done(struct request *rq)
{
	nr_done += rq->number;
}

static noinline void reap(struct list_head *entry)
{
	kfree(entry);
}

static int reaper(void *unused)
{
	int i;

	msleep(600);
	for (i = 0; i < 64; i += 4)
		reap(&requests[i]->entry);
	return 0;
}

static noinline u64 *fill(void)
{
	u64 *buf = kmalloc(128, GFP_KERNEL);
	int i;

	for (i = 0; buf && i < 16; i++)
		buf[i] = 0x4141000000000000ULL + i;
	return buf;
}

static int filler(void *unused)
{
	int i;

	msleep(800);
	for (i = 0; i < 200; i++)
		fill();
	return 0;
}

static int writer(void *unused)
{
	int i;

	msleep(1200);
	for (i = 0; i < 64; i++)
		if (i % 4)
			requests[i]->done(requests[i]);
	return 0;
}

static int __init request_init(void)
{
	int i;

	for (i = 0; i < 64; i++) {
		requests[i] = kzalloc(sizeof(struct request), GFP_KERNEL);
		if (!requests[i])
			return -ENOMEM;
		requests[i]->done = UNKNOWN(&request_done);
		INIT_LIST_HEAD(&requests[i]->entry);
	}
	run_thread(writer, NULL, 0, "writer");
	run_thread(filler, NULL, 1, "filler");
	run_thread(reaper, NULL, 1, "reaper");
	return 0;
}
module_init(request_init);
