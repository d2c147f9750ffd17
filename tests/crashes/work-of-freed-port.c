// SPDX-License-Identifier: GPL-2.0-only
/*
 * A port's delayed work is still pending when the port is freed; the memory is given out again, all
 * zero, and then the work is due.
 *
 * pattern: missing cancel_delayed_work_sync() in remove paths
 * upstream: CVE-2026-31406, xfrm: delayed work queued again behind its cancel, owner freed
 * finding: a delayed work whose memory was freed (and cleared) was due; the timer code warns of a timer
 *	without a function, and panic_on_warn ends it
 * never: the kernel's workqueue or timer code as culprit; kworker or swapper; hardware
 * must: ^likely: .*ports-[0-9]+ had armed for delayed_work_timer_fn\(\).*freed or overwritten
 * not: swapper|kworker
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/work-of-freed-port.ko
 */
#include "crash.h"

struct port {
	int number;
	struct delayed_work poll;
	char buffer[300];
};

static void *other[1000];

static void port_poll(struct work_struct *work)
{
	pr_info("polled\n");
}

static int run(void *unused)
{
	struct port *p = kzalloc(sizeof(*p), GFP_KERNEL);
	int i;

	INIT_DELAYED_WORK(&p->poll, port_poll);
	schedule_delayed_work(&p->poll, HZ);
	msleep(300);
	kfree(p);
	for (i = 0; i < 1000; i++)
		other[i] = kzalloc(sizeof(*p), GFP_KERNEL);
	return 0;
}

static int __init port_init(void)
{
	return run_thread(run, NULL, 0, "ports");
}
module_init(port_init);
