// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session is freed with its timer still armed; another allocation gets the memory and fills it with
 * text, and the timer code runs into it.
 *
 * pattern: missing del_timer_sync() before kfree(), as in many disconnect paths
 * finding: a timer's memory was freed or overwritten while armed; who armed it (session_open of
 *	this module); the function that it had
 * never: swapper or the task interrupted; the kernel's timer code; the later owner of the memory
 * must: ^likely: .*sessions-[0-9]+ had armed for session_expire\(\).*freed or overwritten
 * not: swapper
 * guest: insmod /test/timer-of-freed-session.ko
 */
#include "crash.h"

struct session {
	char name[24];
	struct timer_list expire;
	char rest[100];
};

static void *other[1000];

static void session_expire(struct timer_list *timer)
{
	pr_info("expired\n");
}

static noinline struct session *session_open(void)
{
	struct session *s = kzalloc(sizeof(*s), GFP_KERNEL);

	timer_setup(&s->expire, session_expire, 0);
	mod_timer(&s->expire, jiffies + HZ);
	return s;
}

static int run(void *unused)
{
	struct session *s = session_open();
	int i;

	msleep(200);
	kfree(s);
	for (i = 0; i < 1000; i++) {
		other[i] = kmalloc(sizeof(*s), GFP_KERNEL);
		memset(other[i], 'A', sizeof(*s));
	}
	return 0;
}

static int __init session_init(void)
{
	return run_thread(run, NULL, 0, "sessions");
}
module_init(session_init);
