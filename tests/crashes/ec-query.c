// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A work item on a stack is still queued when its function gives up waiting and returns.
 *
 * pattern: an object on the stack outlives its frame, after a time-out
 * upstream: the class of "work on stack is used after return when the wait times out" (acpi ec, usb, mmc)
 * finding: the work item of ec_transaction() lies on the stack of thread ec-poll, which left that function after its time-out without cancel_work_sync(); what was called next wrote over it, and the worker found it damaged
 * never: the workqueue's code, ec_event_work() or the kworker as the cause; freed memory; a NULL pointer of the module as the cause
 * must: ^likely: .* an entry on the stack of ec-poll-[0-9]*, .*has come back
 * not: freed memory|NULL
 * guest: insmod /test/ec-query.ko
 */
#include "crash.h"
#include <linux/completion.h>

struct ec {
	struct workqueue_struct *wq;
	struct work_struct event_work;
	u32 burst_ms;
	u32 events, queries, late;
	u8 window[96];
};

struct ec_query {
	struct work_struct work;
	struct completion done;
	u8 cmd, result;
};

static struct ec *first_ec;

static void ec_run_query(struct work_struct *work)
{
	struct ec_query *q = container_of(work, struct ec_query, work);

	q->result = first_ec->window[q->cmd % 96];
	complete(&q->done);
}

static noinline int ec_transaction(struct ec *ec, u8 cmd)
{
	struct ec_query q = { .cmd = cmd };

	INIT_WORK(&q.work, ec_run_query);
	init_completion(&q.done);
	queue_work(ec->wq, &q.work);
	ec->queries++;
	if (!wait_for_completion_timeout(&q.done, HZ / 20)) {
		ec->late++;
		return -ETIME;
	}
	return q.result;
}

/* An event may come as a burst, in which the controller takes no queries. */
static void ec_event_work(struct work_struct *work)
{
	struct ec *ec = container_of(work, struct ec, event_work);

	ec->events++;
	if (ec->events % 8 == 0)
		msleep(ec->burst_ms);
}

static noinline void ec_log_window(struct ec *ec, int err)
{
	char text[2 * sizeof(ec->window) + 1];

	*bin2hex(text, ec->window, sizeof(ec->window)) = '\0';
	pr_info("ec: %d, window %s\n", err, text);
}

static noinline void ec_poll_once(struct ec *ec, u8 cmd)
{
	int ret;

	queue_work(ec->wq, &ec->event_work);
	ret = ec_transaction(ec, cmd);
	if (ret < 0)
		ec_log_window(ec, ret);
	else
		ec->window[cmd % 96] = ret + 1;
}

static int ec_poll(void *data)
{
	u8 cmd = 0;

	for (;;) {
		ec_poll_once(data, cmd++);
		msleep(100);
	}
	return 0;
}

static int __init ec_init(void)
{
	struct ec *ec = kzalloc(sizeof(*ec), GFP_KERNEL);

	if (!ec)
		return -ENOMEM;
	first_ec = ec;
	ec->burst_ms = 400;
	INIT_WORK(&ec->event_work, ec_event_work);
	ec->wq = alloc_ordered_workqueue("ec", 0);
	if (!ec->wq)
		return -ENOMEM;
	return run_thread(ec_poll, ec, -1, "ec-poll");
}
module_init(ec_init);
