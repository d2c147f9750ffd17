// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver polls for a bit of its device with preemption off; an interrupt would set it, and was masked.
 *
 * pattern: endless poll in a section without preemption, noticed by RCU
 * upstream: the class of missing timeouts of polls (r8169, ixgbe, tg3 firmware waits; "use read_poll_timeout_atomic()")
 * finding: CPU 1 did not pass a quiescent state: nic-reset runs nic_wait_idle() with preemption off since it took nic->lock in nic_reset(), and waits for nic->status; guilty is the endless poll
 * never: rcu_preempt; the stalled grace period's waiter nic-query; a CPU without ticks; starvation by real-time tasks
 * must: ^shown: .*nic_wait_idle\(\).*nic-reset
 * not: nic-query|nic_query
 * guest: echo 5 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
 * guest: echo 1 >/proc/sys/kernel/panic_on_rcu_stall
 * guest: insmod /test/poll-with-preemption-off.ko
 */
#include "crash.h"

struct nic {
	spinlock_t lock;
	u32 status, polls, resets;
};

static struct nic nic;

static noinline void nic_wait_idle(struct nic *n)
{
	while (READ_ONCE(n->status) & 1) {
		n->polls++;
		cpu_relax();
	}
}

static noinline void nic_reset(struct nic *n)
{
	spin_lock(&n->lock);
	n->status |= 1;
	nic_wait_idle(n);
	n->resets++;
	spin_unlock(&n->lock);
}

static int nic_reset_thread(void *unused)
{
	msleep(800);
	nic_reset(&nic);
	return 0;
}

static int nic_query(void *unused)
{
	for (;;) {
		synchronize_rcu();
		msleep(100);
	}
	return 0;
}

static int __init nic_init(void)
{
	spin_lock_init(&nic.lock);
	run_thread(nic_query, NULL, 0, "nic-query");
	return run_thread(nic_reset_thread, NULL, 1, "nic-reset");
}
module_init(nic_init);
