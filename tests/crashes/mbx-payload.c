// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  kfree() of the payload of a message, not of the message: the slab hands out a slot that is shifted by the header.
 *
 * pattern: kfree() of an inner pointer; the next owner of that slot overlaps its neighbour
 * upstream: the class of "kfree() of an offset pointer" (cfg80211 element pointers, crypto aligned ctx, usb control buffers)
 * finding: a message's done pointer was overwritten with another message's payload ("temp=..."): messages of the slab mbx_msg overlap by 32 bytes, as one lies 32 bytes (sizeof the header) off the slot's start.  query_consume() (mbx-query) had freed m->payload with kfree() in place of the message, and mbx_alloc() later got that shifted address
 * never: mbx_complete() or mbx-done as the cause; sensor_fill() as writing outside what it was given; a use after free of the called message; double free as certain
 * guest: insmod /test/mbx-payload.ko
 */
#include "crash.h"

struct mbx_msg {
	int (*done)(struct mbx_msg *m);
	void *ctx;
	u64 id;
	u32 len, type;
	char payload[424];
};

static struct kmem_cache *mbx_cache;
static struct mbx_msg *box[200];
static u32 completed;

static int mbx_noop_done(struct mbx_msg *m)
{
	completed++;
	return m->len;
}

static noinline struct mbx_msg *mbx_alloc(u32 type)
{
	static u64 id;
	struct mbx_msg *m = kmem_cache_alloc(mbx_cache, GFP_KERNEL);

	if (!m)
		return NULL;
	m->done = mbx_noop_done;
	m->ctx = mbx_cache;
	m->id = ++id;
	m->len = 0;
	m->type = type;
	return m;
}

static noinline char *mbx_query(u32 nr)
{
	struct mbx_msg *m = box[nr];

	box[nr] = NULL;
	scnprintf(m->payload, sizeof(m->payload), "fan=%u", nr);
	return m->payload;
}

static noinline void query_consume(char *answer)
{
	if (answer[0] == 'f')
		completed++;
	kfree(answer);
}

static int mbx_querier(void *unused)
{
	u32 nr;

	msleep(1000);
	for (nr = 5; nr < 100; nr += 13)
		query_consume(mbx_query(nr));
	return 0;
}

static noinline void sensor_fill(struct mbx_msg *m, int seq)
{
	while (m->len + 16 <= sizeof(m->payload))
		m->len += scnprintf(m->payload + m->len, sizeof(m->payload) - m->len,
				    "temp=%03d; ", seq);
}

static int mbx_sensor(void *unused)
{
	int i;

	msleep(2000);
	for (i = 100; i < ARRAY_SIZE(box); i++) {
		box[i] = mbx_alloc(2);
		if (box[i])
			sensor_fill(box[i], i);
	}
	return 0;
}

static noinline int mbx_complete(struct mbx_msg *m)
{
	return m->done(m) + 1;
}

static int mbx_done(void *unused)
{
	int i;

	msleep(4000);
	for (i = 0; i < ARRAY_SIZE(box); i++)
		if (box[i])
			mbx_complete(box[i]);
	return 0;
}

static int __init mbx_init(void)
{
	int i;

	mbx_cache = kmem_cache_create("mbx_msg", sizeof(struct mbx_msg), 0, 0, NULL);
	if (!mbx_cache)
		return -ENOMEM;
	for (i = 0; i < 100; i++) {
		box[i] = mbx_alloc(1);
		if (!box[i])
			return -ENOMEM;
	}
	run_thread(mbx_querier, NULL, 0, "mbx-query");
	run_thread(mbx_sensor, NULL, 0, "mbx-sensor");
	return run_thread(mbx_done, NULL, 1, "mbx-done");
}
module_init(mbx_init);
