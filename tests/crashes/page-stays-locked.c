// SPDX-License-Identifier: GPL-2.0-only
/*
 * An error path leaves a page of the page cache locked; the next reader of the file waits for ever.
 *
 * pattern: missing unlock_page() in an error path of a file system
 * finding: hung "reader" waits for a locked page of a file (folio lock), no I/O is under way; who locked
 *	it is not in the dump
 * never: the disk; a mutex; another task as owner
 * must: ^shown: .*reader-[0-9]+ waited .*page
 * not: disk|mutex|holds
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo some-text >/tmp/data
 * guest: insmod /test/page-stays-locked.ko
 */
#include <linux/fs.h>
#include <linux/pagemap.h>
#include "crash.h"

static int reader(void *data)
{
	struct page *page;

	msleep(500);
	page = find_lock_page(data, 0);
	unlock_page(page);
	return 0;
}

static int __init page_init(void)
{
	struct file *file = filp_open("/tmp/data", O_RDONLY, 0);

	if (IS_ERR(file))
		return PTR_ERR(file);
	if (!find_lock_page(file->f_mapping, 0))
		return -ENOENT;
	return run_thread(reader, file->f_mapping, -1, "reader");
}
module_init(page_init);
