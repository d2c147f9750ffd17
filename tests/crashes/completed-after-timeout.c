// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "commander" waits for an answer with a completion on its stack, gives up, and returns.  The answer comes
 * later, and complete() works on what lies on that stack by then: frames of other functions.
 *
 * pattern: wait_for_completion_timeout() on a stack, and an answer that is not cancelled
 * finding: complete() by answer_work() of this module was given what is no completion any more; or the stack of
 *	commander was overwritten; who did it need not be known
 * never: "commander", or what it does by then, as the cause as shown or likely; the workqueue code
 * must: ^shown: CPU [01] kept RCU waiting
 * not: do_other_things|commander
 * guest: echo 5 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
 * guest: echo 1 >/proc/sys/kernel/panic_on_rcu_stall
 * guest: echo 0 >/proc/sys/kernel/soft_watchdog
 * guest: insmod /test/completed-after-timeout.ko
 */
#include <linux/completion.h>
#include "crash.h"

static struct completion *waited;

static void answer_work(struct work_struct *unused)
{
	complete(waited);
}

static DECLARE_DELAYED_WORK(answer, answer_work);

static noinline int send_command(void)
{
	DECLARE_COMPLETION_ONSTACK(done);

	waited = &done;
	schedule_delayed_work(&answer, HZ);
	return wait_for_completion_timeout(&done, HZ / 10) ? 0 : -ETIMEDOUT;
}

static noinline void do_other_things(int n)
{
	u64 words[40];
	int i;

	for (i = 0; i < 40; i++)
		words[i] = 0x2020202020202020 + n;
	barrier_data(words);
	msleep(20);
	barrier_data(words);
}

static int commander(void *unused)
{
	int i;

	pr_info("command: %d\n", send_command());
	for (i = 0; i < 200; i++)
		do_other_things(i);
	return 0;
}

static int __init command_init(void)
{
	return run_thread(commander, NULL, -1, "commander");
}
module_init(command_init);
