// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Sessions leak by a reference not put on the FIN path; the task that allocates last is named in the out-of-memory panic.
 *
 * pattern: refcount leak fills memory with an unreclaimable slab
 * upstream: the class of refcount leaks on early return (nf_conntrack, tipc, smc, ax25/rose in 2022)
 * finding: memory is full of the slab nf_sess (unreclaimable, nearly all of RAM): sessions in state SESS_CLOSED (3) with one reference left and in no list; sess_input() of thread sess-rx returns on FIN without the sess_put() of the reference that sess_get_or_new() gave it.  The task that hit the OOM (cat, sh, a kthread) is innocent
 * never: the task that invoked the OOM killer as the leaker; user space memory, tmpfs or page cache as what fills memory; kernel stacks
 * guest: echo 1 >/proc/sys/vm/panic_on_oom
 * guest: insmod /test/sess-cache.ko
 * guest: (while :; do cat /proc/meminfo >/dev/null; done) &
 */
#include "crash.h"
#include <linux/refcount.h>

enum { SESS_NEW, SESS_OPEN, SESS_CLOSING, SESS_CLOSED };

struct session {
	struct list_head node;
	refcount_t refs;
	u32 id, state;
	u64 packets;
	u8 window[1984];
};

static struct kmem_cache *sess_slab;
static LIST_HEAD(sessions);
static DEFINE_SPINLOCK(sess_lock);
static u64 sess_made, sess_freed, sess_refused;

static noinline void sess_put(struct session *s)
{
	if (refcount_dec_and_test(&s->refs)) {
		sess_freed++;
		kmem_cache_free(sess_slab, s);
	}
}

static noinline struct session *sess_get_or_new(u32 id)
{
	struct session *s;

	spin_lock_bh(&sess_lock);
	list_for_each_entry(s, &sessions, node) {
		if (s->id == id) {
			refcount_inc(&s->refs);
			goto out;
		}
	}
	s = kmem_cache_alloc(sess_slab, GFP_NOWAIT | __GFP_NOWARN);
	if (!s) {
		sess_refused++;
		goto out;
	}
	memset(s, 0, sizeof(*s));
	s->id = id;
	s->state = SESS_OPEN;
	refcount_set(&s->refs, 2);		/* the list's, the caller's */
	list_add(&s->node, &sessions);
	sess_made++;
out:
	spin_unlock_bh(&sess_lock);
	return s;
}

static noinline void sess_close(struct session *s)
{
	spin_lock_bh(&sess_lock);
	s->state = SESS_CLOSED;
	list_del_init(&s->node);
	spin_unlock_bh(&sess_lock);
	sess_put(s);
}

static noinline int sess_input(u32 id, bool fin)
{
	struct session *s = sess_get_or_new(id);

	if (!s)
		return -ENOMEM;
	s->packets++;
	if (fin) {
		sess_close(s);
		return 0;
	}
	sess_put(s);
	return 1;
}

static int sess_rx(void *unused)
{
	u32 id = 0;

	msleep(1000);
	for (;;) {
		id++;
		if (sess_input(id, false) < 0 || sess_input(id, true) < 0)
			schedule_timeout_idle(1);
		cond_resched();
	}
	return 0;
}

static int __init sess_init(void)
{
	sess_slab = kmem_cache_create("nf_sess", sizeof(struct session), 0, 0, NULL);
	if (!sess_slab)
		return -ENOMEM;
	return run_thread(sess_rx, NULL, 1, "sess-rx");
}
module_init(sess_init);
