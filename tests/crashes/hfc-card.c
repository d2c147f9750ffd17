// SPDX-License-Identifier: GPL-2.0-only
/*
 * A card's chip does not answer, and the error path stops the timer of the card, which is set up only behind the chip.  The memory was
 * not cleared: a trace of samples was there before.
 *
 * pattern: the error path undoes what was not done yet
 * upstream: drawn from Debian's changelog: "mISDN: hfcpci: Fix warning when deleting uninitialized timer (CVE-2025-39833)"
 * finding: hfc_release() stops card->led, a timer that was never set up: hfc_setup() failed in hfc_chip_init() before timer_setup(); what stands there are samples
 * never: a timer that was freed or overwritten while it ran; trace_take(), which gave its memory back by right; the timer core
 * must: ^likely: hfc_release\(\) .*timer .*that is none.*never set up
 * not: freed|trace_take
 * append: init_on_alloc=0
 * guest: insmod /test/hfc-card.ko
 */
#include "crash.h"

struct hfc {
	u32 num, rev;
	u8 regs[184];
	struct timer_list led;
	u32 blinks;
};

static u32 cards;

static void hfc_led(struct timer_list *t)
{
	struct hfc *card = from_timer(card, t, led);

	card->blinks++;
	mod_timer(&card->led, jiffies + HZ / 10);
}

static noinline void trace_take(void)
{
	u32 *trace[64], i, at;

	for (i = 0; i < ARRAY_SIZE(trace); i++) {
		trace[i] = kmalloc(256, GFP_KERNEL);
		for (at = 0; trace[i] && at < 64; at++)
			trace[i][at] = 0x12340 + at;
	}
	for (i = 0; i < ARRAY_SIZE(trace); i++)
		kfree(trace[i]);
}

static noinline int hfc_chip_init(struct hfc *card)
{
	card->rev = 0x30 + card->num;
	return card->rev == 0x33 ? -EIO : 0;
}

static noinline void hfc_release(struct hfc *card)
{
	del_timer_sync(&card->led);
	kfree(card);
}

static noinline int hfc_setup(void)
{
	struct hfc *card = kmalloc(sizeof(*card), GFP_KERNEL);
	int err;

	if (!card)
		return -ENOMEM;
	card->num = cards++;
	err = hfc_chip_init(card);
	if (err)
		goto release;
	timer_setup(&card->led, hfc_led, 0);
	mod_timer(&card->led, jiffies + HZ / 10);
	return 0;
release:
	hfc_release(card);
	return err;
}

static int hfc_probe(void *unused)
{
	int i;

	for (i = 0; i < 5; i++) {
		trace_take();
		hfc_setup();
		msleep(300);
	}
	return 0;
}

static int __init hfc_init(void)
{
	BUILD_BUG_ON(sizeof(struct hfc) > 256);
	return run_thread(hfc_probe, NULL, -1, "hfc-probe");
}
module_init(hfc_init);
