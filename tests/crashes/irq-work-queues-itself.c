// SPDX-License-Identifier: GPL-2.0-only
/*
 * The function of an irq_work queues its work again as long as a task has not looked, and that task is on the same CPU.
 *
 * pattern: an irq_work that raises itself
 * upstream: b41642c87716 rcu: Fix rcu_read_unlock() deadloop due to IRQ work
 * finding: CPU 1 is in interrupts all the time: irq_work runs mailbox_kick(), which queues itself for ever; the task below,
 *	"mailbox", is only interrupted
 * never: "mailbox" or mailbox_read() as one that loops; the kernel's irq_work code; "poster"
 * must: ^likely: On CPU 1 one interrupt .* after the other, for mailbox_kick\(\)
 * region: ^likely: On CPU 1 one interrupt .*irq_work
 * not: mailbox_read|poster
 * guest: echo 5 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
 * guest: echo 1 >/proc/sys/kernel/panic_on_rcu_stall
 * guest: insmod /test/irq-work-queues-itself.ko
 */
#include <linux/irq_work.h>
#include "crash.h"

static void mailbox_kick(struct irq_work *work);
static DEFINE_IRQ_WORK(kick, mailbox_kick);
static unsigned int posted, seen;

static noinline void mailbox_kick(struct irq_work *work)
{
	if (READ_ONCE(seen) != READ_ONCE(posted))
		irq_work_queue(work);
}

static noinline void mailbox_read(void)
{
	WRITE_ONCE(seen, READ_ONCE(posted));
}

static int mailbox(void *unused)
{
	for (;;) {
		msleep(100);
		mailbox_read();
	}
	return 0;
}

static int poster(void *unused)
{
	msleep(700);
	WRITE_ONCE(posted, 1);
	irq_work_queue(&kick);
	return 0;
}

static int __init mailbox_init(void)
{
	run_thread(mailbox, NULL, 1, "mailbox");
	run_thread(poster, NULL, 1, "poster");
	return 0;
}
module_init(mailbox_init);
