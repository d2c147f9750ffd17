// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A request on the stack times out but stays queued; the answer is later copied over another function's locals.
 *
 * pattern: stack use after return: late completion of an on-stack request
 * upstream: the class of "on-stack request completed after timeout" (mailbox clients, scsi internal commands, usb vendor requests)
 * finding: nvm_walk_ports() found text of a firmware answer ("nvm: block ...") among its on-stack port pointers: nvm_exec() of the same thread had timed out earlier and returned while its on-stack struct nvm_req stayed on dev->pending; nvm_fw_timer copied the late reply into that dead stack frame
 * never: nvm_walk_ports() or the ports as the cause; a port that was freed or corrupted in the slab; a stack overflow; hardware memory error
 * guest: insmod /test/nvm-reply.ko
 */
#include "crash.h"
#include <linux/wait.h>

struct nvm_req {
	struct list_head node;
	u32 op, len;
	char reply[384];
	u64 done;
};

struct nvm_port {
	u32 nr, flags;
	int (*poll)(struct nvm_port *p);
	u64 polls;
};

struct nvm_dev {
	spinlock_t lock;
	struct list_head pending;
	wait_queue_head_t wait;
	struct timer_list fw_timer;
	u32 answered, timeouts;
	struct nvm_port *port[96];
};

static struct nvm_dev *nvm;

static int nvm_port_poll(struct nvm_port *p)
{
	return ++p->polls;
}

static void nvm_fw_timer(struct timer_list *t)
{
	struct nvm_dev *dev = from_timer(dev, t, fw_timer);
	struct nvm_req *req;
	int i;

	spin_lock(&dev->lock);
	req = list_first_entry_or_null(&dev->pending, struct nvm_req, node);
	if (req) {
		INIT_LIST_HEAD(&dev->pending);
		for (i = 0; i < sizeof(req->reply); i++)
			WRITE_ONCE(req->reply[i], "nvm: block erased; "[i % 19]);
		WRITE_ONCE(req->done, 1);
		dev->answered++;
		wake_up(&dev->wait);
	}
	spin_unlock(&dev->lock);
}

static noinline int nvm_exec(struct nvm_dev *dev, u32 op)
{
	struct nvm_req req = { .op = op };

	spin_lock_bh(&dev->lock);
	list_add_tail(&req.node, &dev->pending);
	spin_unlock_bh(&dev->lock);
	mod_timer(&dev->fw_timer, jiffies + (op == 3 ? 3 * HZ : HZ / 10));
	if (!wait_event_timeout(dev->wait, READ_ONCE(req.done), HZ)) {
		dev->timeouts++;
		return -ETIMEDOUT;
	}
	return READ_ONCE(req.reply[0]);
}

static noinline int nvm_walk_ports(struct nvm_dev *dev)
{
	struct nvm_port *batch[96];
	int i, sum = 0;

	for (i = 0; i < ARRAY_SIZE(batch); i++)
		WRITE_ONCE(batch[i], dev->port[i]);
	msleep(3000);			/* the ports settle */
	for (i = 0; i < ARRAY_SIZE(batch); i++) {
		struct nvm_port *p = READ_ONCE(batch[i]);

		sum += p->poll(p);
	}
	return sum;
}

static int nvm_thread(void *data)
{
	struct nvm_dev *dev = data;
	int sum = 0;

	for (;;) {
		sum += nvm_exec(dev, 1);
		sum += nvm_exec(dev, 3);
		sum += nvm_walk_ports(dev);
	}
	return sum;
}

static int __init nvm_init(void)
{
	int i;

	nvm = kzalloc(sizeof(*nvm), GFP_KERNEL);
	if (!nvm)
		return -ENOMEM;
	spin_lock_init(&nvm->lock);
	INIT_LIST_HEAD(&nvm->pending);
	init_waitqueue_head(&nvm->wait);
	timer_setup(&nvm->fw_timer, nvm_fw_timer, 0);
	for (i = 0; i < ARRAY_SIZE(nvm->port); i++) {
		nvm->port[i] = kzalloc(sizeof(struct nvm_port), GFP_KERNEL);
		if (!nvm->port[i])
			return -ENOMEM;
		nvm->port[i]->nr = i;
		nvm->port[i]->poll = nvm_port_poll;
	}
	return run_thread(nvm_thread, nvm, -1, "nvm-manager");
}
module_init(nvm_init);
