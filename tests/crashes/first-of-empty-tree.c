// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  rb_entry() of the first node of an empty tree is an address just below 0, and looks like an
 * error number.  Three seconds earlier "scanner", of the same module, died of a NULL pointer that the kernel survived, and
 * which has nothing to do with it.
 *
 * pattern: rb_entry(rb_first()) without a check; an oops before that is of another fault
 * finding: bad pointer in next_deadline(), task "scheduler"; container_of() of NULL, or an error pointer
 *	as one possibility of two
 * never: an error pointer (EBUSY or another) as shown; "scanner" or scan_bus() as the cause
 * must: ^(shown|possible): next_deadline\(\)
 * not: scanner|^(likely|shown).*error number
 * guest: echo 0 >/proc/sys/kernel/panic_on_oops
 * guest: insmod /test/first-of-empty-tree.ko
 * guest: sleep 2
 * guest: echo 1 >/proc/sys/kernel/panic_on_oops
 */
#include <linux/rbtree.h>
#include "crash.h"

struct job {
	u64 deadline;
	u64 cost;
	struct rb_node node;
};

static struct rb_root jobs = RB_ROOT;
static int *bus;

static noinline u64 next_deadline(struct rb_root *root)
{
	return rb_entry(rb_first(root), struct job, node)->deadline;
}

static noinline int scan_bus(int *b)
{
	return b[5];
}

static int scheduler(void *unused)
{
	msleep(4000);
	pr_info("next at %llu\n", next_deadline(UNKNOWN(&jobs)));
	return 0;
}

static int scanner(void *unused)
{
	msleep(300);
	pr_info("bus %d\n", scan_bus(UNKNOWN(bus)));
	return 0;
}

static int __init jobs_init(void)
{
	run_thread(scheduler, NULL, -1, "scheduler");
	return run_thread(scanner, NULL, -1, "scanner");
}
module_init(jobs_init);
