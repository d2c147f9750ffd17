// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread gets the address of a variable on the stack of who started it, which returns.
 *
 * pattern: a local variable given to a thread that outlives the function
 * upstream: the class of kthread_run(fn, &local) and on-stack work items
 * finding: scan_once() of "scan" read its pointers from the stack of a task that had left that function, or ended
 * never: a pointer of user space as the cause; "insmod" or the shell as guilty of more than its stack
 * must: ^likely: .*scan_once\(\).*stack
 * not: ^(shown|likely): .*a pointer of a process
 * guest: insmod /test/scan-bus.ko
 * guest: for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cat /proc/meminfo >/dev/null; sleep 0.1; done
 * guest: sleep 30
 */
#include "crash.h"

struct bus_port {
	u32 id, speed;
};

struct scan_args {
	struct bus_port *port[8];
	unsigned int ports;
	unsigned int rounds;
};

static struct bus_port ports[8];
static u64 found;

static noinline void scan_once(struct scan_args *args)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		found += args->port[i]->speed;
	args->rounds++;
}

static int scan(void *data)
{
	for (;;) {
		msleep(100);
		scan_once(data);
	}
	return 0;
}

static noinline int scan_start(void)
{
	struct scan_args args = { .ports = 8 };
	int i;

	for (i = 0; i < 8; i++)
		args.port[i] = &ports[i];
	return run_thread(scan, &args, -1, "scan");
}

static int __init bus_init(void)
{
	return scan_start();
}
module_init(bus_init);
