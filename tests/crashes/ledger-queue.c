// SPDX-License-Identifier: GPL-2.0-only
/*
 * A loop takes a spinlock in each round, and one way through it goes on without giving it back.
 *
 * pattern: continue in a loop without spin_unlock()
 * upstream: the class of "fix missing spin_unlock() on continue" (target, lpfc, bnx2fc, ipr)
 * finding: "poster" took book->lock in book_post(), and comes to take it again there without having given it back
 * never: "cashier"; another CPU; an overwritten lock
 * must: ^likely: .*poster-[0-9]+.*book_post\(\)
 * not: cashier|Probably CPU 0
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/ledger-queue.ko
 */
#include "crash.h"

struct entry {
	struct list_head list;
	u32 amount;
	bool cancelled;
};

struct book {
	spinlock_t lock;
	struct list_head entries;
	u64 balance;
};

static struct book *book;

static noinline int book_post(struct book *b)
{
	struct entry *e;
	int n = 0;

	for (;;) {
		spin_lock(&b->lock);
		e = list_first_entry_or_null(&b->entries, struct entry, list);
		if (!e)
			break;
		list_del(&e->list);
		if (e->cancelled) {
			kfree(e);
			continue;
		}
		b->balance += e->amount;
		spin_unlock(&b->lock);
		kfree(e);
		n++;
	}
	spin_unlock(&b->lock);
	return n;
}

static noinline void book_add(struct book *b, u32 amount)
{
	struct entry *e = kzalloc(sizeof(*e), GFP_KERNEL);

	if (!e)
		return;
	e->amount = amount;
	e->cancelled = amount % 97 == 96;
	spin_lock(&b->lock);
	list_add_tail(&e->list, &b->entries);
	spin_unlock(&b->lock);
}

static int poster(void *data)
{
	for (;;) {
		book_post(data);
		msleep(25);
	}
	return 0;
}

static int cashier(void *data)
{
	u32 i;

	for (i = 0; i < 97; i++) {
		book_add(data, i);
		msleep(10);
	}
	for (;;)
		msleep(1000);
	return 0;
}

static int __init book_init(void)
{
	book = kzalloc(sizeof(*book), GFP_KERNEL);
	if (!book)
		return -ENOMEM;
	spin_lock_init(&book->lock);
	INIT_LIST_HEAD(&book->entries);
	run_thread(poster, book, 1, "poster");
	return run_thread(cashier, book, 0, "cashier");
}
module_init(book_init);
