// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stream's buffer is freed when it is aborted and again when it is closed, by when a lease has the memory; the
 * mixer gets it too and fills it.
 *
 * pattern: error path frees, and the common end frees again
 * upstream: c70222752228 ("can: ems_usb: ems_usb_start_xmit(): fix double dev_kfree_skb() in error path")
 * finding: stream_close() of "capture" freed a buffer that stream_abort() had freed
 * never: leased, in whose list walk it dies; mixer, who wrote to what it was given
 * must: likely: lease_age\(\) .*in the list table\+0x8: it stands in the module's variable mixed with .*It is of another kind\.
 * guest: insmod /test/cap-stream.ko
 */
#include "crash.h"

struct stream {
	char name[16];
	void *buf;
	size_t size;
	int state;
};

struct lease {
	u32 addr;
	u32 secs;
	struct list_head node;
	char client[200];
};

struct lease_table {
	spinlock_t lock;
	struct list_head leases;
	unsigned int count;
};

static struct stream stream = { .name = "cap0", .size = 224 };
static struct lease_table table;
static s16 *mixed[300];

static noinline void stream_abort(struct stream *s)
{
	kfree(s->buf);
	s->state = -EPIPE;
}

static noinline void stream_close(struct stream *s)
{
	kfree(s->buf);
	s->buf = NULL;
	s->state = 0;
}

static int capture(void *data)
{
	struct stream *s = data;

	s->buf = kmalloc(s->size, GFP_KERNEL);
	msleep(200);
	stream_abort(s);
	msleep(200);
	stream_close(s);
	return 0;
}

static noinline void lease_add(struct lease_table *t, u32 addr)
{
	struct lease *lease = kzalloc(sizeof(*lease), GFP_KERNEL);

	if (!lease)
		return;
	lease->addr = addr;
	snprintf(lease->client, sizeof(lease->client), "client-%u", addr);
	spin_lock(&t->lock);
	list_add_tail(&lease->node, &t->leases);
	t->count++;
	spin_unlock(&t->lock);
}

static noinline void lease_age(struct lease_table *t)
{
	struct lease *lease;

	spin_lock(&t->lock);
	list_for_each_entry(lease, &t->leases, node)
		lease->secs++;
	spin_unlock(&t->lock);
}

static int leased(void *data)
{
	u32 i;

	msleep(300);
	for (i = 0; i < 400; i++)
		lease_add(data, 0x0a000000 + i);
	msleep(400);
	for (;;) {
		lease_age(data);
		msleep(100);
	}
	return 0;
}

static int mixer(void *unused)
{
	int i, j;

	msleep(550);
	for (i = 0; i < 300; i++) {
		mixed[i] = kmalloc(256, GFP_KERNEL);
		for (j = 0; mixed[i] && j < 128; j++)
			mixed[i][j] = 0x1100 + j * 37 + i;
	}
	return 0;
}

static int __init cap_init(void)
{
	spin_lock_init(&table.lock);
	INIT_LIST_HEAD(&table.leases);
	run_thread(capture, &stream, 1, "capture");
	run_thread(leased, &table, 1, "leased");
	return run_thread(mixer, NULL, 1, "mixer");
}
module_init(cap_init);
