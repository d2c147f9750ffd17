// SPDX-License-Identifier: GPL-2.0-only
/*
 * A multiplexer is configured anew while a channel of the old configuration still waits for its answer.
 *
 * pattern: two configuration ioctls at once, the one frees the channels that the other uses
 * upstream: CVE-2023-6546, 3c4f8333b582 ("tty: n_gsm: fix the UAF caused by race condition in gsm_cleanup_mux")
 * finding: dlci_close() of "attach" uses a dlci that mux_cleanup() of "setconf" has freed
 * never: telemetry, who rightly has the memory by now
 * must: likely: dlci_close\(\) .* others near it begin with "temp" as well, and these have no pointer there
 * guest: insmod /test/gsm-conf.ko
 */
#include "crash.h"

struct dlci;

struct dlci_ops {
	void (*closed)(struct dlci *dlci);
	int mtu;
};

struct dlci {
	int addr;
	int state;
	const struct dlci_ops *ops;
	struct list_head waiting;
	char name[40];
	u8 modem[32];
};

struct mux {
	struct mutex mutex;
	struct dlci *dlci[4];
	u32 mtu, n2;
	bool dead;
};

struct sample {
	char text[104];
};

static struct mux *mux;
static struct sample *samples[600];

static void dlci_closed(struct dlci *dlci)
{
	dlci->state = 0;
}

static const struct dlci_ops dlci_ops = { .closed = dlci_closed, .mtu = 64 };

static noinline struct dlci *dlci_alloc(struct mux *m, int addr)
{
	struct dlci *dlci = kzalloc(sizeof(*dlci), GFP_KERNEL);

	if (!dlci)
		return NULL;
	dlci->addr = addr;
	dlci->ops = &dlci_ops;
	INIT_LIST_HEAD(&dlci->waiting);
	m->dlci[addr] = dlci;
	return dlci;
}

static noinline void dlci_close(struct dlci *dlci)
{
	dlci->state = 2;
	msleep(500);
	dlci->ops->closed(dlci);
}

static noinline void mux_cleanup(struct mux *m)
{
	int i;

	for (i = 3; i >= 0; i--) {
		kfree(m->dlci[i]);
		m->dlci[i] = NULL;
	}
}

static int setconf(void *data)
{
	struct mux *m = data;
	int i;

	for (i = 0; i < 4; i++)
		dlci_alloc(m, i);
	msleep(300);
	mutex_lock(&m->mutex);
	mux_cleanup(m);
	m->mtu = 128;
	mutex_unlock(&m->mutex);
	return 0;
}

static int attach(void *data)
{
	struct mux *m = data;

	msleep(150);
	dlci_close(m->dlci[2]);
	return 0;
}

static int telemetry(void *unused)
{
	int i;

	msleep(450);
	for (i = 0; i < 600; i++) {
		samples[i] = kmalloc(sizeof(*samples[i]), GFP_KERNEL);
		if (samples[i])
			snprintf(samples[i]->text, 104, "temp=%d.%03d;volt=%08d;fan=%08d;load=%08d", i, i, i, i, i);
	}
	return 0;
}

static int __init mux_init(void)
{
	mux = kzalloc(sizeof(*mux), GFP_KERNEL);
	if (!mux)
		return -ENOMEM;
	mutex_init(&mux->mutex);
	run_thread(attach, mux, 0, "attach");
	run_thread(setconf, mux, 1, "setconf");
	return run_thread(telemetry, NULL, 1, "telemetry");
}
module_init(mux_init);
