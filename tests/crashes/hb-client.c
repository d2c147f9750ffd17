// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  init is killed by a driver, which shoots the parent of a client that stopped its heartbeat - and the client was an orphan.
 *
 * pattern: signal sent to a task found by parentage, which is init after reparenting
 * upstream: the class of wrong-task signals from drivers (vt spawnpid, fown of files, watchdogs that keep a pid or a parent)
 * finding: init did not exit by itself: client_expire() of this module (kworker, work hb_scan) sent SIGKILL to real_parent of the client task that missed its heartbeat; that client's own parent had exited, so it had been reparented to init (pid 1)
 * never: init or its program as buggy or crashed; the OOM killer; a SIGSEGV or memory corruption in init; the client sending the signal
 * guest: insmod /test/hb-client.ko
 * guest: ( sh -c 'echo 4 >/proc/hb_client; exec sleep 100' & )
 * guest: sleep 30
 */
#include "crash.h"
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

struct hb_client {
	struct list_head node;
	struct task_struct *task;
	unsigned long deadline;
	u32 beats, expired;
};

static LIST_HEAD(clients);
static DEFINE_MUTEX(clients_lock);
static struct delayed_work hb_scan_work;

static noinline void client_expire(struct hb_client *c)
{
	struct task_struct *boss;

	rcu_read_lock();
	boss = rcu_dereference(c->task->real_parent);
	get_task_struct(boss);
	rcu_read_unlock();
	c->expired++;
	send_sig(SIGKILL, boss, 1);		/* its supervisor restarts both */
	put_task_struct(boss);
}

static void hb_scan(struct work_struct *work)
{
	struct hb_client *c;

	mutex_lock(&clients_lock);
	list_for_each_entry(c, &clients, node)
		if (!c->expired && time_after(jiffies, c->deadline))
			client_expire(c);
	mutex_unlock(&clients_lock);
	schedule_delayed_work(&hb_scan_work, HZ / 2);
}

static int client_register(unsigned int seconds)
{
	struct hb_client *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	c->task = get_task_struct(current);
	c->deadline = jiffies + seconds * HZ;
	mutex_lock(&clients_lock);
	list_add_tail(&c->node, &clients);
	mutex_unlock(&clients_lock);
	return 0;
}

PROC_NUMBER(hb_client, client_register);

static int __init hb_init(void)
{
	INIT_DELAYED_WORK(&hb_scan_work, hb_scan);
	schedule_delayed_work(&hb_scan_work, HZ);
	proc_create("hb_client", 0200, NULL, &hb_client_pops);
	return 0;
}
module_init(hb_init);
