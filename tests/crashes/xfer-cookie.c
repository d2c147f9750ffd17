// SPDX-License-Identifier: GPL-2.0-only
/*
 * A request's pointer goes through a 32-bit field of the hardware's descriptor and comes back without its upper half.
 *
 * pattern: pointer truncated to 32 bits
 * upstream: the class of "use idr instead of casting pointers to u32 tags" (old scsi/aacraid, bcm2835 vchiq user handles, mailbox cookies)
 * finding: xfer_complete() in a kworker used a struct xfer pointer whose upper 32 bits are gone: the address is the low half of a live request that is still on eng->active; desc_post() stored the pointer in the u32 cookie of the descriptor (xfer_submit() in the shell's write)
 * never: a user space pointer; NULL; a freed request; random corruption of the descriptor
 * guest: insmod /test/xfer-cookie.ko
 * guest: sleep 1
 * guest: echo 17 >/proc/xfer_submit
 */
#include "crash.h"

struct xfer_desc {
	u32 op, len, cookie, status;
};

struct xfer {
	struct list_head node;
	u32 nr, bytes;
	int (*notify)(struct xfer *x);
};

struct xfer_engine {
	char name[16];
	struct xfer_desc ring[16];
	u32 head, tail;
	struct list_head active;
	struct delayed_work irq_work;
	spinlock_t lock;
};

static struct xfer_engine *eng;

static int xfer_notify(struct xfer *x)
{
	return x->bytes;
}

static noinline void desc_post(struct xfer_engine *e, u32 op, void *cookie)
{
	struct xfer_desc *d = &e->ring[e->head++ & 15];

	d->op = op;
	d->cookie = (u32)(uintptr_t)cookie;
	d->status = 0;
}

static int xfer_submit(unsigned int nr)
{
	struct xfer *x = kzalloc(sizeof(*x), GFP_KERNEL);

	if (!x)
		return -ENOMEM;
	x->nr = nr;
	x->bytes = 4096;
	x->notify = xfer_notify;
	spin_lock(&eng->lock);
	list_add_tail(&x->node, &eng->active);
	desc_post(eng, 2, x);
	spin_unlock(&eng->lock);
	schedule_delayed_work(&eng->irq_work, 2 * HZ);
	return 0;
}

static noinline void xfer_complete(struct xfer *x)
{
	x->notify(x);
	list_del(&x->node);
	kfree(x);
}

static void xfer_irq_work(struct work_struct *work)
{
	struct xfer_engine *e = container_of(to_delayed_work(work), struct xfer_engine, irq_work);

	while (e->tail != e->head) {
		struct xfer_desc *d = &e->ring[e->tail++ & 15];

		d->status = 1;
		xfer_complete((struct xfer *)(uintptr_t)READ_ONCE(d->cookie));
	}
}

PROC_NUMBER(xfer, xfer_submit);

static int __init xfer_init(void)
{
	eng = kzalloc(sizeof(*eng), GFP_KERNEL);
	if (!eng)
		return -ENOMEM;
	strscpy(eng->name, "xdma0", sizeof(eng->name));
	INIT_LIST_HEAD(&eng->active);
	spin_lock_init(&eng->lock);
	INIT_DELAYED_WORK(&eng->irq_work, xfer_irq_work);
	proc_create("xfer_submit", 0200, NULL, &xfer_pops);
	return 0;
}
module_init(xfer_init);
