// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads, each on its CPU, poll for what the other one offers only after that.
 *
 * pattern: a handshake by two flags that each side sets too late
 * upstream: the class of hand-made protocols between CPUs or threads without a limit (livelock)
 * finding: CPU 0 ("east") and CPU 1 ("west") poll in node_handshake(), each for what the other one writes behind its
 *	own loop
 * never: one of the two alone as guilty; a spinlock
 * must: ^shown: CPU [01] ran the task (east|west)-[0-9]+ in node_handshake\(\)
 * not: spinlock
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/mesh-sync.ko
 */
#include "crash.h"

struct node {
	u32 offered, taken;
	u64 retries;
	struct node *peer;
};

static struct node nodes[2];

static noinline void node_handshake(struct node *n)
{
	u32 want = n->taken + 1;

	while (READ_ONCE(n->peer->offered) != want) {
		n->retries++;
		cpu_relax();
	}
	n->taken = want;
	WRITE_ONCE(n->offered, want + 1);
}

static int run_node(void *data)
{
	struct node *n = data;
	int i;

	for (i = 0; i < 20; i++) {
		WRITE_ONCE(n->offered, n->taken + 1);
		node_handshake(n);
		n->offered = n->taken;
		msleep(i < 10 ? 20 : 7 * (n - nodes));
	}
	for (;;)
		node_handshake(n);
	return 0;
}

static int __init mesh_init(void)
{
	nodes[0].peer = &nodes[1];
	nodes[1].peer = &nodes[0];
	run_thread(run_node, &nodes[0], 0, "east");
	return run_thread(run_node, &nodes[1], 1, "west");
}
module_init(mesh_init);
