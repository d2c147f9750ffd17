// SPDX-License-Identifier: GPL-2.0-only
/*
 * The period interrupt calls the core with the chip's lock held; at an xrun the core calls back to stop it.
 *
 * pattern: callback under a spinlock, which the callback's own driver takes again
 * upstream: the class of "call snd_pcm_period_elapsed() outside of the spinlock" (many ALSA drivers)
 * finding: CPU 0 waits for itself: chip_interrupt() has the lock of the chip and calls what comes to
 *	chip_trigger(), which takes it again
 * never: the idle task, which was interrupted; "player"
 * must: ^likely: CPU [0-9] .*waits for itself: chip_interrupt\(\) .*chip_trigger\(\)
 * not: swapper/[0-9]+-0 holds|player
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/xrun-stop.ko
 */
#include "crash.h"

struct stream;

struct stream_ops {
	int (*trigger)(struct stream *s, int cmd);
	u32 (*pointer)(struct stream *s);
};

struct chip {
	spinlock_t lock;
	struct timer_list period;
	struct stream *playback;
	u32 irqs, ctrl, pos;
};

struct stream {
	const struct stream_ops *ops;
	struct chip *chip;
	u32 state, appl, hw, xruns, buffer;
};

static struct chip *chip;

static int chip_trigger(struct stream *s, int cmd)
{
	struct chip *c = s->chip;

	spin_lock(&c->lock);
	c->ctrl = cmd;
	spin_unlock(&c->lock);
	return 0;
}

static u32 chip_pointer(struct stream *s)
{
	return READ_ONCE(s->chip->pos);
}

static const struct stream_ops chip_ops = {
	.trigger = chip_trigger,
	.pointer = chip_pointer,
};

static noinline void stream_xrun(struct stream *s)
{
	s->xruns++;
	s->state = 3;
	s->ops->trigger(s, 0);
}

static noinline void stream_period_elapsed(struct stream *s)
{
	s->hw = s->ops->pointer(s);
	if (s->hw - s->appl > s->buffer)
		stream_xrun(s);
}

static void chip_interrupt(struct timer_list *t)
{
	struct chip *c = from_timer(c, t, period);

	spin_lock(&c->lock);
	c->irqs++;
	c->pos += 1024;
	if (c->ctrl)
		stream_period_elapsed(c->playback);
	spin_unlock(&c->lock);
	mod_timer(&c->period, jiffies + HZ / 20);
}

static int player(void *data)
{
	struct stream *s = data;
	int i;

	for (i = 0; i < 40; i++) {
		s->appl += 1024;
		msleep(50);
	}
	msleep(60000);			/* the decoder is late */
	return 0;
}

static int __init chip_probe(void)
{
	struct stream *s;

	chip = kzalloc(sizeof(*chip), GFP_KERNEL);
	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!chip || !s)
		return -ENOMEM;
	spin_lock_init(&chip->lock);
	s->ops = &chip_ops;
	s->chip = chip;
	s->buffer = 8192;
	chip->playback = s;
	timer_setup(&chip->period, chip_interrupt, 0);
	s->ops->trigger(s, 1);
	mod_timer(&chip->period, jiffies + HZ / 20);
	return run_thread(player, s, -1, "player");
}
module_init(chip_probe);
