// SPDX-License-Identifier: GPL-2.0-only
/*
 * A request that failed is counted down twice.  The count of those that are pending is then never zero, and who closes the port
 * waits for ever.
 *
 * pattern: a counter of requests in flight that an error path lowers twice
 * upstream: the class of nvmet, cifs credits, dm-bufio and bcache "pending" counts (wait_event() on a count that wrapped)
 * finding: "closer" waits in port_drain() for a wake-up of its queue; nothing holds it: no task is on the way; the rest is not known
 * never: a deadlock; a holder; "submitter", which ended, or "stats", which sleeps, as the one that holds it up
 * must: ^shown: .*closer-[0-9]+ .*port_drain\(\)
 * region: ^shown: .*closer-[0-9]+ .*port_drain\(\)
 * not: deadlock|submitter|stats| holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/pending-below-zero.ko
 */
#include <linux/wait.h>
#include "crash.h"

static DECLARE_WAIT_QUEUE_HEAD(drained);
static atomic_t pending;
static u64 looked;

static noinline void port_end(void)
{
	if (atomic_dec_return(&pending) == 0)
		wake_up(&drained);
}

static noinline int port_submit(int i)
{
	atomic_inc(&pending);
	if (i == 7)
		port_end();
	msleep(30);
	port_end();
	return 0;
}

static int submitter(void *unused)
{
	int i;

	for (i = 0; i < 8; i++)
		port_submit(i);
	return 0;
}

static noinline void port_drain(void)
{
	wait_event(drained, atomic_read(&pending) == 0);
}

static int closer(void *unused)
{
	msleep(1000);
	port_drain();
	return 0;
}

static int stats(void *unused)
{
	for (;;) {
		msleep(200);
		looked++;
	}
	return 0;
}

static int __init port_init(void)
{
	run_thread(submitter, NULL, 0, "submitter");
	run_thread(stats, NULL, 0, "stats");
	run_thread(closer, NULL, 1, "closer");
	return 0;
}
module_init(port_init);
