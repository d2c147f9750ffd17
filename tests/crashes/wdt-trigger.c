// SPDX-License-Identifier: GPL-2.0-only
/*
 * A watchdog is removed while the function of its timer runs on another CPU: del_timer() does not
 * wait for that.  The memory is freed, and taken for a report at once.
 *
 * pattern: del_timer() instead of del_timer_sync() before kfree()
 * upstream: CVE-2024-38630 watchdog: cpu5wdt.c: Fix use-after-free bug caused by cpu5wdt_trigger
 * finding: wdt_trigger(), the timer's function, on CPU 0 finds NULL in an object that wdt_remove() of wdt-unbind freed on CPU 1 some ms before, while the function ran, and that is a wdt_report by now
 * never: that the field was never set; the task that CPU 0 was interrupted in; wdt_report_new() as guilty
 * must: likely: wdt_trigger\(\) .*given out anew, or cleared, while it ran
 * not: had not set|deadlock|hardware|task wdt-feed
 * guest: insmod /test/wdt-trigger.ko
 */
#include "crash.h"

struct wdt;

struct wdt_ops {
	int (*ping)(struct wdt *w);
	int (*status)(struct wdt *w);
};

struct wdt {
	u32 id, ticks, late;
	bool polling;
	struct timer_list timer;
	const struct wdt_ops *ops;
	u64 last[16];
};

struct wdt_report {
	u32 id, reason;
	char text[180];
};

static struct wdt_report *wdt_report[48];

static int wdt_ping(struct wdt *w)
{
	return ++w->ticks;
}

static int wdt_status(struct wdt *w)
{
	return w->late;
}

static const struct wdt_ops wdt_ops = { .ping = wdt_ping, .status = wdt_status };

static noinline void wdt_poll_port(struct wdt *w)
{
	unsigned int i;

	WRITE_ONCE(w->polling, true);
	for (i = 0; i < 80; i++)
		udelay(100);
}

static void wdt_trigger(struct timer_list *t)
{
	struct wdt *w = from_timer(w, t, timer);

	wdt_poll_port(w);
	if (w->ops->status(w) >= 0)
		mod_timer(&w->timer, jiffies + HZ / 10);
}

static noinline struct wdt_report *wdt_report_new(u32 id)
{
	struct wdt_report *r = kzalloc(sizeof(*r), GFP_KERNEL);

	if (r)
		r->id = id;
	return r;
}

static noinline void wdt_remove(struct wdt *w)
{
	del_timer(&w->timer);
	kfree(w);
}

static int wdt_feed(void *data)
{
	struct wdt *w = data;

	mod_timer(&w->timer, jiffies + 1);
	for (;;)
		msleep(1000);
	return 0;
}

static noinline struct wdt *wdt_probe(void)
{
	struct wdt *w = kzalloc(sizeof(*w), GFP_KERNEL | __GFP_NOFAIL);

	w->ops = &wdt_ops;
	timer_setup(&w->timer, wdt_trigger, TIMER_PINNED);
	run_thread(wdt_feed, w, 0, "wdt-feed");
	return w;
}

static int wdt_unbind(void *data)
{
	struct wdt *w = wdt_probe();
	unsigned int i;

	msleep(1000);
	WRITE_ONCE(w->polling, false);
	while (!READ_ONCE(w->polling))
		cpu_relax();
	wdt_remove(w);
	for (i = 0; i < ARRAY_SIZE(wdt_report); i++)
		wdt_report[i] = wdt_report_new(i);
	for (;;)
		msleep(1000);
	return 0;
}

static int __init wdt_init(void)
{
	return run_thread(wdt_unbind, NULL, 1, "wdt-unbind");
}
module_init(wdt_init);
