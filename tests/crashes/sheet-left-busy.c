// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Sheets of 16 bytes lie one behind the other, each with a busy bit.  "writer" sleeps with the bit of the first, as it may;
 * sheet_check() came back with that of the last, and "indexer" waits for it.
 *
 * pattern: a bit lock that is not given back on a way with an error
 * upstream: the class of wait_on_bit_lock() users: fscache, NFS, dm-bufio, jbd2
 * finding: "indexer" waits in sheet_index() for the bit of sheet 3, which sheet_check() left set
 * never: "writer", which has another bit
 * must: sheet_check\(\)|^shown: The task indexer-[0-9]+ waited too long
 * not: writer-
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/sheet-left-busy.ko
 * guest: sleep 1
 * guest: echo 3 >/proc/sheet_check || :
 */
#include <linux/wait_bit.h>
#include "crash.h"

#define SHEET_BUSY 0

struct sheet {
	unsigned long flags;
	u64 version;
};

static struct sheet *sheets;
static u64 indexed;

static void sheet_lock(struct sheet *s)
{
	wait_on_bit_lock(&s->flags, SHEET_BUSY, TASK_UNINTERRUPTIBLE);
}

static void sheet_unlock(struct sheet *s)
{
	clear_bit_unlock(SHEET_BUSY, &s->flags);
	smp_mb__after_atomic();
	wake_up_bit(&s->flags, SHEET_BUSY);
}

static noinline void sheet_write(struct sheet *s)
{
	sheet_lock(s);
	s->version++;
	msleep(60);
	sheet_unlock(s);
}

static noinline int sheet_check(unsigned int number)
{
	struct sheet *s = &sheets[number & 3];

	sheet_lock(s);
	if (!s->version)
		return -EINVAL;
	indexed++;
	sheet_unlock(s);
	return 0;
}

static noinline void sheet_index(struct sheet *s)
{
	sheet_lock(s);
	indexed += s->version;
	sheet_unlock(s);
}

static int writer(void *unused)
{
	for (;;) {
		sheet_write(&sheets[0]);
		schedule();
	}
	return 0;
}

static int indexer(void *unused)
{
	u32 i;

	for (i = 0;; i++) {
		msleep(100);
		sheet_index(&sheets[i & 3]);
	}
	return 0;
}

PROC_NUMBER(check, sheet_check);

static int __init store_init(void)
{
	sheets = kcalloc(4, sizeof(*sheets), GFP_KERNEL);
	if (!sheets)
		return -ENOMEM;
	proc_create("sheet_check", 0200, NULL, &check_pops);
	run_thread(writer, NULL, -1, "writer");
	return run_thread(indexer, NULL, -1, "indexer");
}
module_init(store_init);
