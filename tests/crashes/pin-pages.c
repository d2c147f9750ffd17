// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work that a task handed over uses current->mm; a worker has none.
 *
 * pattern: current->mm in a kernel thread
 * upstream: the class of "use the mm of the submitter, not current->mm" of io_uring, habanalabs and amdkfd
 * finding: umem_pin() takes current->mm, which is NULL in the kernel thread that runs umem_pin_work(): the fault is at mmap_lock of a NULL mm_struct
 * never: umem_drop() as the one that set the NULL; freed memory; a lock that was never set up
 * must: ^shown: .*umem_pin\(\).*current->mm
 * must: ^likely: .*, which worked for umem_pin\(\) .*0x98 
 * not: umem_drop|freed|never set up
 * guest: insmod /test/pin-pages.ko
 * guest: echo 4 >/proc/pin-pages
 * guest: echo 64 >/proc/pin-pages
 */
#include "crash.h"
#include <linux/sched/mm.h>

struct umem {
	struct work_struct work;
	struct mm_struct *mm;		/* of the submitter */
	unsigned long start;
	unsigned int nr_pages, pinned;
	struct page *pages[64];
};

static DEFINE_MUTEX(umem_lock);
static u64 umem_pinned, umem_dropped;

static noinline void umem_drop(struct umem *umem)
{
	while (umem->pinned)
		put_page(umem->pages[--umem->pinned]);
	mmdrop(umem->mm);
	umem->mm = NULL;
	umem_dropped++;
	kfree(umem);
}

static noinline int umem_pin(struct umem *umem)
{
	struct mm_struct *mm = current->mm;
	long n;

	mmap_read_lock(mm);
	n = get_user_pages_fast_only(umem->start, umem->nr_pages, 0, umem->pages);
	mmap_read_unlock(mm);
	if (n <= 0)
		return -EFAULT;
	umem->pinned = n;
	umem_pinned += n;
	return 0;
}

static void umem_pin_work(struct work_struct *work)
{
	struct umem *umem = container_of(work, struct umem, work);

	umem_pin(umem);
	umem_drop(umem);
}

/* Few pages are pinned at once, many by a worker. */
static noinline int umem_submit(unsigned int nr_pages)
{
	struct umem *umem;

	if (!nr_pages || nr_pages > ARRAY_SIZE(umem->pages))
		return -EINVAL;
	umem = kzalloc(sizeof(*umem), GFP_KERNEL);
	if (!umem)
		return -ENOMEM;
	INIT_WORK(&umem->work, umem_pin_work);
	umem->mm = current->mm;
	mmgrab(umem->mm);
	umem->start = current->mm->start_code;
	umem->nr_pages = nr_pages;
	if (nr_pages > 8) {
		queue_work(system_unbound_wq, &umem->work);
		return 0;
	}
	mutex_lock(&umem_lock);
	umem_pin(umem);
	mutex_unlock(&umem_lock);
	umem_drop(umem);
	return 0;
}

PROC_NUMBER(pin, umem_submit);

static int __init pin_init(void)
{
	return proc_create("pin-pages", 0200, NULL, &pin_pops) ? 0 : -ENOMEM;
}
module_init(pin_init);
