// SPDX-License-Identifier: GPL-2.0-only
/*
 * A multiplexer's ioctl takes channel 0 of a line whose channels were never opened.
 *
 * pattern: a table of pointers whose first entry is taken to be there
 * upstream: 9361ebfbb79f, tty: n_gsm: dlci[0] is NULL before the first open
 * finding: NULL pointer, in channel_state(), read at +0x30
 * never: mux_ioctl() or "opener", which opened channel 3 rightly; freed memory
 * must: ^shown: channel_state\(\) .*0x30 of a NULL
 * not: mux_ioctl|opener|freed
 * guest: insmod /test/slot-never-opened.ko
 */
#include "crash.h"

struct channel {
	u8 head[0x30];
	int state;
};

struct mux {
	int nr;
	struct channel *channels[8];
};

static struct mux *mux;

static noinline int channel_state(struct channel *channel)
{
	return READ_ONCE(channel->state);
}

static noinline int mux_ioctl(struct mux *m, int nr)
{
	int state = channel_state(m->channels[nr]);

	return state + m->nr;
}

static int opener(void *unused)
{
	mux->channels[3] = kzalloc(sizeof(struct channel), GFP_KERNEL);
	return 0;
}

static int asker(void *unused)
{
	msleep(700);
	pr_info("mux: %d\n", mux_ioctl(UNKNOWN(mux), 0));
	return 0;
}

static int __init mux_init(void)
{
	mux = kzalloc(sizeof(*mux), GFP_KERNEL);
	run_thread(opener, NULL, -1, "opener");
	return run_thread(asker, NULL, -1, "asker");
}
module_init(mux_init);
