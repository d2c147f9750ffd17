// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last session is found without a reference.
 *
 * pattern: lookup's fast path takes no reference, the caller puts one (rds, tipc, nvmet, cifs tcon)
 * finding: sess_find() returns "recent" without a get; the put of iod in io_retry freed session 1 early
 * never: initiatord, sess_logout (puts what it has by right)
 * must: likely: sess_logout\(\) .*to which the list sessions still leads
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/cm-sess.ko
 * guest: while :; do read line </proc/uptime; sleep 0.1; done
 */
#include <linux/refcount.h>
#include "crash.h"

struct sess {
	struct list_head node;
	char iqn[40];
	u32 id, flags;
	u64 ios, bytes;
	u64 window[6];
	refcount_t refs;
	u32 state;
};

static LIST_HEAD(sessions);
static DEFINE_SPINLOCK(sess_lock);
static struct kmem_cache *sess_cache;
static struct sess *recent;

static void sess_ctor(void *ptr)
{
	memset(ptr, 0, sizeof(struct sess));
}

static noinline void sess_release(struct sess *s)
{
	kmem_cache_free(sess_cache, s);
}

static noinline void sess_put(struct sess *s)
{
	if (refcount_dec_and_test(&s->refs))
		sess_release(s);
}

static noinline struct sess *sess_find(u32 id)
{
	struct sess *s, *found = NULL;

	spin_lock(&sess_lock);
	if (recent && recent->id == id) {
		found = recent;
	} else {
		list_for_each_entry(s, &sessions, node)
			if (s->id == id && refcount_inc_not_zero(&s->refs)) {
				found = s;
				break;
			}
		recent = found;
	}
	spin_unlock(&sess_lock);
	return found;
}

static noinline void sess_login(u32 id)
{
	struct sess *s = kmem_cache_alloc(sess_cache, GFP_KERNEL);

	if (!s)
		return;
	s->id = id;
	s->ios = 0;
	snprintf(s->iqn, sizeof(s->iqn), "iqn.2019-05.net.acme:disk%u", id);
	refcount_set(&s->refs, 1);
	spin_lock(&sess_lock);
	list_add_tail(&s->node, &sessions);
	spin_unlock(&sess_lock);
}

static noinline void sess_logout(u32 id)
{
	struct sess *s;

	spin_lock(&sess_lock);
	list_for_each_entry(s, &sessions, node)
		if (s->id == id)
			break;
	if (list_entry_is_head(s, &sessions, node)) {
		spin_unlock(&sess_lock);
		return;
	}
	list_del(&s->node);
	if (recent == s)
		recent = NULL;
	spin_unlock(&sess_lock);
	s->state = 2;
	sess_put(s);
}

static noinline int io_submit(u32 id, u32 bytes)
{
	struct sess *s = sess_find(id);

	if (!s)
		return -ENOENT;
	s->ios++;
	s->bytes += bytes;
	usleep_range(500, 800);
	sess_put(s);
	return s->ios & 3;
}

static noinline void io_retry(u32 id)
{
	io_submit(id, 512);
}

static int iod(void *unused)
{
	u32 i;

	for (i = 0;; i++) {
		io_submit(i % 4, 4096);
		if (i == 201)
			io_retry(i % 4);
		usleep_range(1500, 2500);
	}
	return 0;
}

static int initiatord(void *unused)
{
	u32 next = 4;

	for (;;) {
		msleep(150);
		sess_login(next);
		msleep(150);
		sess_logout(next);
		next++;
		if (next == 10)
			sess_logout(1);
	}
	return 0;
}

static int __init cm_init(void)
{
	u32 i;

	sess_cache = kmem_cache_create("cm_sess", sizeof(struct sess), 0, 0, sess_ctor);
	if (!sess_cache)
		return -ENOMEM;
	for (i = 0; i < 4; i++)
		sess_login(i);
	run_thread(iod, NULL, -1, "iod");
	return run_thread(initiatord, NULL, -1, "initiatord");
}
module_init(cm_init);
