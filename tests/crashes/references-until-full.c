// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each join of a session takes references in advance and gives none back.  The counter is full at last.
 *
 * pattern: a leak of references, as many as a user asks for
 * upstream: 23567fd052a9, KEYS: Fix keyring ref leak in join_session_keyring()
 * finding: a reference counter is saturated: join_session() of this module takes, and does not put
 * never: use after free; that the object was put too often; "sh" as author
 * must: ^shown: .*join_session\(\) .*saturated
 * region: ^shown: .*saturated
 * not: freed
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/references-until-full.ko
 * guest: sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do echo 400000000 >/proc/join; done'
 */
#include <linux/refcount.h>
#include "crash.h"

struct session {
	refcount_t usage;
	char name[32];
};

static struct session *session;

static noinline int join_session(unsigned int nr)
{
	refcount_add(nr, &session->usage);
	return 0;
}
PROC_NUMBER(join, join_session);

static int __init session_init(void)
{
	session = kzalloc(sizeof(*session), GFP_KERNEL);
	refcount_set(&session->usage, 1);
	return proc_create("join", 0600, NULL, &join_pops) ? 0 : -ENOMEM;
}
module_init(session_init);
