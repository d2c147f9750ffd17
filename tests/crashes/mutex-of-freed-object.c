// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session is closed while a client still has a pointer to it; the client then takes the session's mutex, whose memory is a
 * label by now.
 *
 * pattern: the lock is part of the object whose life it should guard
 * upstream: the class of "use-after-free in mutex_lock" / "__mutex_lock" (vhost, l2cap, rfcomm)
 * finding: session_send() took a mutex whose owner word is text: memory that session_close() freed and that was given out again
 * never: a deadlock; the mutex code as author; NULL; hardware
 * must: ^shown: __mutex_lock\(\) .*the byte 0x6d
 * not: deadlock|NULL|hardware
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/mutex-of-freed-object.ko
 */
#include "crash.h"

struct session {
	struct mutex lock;
	u64 sent;
	u8 key[300];
};

static struct session *session;
static char *labels[300];

static noinline void session_send(struct session *s)
{
	mutex_lock(&s->lock);
	s->sent++;
	mutex_unlock(&s->lock);
}

static noinline void session_close(struct session *s)
{
	kfree(s);
}

static int client(void *s)
{
	int i;

	for (i = 0; i < 10; i++) {
		session_send(s);
		msleep(60);
	}
	return 0;
}

static int closer(void *unused)
{
	int i;

	session = kzalloc(sizeof(*session), GFP_KERNEL);
	mutex_init(&session->lock);
	run_thread(client, session, 0, "client");
	msleep(300);
	session_close(session);
	for (i = 0; i < 300; i++) {
		labels[i] = kmalloc(sizeof(struct session), GFP_KERNEL);
		memset(labels[i], 'm', sizeof(struct session));
	}
	return 0;
}

static int __init session_init(void)
{
	return run_thread(closer, NULL, 1, "closer");
}
module_init(session_init);
