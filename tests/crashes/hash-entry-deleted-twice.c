// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session leaves the hash table as it times out, and once more as it is closed.
 *
 * pattern: hlist_del() in two paths, without hlist_unhashed() in between
 * upstream: the class of "general protection fault in hlist_del" of syzbot (l2tp, rose, xfrm)
 * finding: session_close() deleted an entry of a hash list that was deleted before (LIST_POISON2 is in its pprev)
 * never: freed memory (the session lives); hardware; NULL
 * must: ^likely: session_close\(\) .*already taken out of its list
 * not: freed|hardware|NULL
 * guest: insmod /test/hash-entry-deleted-twice.ko
 */
#include "crash.h"

struct session {
	struct hlist_node node;
	u32 id;
};

static struct hlist_head table[16];

static noinline void session_timeout(struct session *s)
{
	hlist_del(&s->node);
}

static noinline void session_close(struct session *s)
{
	WRITE_ONCE(s->id, 0);
	hlist_del(&s->node);
}

static int closer(void *unused)
{
	struct session *s = kzalloc(sizeof(*s), GFP_KERNEL), *other = kzalloc(sizeof(*s), GFP_KERNEL);

	hlist_add_head(&s->node, &table[3]);
	hlist_add_head(&other->node, &table[3]);
	msleep(200);
	session_timeout(s);
	msleep(100);
	session_close(s);
	return 0;
}

static int __init session_init(void)
{
	return run_thread(closer, NULL, -1, "closer");
}
module_init(session_init);
