// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Counters of each CPU are used without per_cpu_ptr().  The address looks like one of user space,
 * or like a large offset from NULL.
 *
 * pattern: a missing this_cpu_ptr(), after a structure was changed to be per CPU
 * finding: stats_add() of this module used a pointer that is no kernel address; an offset of per-CPU
 *	memory, if that can be seen
 * never: a NULL pointer with a large field, as shown; a pointer of user space as shown; "sender" gave
 *	it
 * must: ^possible: stats_add\(\)
 * not: ^(likely|shown)
 * guest: insmod /test/percpu-as-pointer.ko
 */
#include <linux/percpu.h>
#include "crash.h"

struct stats {
	u64 packets, bytes, errors;
};

struct port {
	int number;
	struct stats __percpu *stats;
};

static struct port port;

static noinline void stats_add(struct port *p, int bytes)
{
	struct stats *s = (__force struct stats *)p->stats;

	s->bytes += bytes;
}

static int sender(void *unused)
{
	msleep(300);
	stats_add(UNKNOWN(&port), 60);
	return 0;
}

static int __init port_init(void)
{
	port.stats = alloc_percpu(struct stats);
	return run_thread(sender, NULL, -1, "sender");
}
module_init(port_init);
