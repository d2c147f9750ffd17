// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel thread uses current->mm, which it has none of.
 *
 * pattern: current->mm in a kernel thread
 * upstream: the class of kthreads that lack kthread_use_mm() (vhost, usb gadget aio, habanalabs)
 * finding: NULL: current->mm of the kernel thread "shipper", in ship_range()
 * never: down_read(); a freed object; what wrote to /proc
 * must: ^(shown|likely): .*ship_range\(\).*current->mm
 * not: freed
 * guest: insmod /test/log-shipper.ko
 * guest: echo 4096 >/proc/log_ship
 * guest: sleep 30
 */
#include <linux/mm_types.h>
#include <linux/mmap_lock.h>
#include "crash.h"

static DECLARE_WAIT_QUEUE_HEAD(ship_queue);
static unsigned int to_ship;
static unsigned long areas;

static noinline void ship_range(unsigned int bytes)
{
	struct mm_struct *mm = current->mm;

	mmap_read_lock(mm);
	areas += find_vma(mm, bytes) != NULL;
	mmap_read_unlock(mm);
}

static int shipper(void *unused)
{
	for (;;) {
		wait_event_interruptible(ship_queue, READ_ONCE(to_ship));
		ship_range(to_ship);
		WRITE_ONCE(to_ship, 0);
	}
	return 0;
}

static int ship_set(unsigned int val)
{
	WRITE_ONCE(to_ship, val);
	wake_up(&ship_queue);
	return 0;
}

PROC_NUMBER(ship, ship_set);

static int __init ship_init(void)
{
	proc_create("log_ship", 0200, NULL, &ship_pops);
	return run_thread(shipper, NULL, -1, "shipper");
}
module_init(ship_init);
