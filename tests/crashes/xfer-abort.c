// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  An aborted transfer frees its buffer, and its release frees it again; in between it belonged to another.
 *
 * pattern: double free: abort frees a member and leaves the pointer, release frees it again
 * upstream: the class of double free on abort/disconnect paths (CVE-2017-8890 inet, usb gadget ffs, firewire)
 * finding: xfer_abort() freed the buffer and left the pointer, by which xfer_release() freed it again
 * never: "meterd" and "noted", whose memory it was meanwhile
 * must: xfer_release\(\)|meter_tick\(\)
 * not: note_write|noted-
 * guest: insmod /test/xfer-abort.ko
 */
#include "crash.h"

struct xfer {
	struct list_head node;
	u8 *buf;
	u32 len, done, state;
	struct delayed_work release;
};

struct meter;

struct meter_ops {
	void (*sample)(struct meter *m, u32 value);
};

struct meter {
	u32 nr, samples;
	const struct meter_ops *ops;
	u32 hist[48];
};

struct note {
	u32 nr;
	char text[190];
};

static struct xfer *xfer;
static struct meter *meters[256];
static struct note *notes[256];
static DECLARE_WAIT_QUEUE_HEAD(steps);
static int step;

static void meter_sample(struct meter *m, u32 value)
{
	m->hist[m->samples++ % ARRAY_SIZE(m->hist)] = value;
}

static const struct meter_ops linear_ops = { .sample = meter_sample };

static noinline struct meter *meter_open(u32 nr)
{
	struct meter *m = kzalloc(sizeof(*m), GFP_KERNEL);

	if (m) {
		m->nr = nr;
		m->ops = &linear_ops;
	}
	return m;
}

static noinline void meter_tick(struct meter *m)
{
	m->ops->sample(m, jiffies);
}

static int meterd(void *unused)
{
	int i;

	wait_event(steps, step >= 1);
	for (i = 0; i < ARRAY_SIZE(meters); i++)
		meters[i] = meter_open(i);
	for (;;) {
		for (i = 0; i < ARRAY_SIZE(meters); i++)
			meter_tick(meters[i]);
		msleep(200);
	}
	return 0;
}

static noinline struct note *note_write(u32 nr)
{
	struct note *n = kzalloc(sizeof(*n), GFP_KERNEL);

	if (n) {
		n->nr = nr;
		memset(n->text, '-', sizeof(n->text));
		n->text[snprintf(n->text, 40, "operator note %u", nr)] = ' ';
	}
	return n;
}

static int noted(void *unused)
{
	int i;

	wait_event(steps, step >= 2);
	for (i = 0; i < ARRAY_SIZE(notes); i++)
		notes[i] = note_write(i);
	for (;;)
		msleep(1000);
	return 0;
}

static noinline void xfer_abort(struct xfer *x)
{
	x->state = 3;
	kfree(x->buf);
	schedule_delayed_work_on(1, &x->release, 2 * HZ);
}

static void xfer_release(struct work_struct *work)
{
	struct xfer *x = container_of(to_delayed_work(work), struct xfer, release);

	x->state = 4;
	kfree(x->buf);
	step = 2;
	wake_up(&steps);
}

static int host(void *data)
{
	struct xfer *x = data;
	u32 i;

	x->buf = kmalloc(x->len, GFP_KERNEL);
	if (!x->buf)
		return -ENOMEM;
	for (i = 0; i < x->len; i++) {
		x->buf[i] = i;
		x->done++;
	}
	msleep(1000);
	xfer_abort(x);			/* the other side stopped */
	step = 1;
	wake_up(&steps);
	for (;;)
		msleep(1000);
	return 0;
}

static int __init xfer_init(void)
{
	xfer = kzalloc(sizeof(*xfer), GFP_KERNEL);
	if (!xfer)
		return -ENOMEM;
	xfer->len = 200;
	INIT_LIST_HEAD(&xfer->node);
	INIT_DELAYED_WORK(&xfer->release, xfer_release);
	run_thread(meterd, NULL, 1, "meterd");
	run_thread(noted, NULL, 1, "noted");
	return run_thread(host, xfer, 1, "xfer-host");
}
module_init(xfer_init);
