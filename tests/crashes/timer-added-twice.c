// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session is started again while its timer runs.
 *
 * pattern: add_timer() where mod_timer() was needed
 * upstream: the class of "kernel BUG at kernel/time/timer.c" in add_timer()
 * finding: BUG() in add_timer(): session_start() added a timer that is pending already
 * never: the timer code as broken; a damaged or freed timer
 * must: ^shown: .*kernel/time/timer.c
 * not: freed|damaged
 * guest: insmod /test/timer-added-twice.ko
 */
#include "crash.h"

static struct timer_list timer;

static void session_expired(struct timer_list *unused)
{
}

static noinline void session_start(void)
{
	timer.expires = jiffies + 10 * HZ;
	add_timer(&timer);
}

static int client(void *unused)
{
	timer_setup(&timer, session_expired, 0);
	session_start();
	msleep(500);
	session_start();
	return 0;
}

static int __init session_init(void)
{
	return run_thread(client, NULL, -1, "client");
}
module_init(session_init);
