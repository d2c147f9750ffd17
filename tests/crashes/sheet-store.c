// SPDX-License-Identifier: GPL-2.0-only
/*
 * "writer" has the busy bit of a sheet and takes the catalogue's mutex; "indexer" has the mutex and waits for the bits
 * of all sheets.
 *
 * pattern: lock order of a bit lock and a mutex
 * upstream: the class of wait_on_bit_lock() users: fscache, NFS, dm-bufio, jbd2
 * finding: deadlock: "writer" has the bit of a sheet and waits for catalogue of "indexer", which waits for that bit
 * never: "reader"; a bit that none clears
 * must: ^likely: A deadlock: .*(writer-[0-9]+.*indexer-[0-9]+|indexer-[0-9]+.*writer-[0-9]+)
 * not: reader-
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/sheet-store.ko
 */
#include <linux/wait_bit.h>
#include "crash.h"

#define SHEET_BUSY 0

struct sheet {
	unsigned long flags;
	u64 version;
};

static struct sheet *sheets[4];
static DEFINE_MUTEX(catalogue);
static u64 indexed, lines;

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
	msleep(11);
	if (s->version % 8 == 0) {
		mutex_lock(&catalogue);
		lines++;
		mutex_unlock(&catalogue);
	}
	sheet_unlock(s);
}

static noinline void index_all(void)
{
	int i;

	mutex_lock(&catalogue);
	for (i = 0; i < 4; i++) {
		sheet_lock(sheets[i]);
		indexed += sheets[i]->version;
		sheet_unlock(sheets[i]);
		msleep(3);
	}
	mutex_unlock(&catalogue);
}

static int writer(void *unused)
{
	unsigned int i = 0;

	for (;;)
		sheet_write(sheets[i++ % 4]);
	return 0;
}

static int indexer(void *unused)
{
	for (;;) {
		index_all();
		msleep(40);
	}
	return 0;
}

static int reader(void *unused)
{
	for (;;) {
		msleep(500);
		mutex_lock(&catalogue);
		lines++;
		mutex_unlock(&catalogue);
	}
	return 0;
}

static int __init store_init(void)
{
	int i;

	for (i = 0; i < 4; i++) {
		sheets[i] = kzalloc(sizeof(*sheets[i]), GFP_KERNEL);
		if (!sheets[i])
			return -ENOMEM;
	}
	run_thread(reader, NULL, -1, "reader");
	run_thread(writer, NULL, -1, "writer");
	return run_thread(indexer, NULL, -1, "indexer");
}
module_init(store_init);
