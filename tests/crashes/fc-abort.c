// SPDX-License-Identifier: GPL-2.0-only
/*
 * An exchange times out and is aborted: it is taken off the list of the port.  Its late answer
 * finds it by its number still, and takes it off once more.
 *
 * pattern: abort and completion both delete an entry
 * upstream: the class of "fix list_del corruption between abort and completion" (scsi: qla2xxx, lpfc, libfc)
 * finding: fc_done(), the work of the answer, deletes an entry of the list that fc_abort() of fc-eh deleted about 300 ms before; list_del() poison stands there
 * never: fc-eh wrote over the list; an overwriting neighbour; a use after free of the entry, which is live; fc-send
 * must: shown: fc_remove\(\) .*taken out of before
 * not: neighbour|fc-send|freed
 * guest: insmod /test/fc-abort.ko
 */
#include <linux/idr.h>
#include "crash.h"

struct fc_xchg {
	int xid;
	u32 state;
	struct list_head list;
	struct delayed_work answer;
};

static DEFINE_IDR(fc_xids);
static LIST_HEAD(fc_active);
static DEFINE_SPINLOCK(fc_lock);

static noinline void fc_remove(struct fc_xchg *x)
{
	spin_lock(&fc_lock);
	list_del(&x->list);
	spin_unlock(&fc_lock);
}

static noinline void fc_done(struct work_struct *work)
{
	struct fc_xchg *x = container_of(work, struct fc_xchg, answer.work);

	x->state = 2;
	fc_remove(x);
	idr_remove(&fc_xids, x->xid);
}

static noinline void fc_abort(struct fc_xchg *x)
{
	x->state = 3;
	fc_remove(x);
}

static noinline int fc_start(unsigned int delay)
{
	struct fc_xchg *x = kzalloc(sizeof(*x), GFP_KERNEL);

	if (!x)
		return -ENOMEM;
	INIT_DELAYED_WORK(&x->answer, fc_done);
	x->xid = idr_alloc(&fc_xids, x, 1, 0, GFP_KERNEL);
	spin_lock(&fc_lock);
	list_add_tail(&x->list, &fc_active);
	spin_unlock(&fc_lock);
	schedule_delayed_work(&x->answer, delay);
	return x->xid;
}

static int fc_eh(void *data)
{
	int xid;

	msleep(800);
	xid = fc_start(HZ / 2);
	msleep(200);
	fc_abort(idr_find(&fc_xids, xid));
	for (;;)
		msleep(1000);
	return 0;
}

static int fc_send(void *data)
{
	for (;;) {
		fc_start(2);
		msleep(70);
	}
	return 0;
}

static int __init fc_init(void)
{
	run_thread(fc_send, NULL, 0, "fc-send");
	return run_thread(fc_eh, NULL, 1, "fc-eh");
}
module_init(fc_init);
