// SPDX-License-Identifier: GPL-2.0-only
/*
 * A frame's type is one more than the table of handlers has.
 *
 * pattern: > for >= in front of a table of handlers (many: nfc, qrtr, rndis, ksmbd)
 * finding: mux_dispatch() of muxd calls rx[8] of a table of 8, which is the label behind it
 * never: statd, the label
 * must: shown: mux_dispatch\(\) of module modemux called a function pointer at its end
 * shows: what was called is the text
 * not: _note_
 * guest: insmod /test/modemux.ko
 * guest: while :; do read line </proc/uptime; sleep 0.1; done
 */
#include "crash.h"

#define MUX_TYPES 8

struct mux_chan {
	u64 frames[MUX_TYPES + 2];
	u64 bytes;
};

struct mux_frame {
	struct list_head node;
	u16 type, len;
	u8 data[36];
};

typedef int (*mux_rx)(struct mux_chan *c, struct mux_frame *f);

static noinline int rx_data(struct mux_chan *c, struct mux_frame *f)
{
	c->bytes += f->len;
	return f->len;
}

static noinline int rx_ctrl(struct mux_chan *c, struct mux_frame *f)
{
	c->bytes += 4;
	return f->data[0];
}

static noinline int rx_credit(struct mux_chan *c, struct mux_frame *f)
{
	return f->data[1] + f->data[2];
}

struct mux_proto {
	u32 version;
	u32 mtu;
	mux_rx rx[MUX_TYPES];
	const char *label;
	const char *vendor;
};

static const struct mux_proto proto = {
	.version = 3, .mtu = 36,
	.rx = { rx_data, rx_ctrl, rx_credit, rx_data, rx_data, rx_ctrl, rx_credit, rx_ctrl },
	.label = "GSM multiplexer, basic option", .vendor = "acme",
};

static const struct mux_proto *cur = &proto;
static struct mux_chan chan;
static LIST_HEAD(rxq);
static DEFINE_SPINLOCK(rxq_lock);
static DECLARE_WAIT_QUEUE_HEAD(rxq_wait);
static struct timer_list uart_rx;
static u32 seq;

static noinline int mux_dispatch(struct mux_chan *c, struct mux_frame *f)
{
	if (f->type > MUX_TYPES)
		return -EINVAL;
	c->frames[f->type]++;
	return cur->rx[f->type](c, f);
}

static noinline struct mux_frame *rxq_pop(void)
{
	struct mux_frame *f;

	spin_lock_bh(&rxq_lock);
	f = list_first_entry_or_null(&rxq, struct mux_frame, node);
	if (f)
		list_del(&f->node);
	spin_unlock_bh(&rxq_lock);
	return f;
}

static int muxd(void *unused)
{
	struct mux_frame *f;
	int n = 0;

	for (;;) {
		wait_event_interruptible(rxq_wait, !list_empty(&rxq));
		while ((f = rxq_pop())) {
			n += mux_dispatch(&chan, f);
			kfree(f);
		}
	}
	return n;
}

static void uart_rx_poll(struct timer_list *t)
{
	struct mux_frame *f = kzalloc(sizeof(*f), GFP_ATOMIC);

	if (f) {
		f->type = seq < 150 ? seq % 5 : seq % 9;
		f->len = 1 + seq % 36;
		memset(f->data, seq, sizeof(f->data));
		spin_lock(&rxq_lock);
		list_add_tail(&f->node, &rxq);
		spin_unlock(&rxq_lock);
		wake_up_interruptible(&rxq_wait);
	}
	seq++;
	mod_timer(t, jiffies + 1);
}

static int statd(void *unused)
{
	u64 sum = 0;

	for (;;) {
		sum += chan.bytes;
		usleep_range(700, 900);
	}
	return sum;
}

static int __init modemux_init(void)
{
	timer_setup(&uart_rx, uart_rx_poll, 0);
	run_thread(statd, NULL, -1, "statd");
	run_thread(muxd, NULL, -1, "muxd");
	mod_timer(&uart_rx, jiffies + 1);
	return 0;
}
module_init(modemux_init);
