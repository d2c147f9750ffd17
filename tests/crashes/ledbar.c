// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bar of LEDs is removed, its work cancelled before the timer that queues it.
 *
 * pattern: cancel_work_sync() in front of del_timer_sync() of a timer that queues the work (brcmfmac, xirc2ps, hci)
 * finding: ledbar_remove() of hotplugd freed the bar while ledbar_apply() of a worker used it; meterd has the memory now
 * never: meterd; the worker
 * must: likely: ledbar_apply\(\) .* used an object that was given up under it: hotplugd-[0-9]+ cancelled its timer of ledbar_tick\(\)
 * region: shown: ledbar_apply\(\) of module ledbar
 * not: meterd
 * guest: insmod /test/ledbar.ko
 * guest: while :; do read line </proc/uptime; sleep 0.1; done
 */
#include "crash.h"

struct led_bus {
	void (*write)(struct led_bus *bus, int reg, u8 val);
	u8 regs[64];
	u32 writes;
};

struct ledbar {
	char name[16];
	struct led_bus *bus;
	struct timer_list tick;
	struct work_struct apply;
	u8 level[32];
	u32 pos, frames;
	u64 brightness[14];
};

struct meter_sample {
	u64 stamp;
	u32 volt[48];
	u32 seq;
};

static struct led_bus bus;
static struct ledbar *bars[3];
static struct meter_sample *ring[8192];

static void bus_write(struct led_bus *b, int reg, u8 val)
{
	b->regs[reg & 63] = val;
	b->writes++;
	usleep_range(4000, 4500);
}

static void ledbar_apply(struct work_struct *work)
{
	struct ledbar *l = container_of(work, struct ledbar, apply);
	int i;

	for (i = 0; i < 8; i++)
		l->bus->write(l->bus, i, l->level[(l->pos + i) & 31]);
	l->frames++;
}

static void ledbar_tick(struct timer_list *t)
{
	struct ledbar *l = from_timer(l, t, tick);

	l->pos++;
	schedule_work(&l->apply);
	mod_timer(&l->tick, jiffies + msecs_to_jiffies(12));
}

static noinline void ledbar_dark(struct ledbar *l)
{
	int i;

	for (i = 0; i < 8; i++)
		bus_write(&bus, 32 + i, 0);
}

static noinline struct ledbar *ledbar_probe(int id)
{
	struct ledbar *l = kzalloc(sizeof(*l), GFP_KERNEL);

	if (!l)
		return NULL;
	snprintf(l->name, sizeof(l->name), "ledbar%d", id);
	l->bus = &bus;
	memset(l->level, 0x40 + id, sizeof(l->level));
	INIT_WORK(&l->apply, ledbar_apply);
	timer_setup(&l->tick, ledbar_tick, 0);
	mod_timer(&l->tick, jiffies + 2);
	return l;
}

static noinline void ledbar_remove(struct ledbar *l)
{
	cancel_work_sync(&l->apply);
	ledbar_dark(l);
	del_timer_sync(&l->tick);
	kfree(l);
}

static int hotplugd(void *unused)
{
	msleep(700);
	ledbar_remove(bars[1]);
	bars[1] = NULL;
	for (;;)
		msleep(50);
	return 0;
}

static noinline void meter_read(struct meter_sample *m, u32 seq)
{
	int i;

	m->stamp = ktime_get_ns();
	m->seq = seq;
	for (i = 0; i < 48; i++)
		m->volt[i] = 229000 + ((seq * 7 + i * 13) & 0x3ff);
}

static int meterd(void *unused)
{
	u32 seq = 0;

	for (;;) {
		struct meter_sample **m = &ring[seq % 8192];

		kfree(*m);
		*m = kmalloc(sizeof(**m), GFP_KERNEL);
		if (*m)
			meter_read(*m, seq);
		if (++seq % 8 == 0)
			usleep_range(1500, 2000);
	}
	return 0;
}

static int __init ledbar_init(void)
{
	int i;

	BUILD_BUG_ON(sizeof(struct ledbar) <= 192 || sizeof(struct ledbar) > 256);
	BUILD_BUG_ON(sizeof(struct meter_sample) <= 192 || sizeof(struct meter_sample) > 256);
	bus.write = bus_write;
	for (i = 0; i < 3; i++)
		bars[i] = ledbar_probe(i);
	run_thread(meterd, NULL, 1, "meterd");
	return run_thread(hotplugd, NULL, 1, "hotplugd");
}
module_init(ledbar_init);
