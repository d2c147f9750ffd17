// SPDX-License-Identifier: GPL-2.0-only
/*
 * A port is taken down without carrier, and its watchdog is left on.
 *
 * pattern: add_timer() of a pending timer, since the stop path returned too early (dev_watchdog of drivers, hfcsusb)
 * finding: port_down() of ifcfg left the timer pending when there was no carrier; port_up() of resume then adds it again
 * never: resume, port_up; linkd
 * must: likely: port_up\(\) .* a timer of port_watchdog\(\) .* that was started already: resume-[0-9]+ had started it
 * region: likely: port_up\(\) .* a timer of port_watchdog\(\) .* that was started already: resume-[0-9]+ had started it
 * shows: ifcfg-[0-9]+ cancelled the timer, as it had behind each of its [0-9]+ starts
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/portwd.ko
 * guest: while :; do read line </proc/uptime; sleep 0.1; done
 */
#include "crash.h"

struct port {
	char name[16];
	struct mutex lock;
	struct timer_list watchdog;
	bool up, carrier;
	u32 resets, ups, downs;
	u64 tx;
};

static struct port *ports[3];

static void port_watchdog(struct timer_list *t)
{
	struct port *p = from_timer(p, t, watchdog);

	p->resets++;
	mod_timer(&p->watchdog, jiffies + 5 * HZ);
}

static noinline void port_up(struct port *p)
{
	mutex_lock(&p->lock);
	p->up = true;
	p->ups++;
	p->watchdog.expires = jiffies + 5 * HZ;
	add_timer(&p->watchdog);
	mutex_unlock(&p->lock);
}

static noinline void port_down(struct port *p)
{
	mutex_lock(&p->lock);
	p->up = false;
	p->downs++;
	if (!p->carrier)
		goto out;
	p->tx = 0;
	del_timer_sync(&p->watchdog);
out:
	mutex_unlock(&p->lock);
}

static noinline void carrier_set(struct port *p, bool on)
{
	p->carrier = on;
}

static int linkd(void *unused)
{
	u32 i;

	for (i = 0;; i++) {
		if (i == 30)
			carrier_set(ports[2], false);
		if (i == 60)
			carrier_set(ports[2], true);
		msleep(20);
	}
	return 0;
}

static int ifcfg(void *unused)
{
	u32 i;

	for (i = 0;; i++) {
		struct port *p = ports[i % 3];

		if (p->up)
			port_down(p);
		msleep(30);
	}
	return 0;
}

static int resume(void *unused)
{
	u32 i;

	msleep(15);
	for (i = 0;; i++) {
		struct port *p = ports[i % 3];

		if (!p->up)
			port_up(p);
		msleep(35);
	}
	return 0;
}

static int __init portwd_init(void)
{
	int i;

	for (i = 0; i < 3; i++) {
		struct port *p = kzalloc(sizeof(*p), GFP_KERNEL);

		if (!p)
			return -ENOMEM;
		snprintf(p->name, sizeof(p->name), "eth%d", i);
		mutex_init(&p->lock);
		timer_setup(&p->watchdog, port_watchdog, 0);
		p->carrier = true;
		ports[i] = p;
	}
	run_thread(linkd, NULL, -1, "linkd");
	run_thread(ifcfg, NULL, -1, "ifcfg");
	return run_thread(resume, NULL, -1, "resume");
}
module_init(portwd_init);
