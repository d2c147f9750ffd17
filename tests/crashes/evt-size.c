// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  An event is allocated with the size of the pointer to it; what is written to it lands in the neighbours.
 *
 * pattern: kmalloc(sizeof(ptr)) for kmalloc(sizeof(*ptr))
 * upstream: the class of sizeof(pointer) allocations (CWE-467)
 * finding: the object of 8 bytes that evt_new() of evt-post allocated is written with 40 bytes: its neighbours in kmalloc-8, the slots of led-blink, were overwritten
 * never: led-blink or led_next() as guilty; freed memory; a pointer that was never set
 * not: freed|never set|led_\w+\(\) (wrote|overwrote)
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/evt-size.ko
 */
#include "crash.h"

struct evt {
	u64 stamp;
	u32 code, unit;
	u64 arg[3];
};

struct led {
	u32 id, on;
	u64 blinks;
	u32 pad[20];
};

struct slot {
	struct led *led;
};

static struct slot *slots[48];
static struct evt *last;

static noinline struct evt *evt_new(void)
{
	struct evt *e = kmalloc(sizeof(e), GFP_KERNEL);

	return UNKNOWN(e);
}

static noinline void evt_post(u32 code, u32 unit)
{
	struct evt *e = evt_new();

	if (!e)
		return;
	e->stamp = ktime_get_ns();
	e->code = code;
	e->unit = unit;
	e->arg[0] = 0x4100000000000123ull;
	e->arg[1] = 0x4100000000000456ull;
	e->arg[2] = 0x4100000000000789ull;
	last = e;
}

static noinline u32 led_next(struct slot *s)
{
	struct led *led = s->led;

	led->on = !led->on;
	led->blinks++;
	return led->on;
}

static int led_blink(void *unused)
{
	u32 sum = 0;
	int i;

	for (;;) {
		for (i = 0; i < 48; i++)
			if (slots[i])
				sum += led_next(slots[i]);
		msleep(100);
	}
	return sum;
}

static int evt_poster(void *unused)
{
	int i;

	msleep(900);
	for (i = 0; i < 40; i++) {
		evt_post(3 + i, 17);
		msleep(150);
	}
	return 0;
}

static int __init evt_init(void)
{
	int i;

	for (i = 0; i < 48; i++) {
		slots[i] = kmalloc(sizeof(struct slot), GFP_KERNEL);
		if (!slots[i])
			return -ENOMEM;
		slots[i]->led = kzalloc(sizeof(struct led), GFP_KERNEL);
		if (!slots[i]->led)
			return -ENOMEM;
		slots[i]->led->id = i;
	}
	for (i = 1; i < 48; i += 2) {
		kfree(slots[i]->led);
		kfree(slots[i]);
		slots[i] = NULL;
	}
	run_thread(led_blink, NULL, 0, "led-blink");
	return run_thread(evt_poster, NULL, 1, "evt-post");
}
module_init(evt_init);
