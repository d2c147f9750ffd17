// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A packet too long is refused; callee and caller both put the peer.  The keepalive work finds it at zero.
 *
 * pattern: put in the callee's error path and in the caller's
 * upstream: the class of refcount underflow by a double put on error (tipc, sctp, nfc llcp CVE-2020-25670 the other way)
 * finding: tun_encap() put a reference on its way with an error, and tun_xmit() put it again
 * never: tun_keepalive(), which found it; the kworker
 * must: ^shown: A reference counter is wrong, as tun_peer_get\(\)
 * not: tun_keepalive|kworker
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/tun-peer.ko
 */
#include "crash.h"
#include <linux/refcount.h>

#define TUN_MTU		1400

struct tun_peer {
	refcount_t ref;
	u32 id;
	struct list_head node;
	u64 tx_bytes, tx_packets, tx_errors;
	unsigned long last_seen;
	u8 key[32];
};

struct tun_dev {
	struct list_head peers;
	struct mutex lock;
	struct delayed_work keepalive;
	u32 nr_peers, rounds;
};

static struct tun_dev *tun;

static noinline void tun_peer_put(struct tun_peer *p)
{
	if (refcount_dec_and_test(&p->ref))
		kfree(p);
}

static noinline struct tun_peer *tun_peer_get(struct tun_dev *t, u32 id)
{
	struct tun_peer *p, *found = NULL;

	mutex_lock(&t->lock);
	list_for_each_entry(p, &t->peers, node)
		if (p->id == id) {
			refcount_inc(&p->ref);
			found = p;
			break;
		}
	mutex_unlock(&t->lock);
	return found;
}

static noinline int tun_encap(struct tun_peer *p, u32 len)
{
	if (len > TUN_MTU) {
		p->tx_errors++;
		tun_peer_put(p);
		return -EMSGSIZE;
	}
	p->tx_bytes += len;
	p->tx_packets++;
	return 0;
}

static noinline int tun_xmit(struct tun_dev *t, u32 id, u32 len)
{
	struct tun_peer *p = tun_peer_get(t, id);
	int err;

	if (!p)
		return -ENOENT;
	err = tun_encap(p, len);
	if (err)
		goto out;
	p->last_seen = jiffies;
out:
	tun_peer_put(p);
	return err;
}

static int tun_tx(void *data)
{
	struct tun_dev *t = data;
	u32 n;

	for (n = 0;; n++) {
		tun_xmit(t, n % 4, n == 41 ? 1472 : 200 + n % 1000);
		if (n == 41)
			break;
		msleep(50);
	}
	for (;;) {
		msleep(100);
		tun_xmit(t, 3, 100);
	}
	return 0;
}

static void tun_keepalive(struct work_struct *work)
{
	struct tun_dev *t = container_of(to_delayed_work(work), struct tun_dev, keepalive);
	u32 id;

	for (id = 0; id < t->nr_peers; id++) {
		struct tun_peer *p = tun_peer_get(t, id);

		if (!p)
			continue;
		p->last_seen = jiffies;
		tun_peer_put(p);
	}
	t->rounds++;
	schedule_delayed_work(&t->keepalive, HZ);
}

static int __init tun_init(void)
{
	u32 i;

	tun = kzalloc(sizeof(*tun), GFP_KERNEL);
	if (!tun)
		return -ENOMEM;
	INIT_LIST_HEAD(&tun->peers);
	mutex_init(&tun->lock);
	for (i = 0; i < 4; i++) {
		struct tun_peer *p = kzalloc(sizeof(*p), GFP_KERNEL);

		if (!p)
			return -ENOMEM;
		refcount_set(&p->ref, 1);
		p->id = i;
		list_add_tail(&p->node, &tun->peers);
		tun->nr_peers++;
	}
	INIT_DELAYED_WORK(&tun->keepalive, tun_keepalive);
	schedule_delayed_work(&tun->keepalive, HZ);
	return run_thread(tun_tx, tun, 1, "tun-tx");
}
module_init(tun_init);
