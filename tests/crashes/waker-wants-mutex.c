// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sender waits for credit with the connection's mutex held.  The receiver that would give credit wants the mutex first.
 *
 * pattern: wait_event() with a lock held that the waker takes
 * upstream: the class of rds, ksmbd, cifs and rxrpc credits and of usbtmc and cdc-wdm flushes
 * finding: deadlock: "sender" holds conn_lock and sleeps in conn_send() on the queue credit_queue; "receiver", which wakes that queue in
 *	conn_receive(), waits for conn_lock
 * never: "keeper", which waits for conn_lock too, as holder; a lost wake-up as shown
 * must: ^likely: A deadlock: .*(sender-[0-9]+ .*receiver-[0-9]+|receiver-[0-9]+ .*sender-[0-9]+)
 * region: ^likely: .*sender-[0-9]+ holds
 * not: keeper-[0-9]+ holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/waker-wants-mutex.ko
 */
#include <linux/wait.h>
#include "crash.h"

static DEFINE_MUTEX(conn_lock);
static DECLARE_WAIT_QUEUE_HEAD(credit_queue);
static int credits = 3;
static u64 kept;

static noinline void conn_send(void)
{
	mutex_lock(&conn_lock);
	wait_event(credit_queue, READ_ONCE(credits) > 0);
	credits--;
	mutex_unlock(&conn_lock);
}

static noinline void conn_receive(void)
{
	mutex_lock(&conn_lock);
	credits++;
	mutex_unlock(&conn_lock);
	wake_up(&credit_queue);
}

static int sender(void *unused)
{
	for (;;) {
		conn_send();
		msleep(100);
	}
	return 0;
}

static int receiver(void *unused)
{
	for (;;) {
		msleep(450);
		conn_receive();
	}
	return 0;
}

static int keeper(void *unused)
{
	for (;;) {
		msleep(120);
		mutex_lock(&conn_lock);
		kept++;
		mutex_unlock(&conn_lock);
	}
	return 0;
}

static int __init conn_init(void)
{
	run_thread(receiver, NULL, 0, "receiver");
	run_thread(keeper, NULL, 0, "keeper");
	run_thread(sender, NULL, 1, "sender");
	return 0;
}
module_init(conn_init);
