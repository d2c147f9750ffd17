// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A name that is too long by some bytes is copied over the counter behind it.  The next who takes a
 * reference, rightly, is warned of.
 *
 * pattern: strcpy() into a field of a structure that has a counter behind it
 * finding: the counter was found saturated by session_get(); a get or a put too many, or it was overwritten
 * never: session_get() or "opener" as who took too many; a leak as shown
 * must: ^shown: A reference counter is wrong
 * not: opener-[0-9]
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/counter-overwritten.ko
 */
#include <linux/refcount.h>
#include "crash.h"

struct session {
	char name[16];
	refcount_t users;
};

static struct session *session;

static noinline void session_name(struct session *s, const char *name)
{
	char *to = UNKNOWN(&s->name[0]);

	while ((*to++ = *name++))
		;
}

static noinline void session_get(struct session *s)
{
	refcount_inc(&s->users);
}

static int opener(void *unused)
{
	msleep(800);
	session_get(session);
	return 0;
}

static int namer(void *unused)
{
	msleep(300);
	session_name(session, "a-name-of-20-bytes-\xf0");
	return 0;
}

static int __init session_init(void)
{
	session = kzalloc(sizeof(*session), GFP_KERNEL);
	refcount_set(&session->users, 1);
	run_thread(opener, NULL, -1, "opener");
	return run_thread(namer, NULL, -1, "namer");
}
module_init(session_init);
