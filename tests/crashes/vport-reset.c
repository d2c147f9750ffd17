// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Three tasks wait in a circle over a mutex, an rwsem and a work item; the task that is reported first is in none of it.
 *
 * pattern: lock order inversion over three tasks, one edge of which is flush_work()
 * upstream: the class of "flush_work() under a lock the work depends on" (ice/iavf reset against ndo_change_mtu, mlx5 health reset)
 * finding: a circle of three: vport_set_mtu() (the shell) holds cfg_lock and waits to write link_sem; vp-reset holds link_sem for reading in vport_reset() and waits in flush_work() for the work vport_rescan; the kworker in vport_rescan() waits for cfg_lock.  vp-stats only queues behind cfg_lock and is innocent
 * never: vp-stats as the cause; a lost unlock; a dead holder; a stall of storage or memory; the kworker pool being exhausted
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: insmod /test/vport-reset.ko
 * guest: sleep 4
 * guest: echo 1 >/proc/vport_reset
 * guest: sleep 1
 * guest: echo 9000 >/proc/vport_mtu &
 */
#include "crash.h"
#include <linux/rwsem.h>

struct vport {
	u32 mtu, resets, scans, polls;
	struct mutex cfg_lock;
	struct rw_semaphore link_sem;
	struct work_struct rescan;
	struct workqueue_struct *wq;
	bool reset_wanted;
};

static struct vport *vport;

static noinline void vport_program_mtu(struct vport *vp, u32 mtu)
{
	down_write(&vp->link_sem);
	vp->mtu = mtu;
	up_write(&vp->link_sem);
}

static int vport_set_mtu(unsigned int mtu)
{
	mutex_lock(&vport->cfg_lock);
	vport_program_mtu(vport, mtu);
	mutex_unlock(&vport->cfg_lock);
	return 0;
}

static void vport_rescan(struct work_struct *work)
{
	struct vport *vp = container_of(work, struct vport, rescan);

	msleep(2500);			/* the PHY settles */
	mutex_lock(&vp->cfg_lock);
	vp->scans++;
	mutex_unlock(&vp->cfg_lock);
}

static noinline void vport_reset(struct vport *vp)
{
	down_read(&vp->link_sem);
	queue_work(vp->wq, &vp->rescan);
	msleep(200);
	flush_work(&vp->rescan);
	vp->resets++;
	up_read(&vp->link_sem);
}

static int vport_resetter(void *data)
{
	struct vport *vp = data;

	for (;;) {
		if (READ_ONCE(vp->reset_wanted)) {
			WRITE_ONCE(vp->reset_wanted, false);
			vport_reset(vp);
		}
		schedule_timeout_idle(HZ / 10);
	}
	return 0;
}

static int vport_stats(void *data)
{
	struct vport *vp = data;

	for (;;) {
		mutex_lock(&vp->cfg_lock);
		vp->polls++;
		mutex_unlock(&vp->cfg_lock);
		schedule_timeout_idle(HZ / 4);
	}
	return 0;
}

static int vport_want_reset(unsigned int on)
{
	WRITE_ONCE(vport->reset_wanted, on);
	return 0;
}

PROC_NUMBER(vport_mtu, vport_set_mtu);
PROC_NUMBER(vport_trigger, vport_want_reset);

static int __init vport_init(void)
{
	vport = kzalloc(sizeof(*vport), GFP_KERNEL);
	if (!vport)
		return -ENOMEM;
	mutex_init(&vport->cfg_lock);
	init_rwsem(&vport->link_sem);
	INIT_WORK(&vport->rescan, vport_rescan);
	vport->wq = alloc_workqueue("vport", WQ_UNBOUND, 0);
	if (!vport->wq)
		return -ENOMEM;
	proc_create("vport_mtu", 0200, NULL, &vport_mtu_pops);
	proc_create("vport_reset", 0200, NULL, &vport_trigger_pops);
	run_thread(vport_stats, vport, -1, "vp-stats");
	return run_thread(vport_resetter, vport, -1, "vp-reset");
}
module_init(vport_init);
