// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  The setup of a port returns early when its link is down, before INIT_WORK() of its error work; the first error
 * interrupt queues that: the kernel warns of it, with panic_on_warn.
 *
 * pattern: work item (lock, timer) not initialised on one path of the setup
 * upstream: the class of uninitialised work (syzbot: "INFO: trying to register non-static key", bnx2x, hns3, usb gadget)
 * finding: the work item of a port was never set up (INIT_WORK): port_setup() came back before that, and
 *	port_error() queued it
 * never: the kworker; process_one_work()
 * must: ^likely: port_irq\(\) .*never set up \(INIT_WORK\)
 * not: freed
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/err-work.ko
 */
#include "crash.h"
#include <linux/hrtimer.h>

struct nic_port {
	u32 nr, link, errors, recovered;
	struct hrtimer irq;
	struct work_struct rx_work;
	struct work_struct err_work;
	char name[16];
};

static struct nic_port *ports[2];

static void port_rx(struct work_struct *work)
{
	struct nic_port *p = container_of(work, struct nic_port, rx_work);

	p->link |= 0x100;
}

static void port_recover(struct work_struct *work)
{
	struct nic_port *p = container_of(work, struct nic_port, err_work);

	p->recovered++;
}

static noinline void port_error(struct nic_port *p)
{
	p->errors++;
	schedule_work(&p->err_work);
}

static enum hrtimer_restart port_irq(struct hrtimer *t)
{
	struct nic_port *p = container_of(t, struct nic_port, irq);

	if (p->link)
		schedule_work(&p->rx_work);
	else
		port_error(p);
	hrtimer_forward_now(t, ms_to_ktime(500));
	return HRTIMER_RESTART;
}

static noinline int port_setup(struct nic_port *p)
{
	snprintf(p->name, sizeof(p->name), "nic0p%u", p->nr);
	INIT_WORK(&p->rx_work, port_rx);
	hrtimer_init(&p->irq, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	p->irq.function = port_irq;
	if (p->nr == 1) {
		pr_info("%s: no link\n", p->name);
		return 0;
	}
	p->link = 1;
	INIT_WORK(&p->err_work, port_recover);
	return 0;
}

static int __init nic_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(ports); i++) {
		ports[i] = kzalloc(sizeof(*ports[i]), GFP_KERNEL);
		if (!ports[i])
			return -ENOMEM;
		ports[i]->nr = i;
		port_setup(ports[i]);
		hrtimer_start(&ports[i]->irq, ms_to_ktime(2000 + 200 * i), HRTIMER_MODE_REL);
	}
	return 0;
}
module_init(nic_init);
