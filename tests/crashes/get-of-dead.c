// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lookup takes a reference on an object whose last one is gone, without refcount_inc_not_zero().
 *
 * pattern: kref_get() in a lookup without kref_get_unless_zero()
 * upstream: CVE-2026-23319, bpf: a trampoline's link taken when its count was zero
 * finding: refcount: increment from zero, use after free, by peer_lookup() of this module
 * never: underflow; NULL
 * must: ^shown: .*peer_lookup\(\) .*addition on 0
 * not: underflow
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/get-of-dead.ko
 */
#include <linux/kref.h>
#include "crash.h"

struct peer {
	struct kref ref;
	u8 data[60];
};

static struct peer peer;

static void peer_release(struct kref *ref)
{
}

static noinline struct peer *peer_lookup(void)
{
	kref_get(&peer.ref);
	return &peer;
}

static int run(void *unused)
{
	kref_init(&peer.ref);
	msleep(300);
	kref_put(&peer.ref, peer_release);
	msleep(300);
	return peer_lookup() ? 0 : -ENOENT;
}

static int __init peer_init(void)
{
	return run_thread(run, NULL, -1, "peers");
}
module_init(peer_init);
