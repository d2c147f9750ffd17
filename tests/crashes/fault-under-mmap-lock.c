// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver's request pins a task's memory with its mmap_lock held, and copies the answer to a page that is not there
 * yet.  The page fault wants the mmap_lock.  "accountant" wants it too, innocent.
 *
 * pattern: copy_to_user() under the mmap_lock
 * upstream: the class of faults under mmap_lock (drm userptr, vfio, user_events: "do not fault under mmap_lock")
 * finding: deadlock: "sh" holds its mmap_lock, taken in pin_write(), and waits for it in a page fault of copy_to_user()
 * never: "accountant" holds anything; a disk or swap that does not answer; two tasks in a circle
 * must: ^likely: A deadlock: sh-[0-9]+ waits for a lock that it holds itself
 * not: accountant.* holds
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/fault-under-mmap-lock.ko
 * guest: sh -c 'echo 1 >/proc/pin'
 */
#include <linux/mman.h>
#include <linux/mmap_lock.h>
#include <linux/sched/mm.h>
#include "crash.h"

static struct mm_struct *watched;

static int accountant(void *unused)
{
	for (;;) {
		struct mm_struct *mm = READ_ONCE(watched);

		if (mm) {
			msleep(300);
			mmap_read_lock(mm);
			mmap_read_unlock(mm);
		}
		msleep(20);
	}
	return 0;
}

static noinline int pin_pages(unsigned int nr)
{
	unsigned long at = vm_mmap(NULL, 0, 4 * PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	struct mm_struct *mm = current->mm;
	u64 answer = nr;
	int err;

	if (IS_ERR_VALUE(at))
		return (int)at;
	mmgrab(mm);
	mmap_write_lock(mm);
	WRITE_ONCE(watched, mm);
	err = copy_to_user((void __user *)at, &answer, sizeof(answer));
	mmap_write_unlock(mm);
	return err ? -EFAULT : 0;
}
PROC_NUMBER(pin, pin_pages);

static int __init pin_init(void)
{
	run_thread(accountant, NULL, 1, "accountant");
	return proc_create("pin", 0600, NULL, &pin_pops) ? 0 : -ENOMEM;
}
module_init(pin_init);
