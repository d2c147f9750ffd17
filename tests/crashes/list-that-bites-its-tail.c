// SPDX-License-Identifier: GPL-2.0-only
/*
 * An entry is linked once more while it is linked; the list has a cycle without its head, and the
 * walk never ends.
 *
 * pattern: list walked for ever
 * upstream: the class of "infinite loop in list walk" (for example tipc, nf_tables, cls_u32)
 * finding: soft lockup in count_ports(), of task "counter"
 * never: "linker" as shown or likely; a spinlock
 * append: softlockup_panic=1
 * must: ^shown: .*counter-[0-9]+ in count_ports\(\)
 * not: linker|spinlock
 * guest: echo 5 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/list-that-bites-its-tail.ko
 */
#include "crash.h"

struct port {
	struct port *next;
	int nr;
};

static struct port ports[5];

static noinline int count_ports(struct port *first)
{
	struct port *port;
	int n = 0;

	for (port = first; port; port = READ_ONCE(port->next))
		n++;
	return n;
}

static int linker(void *unused)
{
	msleep(300);
	WRITE_ONCE(ports[4].next, &ports[2]);
	return 0;
}

static int counter(void *unused)
{
	msleep(800);
	pr_info("ports: %d\n", count_ports(UNKNOWN(&ports[0])));
	return 0;
}

static int __init ports_init(void)
{
	int i;

	for (i = 0; i < 4; i++)
		ports[i].next = &ports[i + 1];
	run_thread(linker, NULL, -1, "linker");
	return run_thread(counter, NULL, 1, "counter");
}
module_init(ports_init);
