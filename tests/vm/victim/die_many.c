// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deaths of more than one: an oops that may be survived, and two at the same time.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/notifier.h>
#include <linux/sched.h>

#include "compat.h"
#include "victim.h"

struct page_of_book {
	struct page_of_book *next;
	long words;
};

static noinline long page_read(const struct page_of_book *page)
{
	long words = READ_ONCE(page->words);

	barrier();
	return words;
}

static noinline long book_read(const struct page_of_book *page)
{
	long words = page_read(page->next);

	barrier();
	return words + 1;
}

static int reader(void *unused)
{
	static struct page_of_book last;

	return book_read(&last);
}

/* In a thread of its own: with panic_on_oops off, only that thread is lost. */
static void thread_oops(void)
{
	struct task_struct *task = kthread_run(reader, NULL, "reader");

	if (IS_ERR(task))
		pr_err("victim: no reader\n");
}

/* Both are here before either goes on. */
static atomic_t here = ATOMIC_INIT(0);

static void meet(void)
{
	atomic_inc(&here);
	while (atomic_read(&here) < 2)
		cpu_relax();
}

/* At different addresses, so that their words differ. */
static noinline long left_hand(struct page_of_book *pages)
{
	long words = READ_ONCE(pages[4].words);

	barrier();
	return words;
}

static noinline long right_hand(struct page_of_book *pages)
{
	WRITE_ONCE(pages[8].words, 1);
	barrier();
	return 1;
}

static int left(void *unused)
{
	long words;

	meet();
	words = left_hand(NULL);
	barrier();
	return words;
}

static int right(void *unused)
{
	long words;

	meet();
	words = right_hand(NULL);
	barrier();
	return words + 1;
}

static void two_oopses(void)
{
	struct task_struct *one = kthread_create(left, NULL, "left");
	struct task_struct *other = kthread_create(right, NULL, "right");

	if (IS_ERR(one) || IS_ERR(other)) {
		pr_err("victim: no two hands\n");
		return;
	}
	kthread_bind(one, 0);
	kthread_bind(other, 1);
	wake_up_process(one);
	wake_up_process(other);
}

/* A panic that does not come to its end: a function that it calls dies, once. */
static atomic_t died_again = ATOMIC_INIT(0);

static int panic_again(struct notifier_block *nb, unsigned long event, void *text)
{
	if (!atomic_xchg(&died_again, 1))
		panic("victim: panic of a notifier");
	return NOTIFY_DONE;
}

static int oops_again(struct notifier_block *nb, unsigned long event, void *text)
{
	if (!atomic_xchg(&died_again, 1))
		left_hand(NULL);
	return NOTIFY_DONE;
}

static void panic_with(struct notifier_block *notifier)
{
	atomic_notifier_chain_register(&panic_notifier_list, notifier);
	panic("victim: first panic");
}

static void notifier_panics(void)
{
	static struct notifier_block panics = { .notifier_call = panic_again };

	panic_with(&panics);
}

static void notifier_oopses(void)
{
	static struct notifier_block oopses = { .notifier_call = oops_again };

	panic_with(&oopses);
}

const struct victim_way victim_ways_of_many[] = {
	{ "thread-oops", thread_oops },
	{ "two-oopses", two_oopses },
	{ "notifier-panics", notifier_panics },
	{ "notifier-oopses", notifier_oopses },
	{ }
};
