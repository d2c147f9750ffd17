// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A reader of an rwsem returned early with the lock; the owner hint of the rwsem names another, later, correct reader.
 *
 * pattern: up_read() missing on an error path; writer and everyone after it hang
 * upstream: the class of "missing up_read on error" (e.g. xfs quota, cifs tcon links, ocfs2)
 * finding: tab->sem counts one reader that no living task is: qtab_report() took it for uid 1007, saw the entry marked bad (QENT_BAD) and returned -EUCLEAN without up_read().  qtab-sync waits to write and so all new readers wait behind it
 * never: qtab-scrub (the owner hint: a past reader that did release) as the holder; qtab-sync as the cause; an ABBA deadlock; naming the process that leaked as certain from rwsem.owner
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: insmod /test/qtab-report.ko
 * guest: sh -c 'echo 1003 >/proc/qtab_report'
 * guest: sh -c 'echo 1007 >/proc/qtab_report' 2>/dev/null || true
 * guest: sleep 4
 * guest: sh -c 'echo 1003 >/proc/qtab_report' &
 */
#include "crash.h"
#include <linux/rwsem.h>

#define QENT_BAD	0x4

struct qent {
	u32 uid, flags;
	u64 blocks, inodes;
};

struct qtab {
	struct rw_semaphore sem;
	u32 reports, errors, scrubs, syncs;
	struct qent ent[16];
};

static struct qtab *qtab;

static noinline struct qent *qtab_find(struct qtab *t, u32 uid)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(t->ent); i++)
		if (t->ent[i].uid == uid)
			return &t->ent[i];
	return NULL;
}

static int qtab_report(unsigned int uid)
{
	struct qent *q;
	int err = 0;

	down_read(&qtab->sem);
	q = qtab_find(qtab, uid);
	if (!q) {
		err = -ENOENT;
		goto out;
	}
	if (q->flags & QENT_BAD) {
		qtab->errors++;
		return -EUCLEAN;
	}
	qtab->reports++;
out:
	up_read(&qtab->sem);
	return err;
}

static int qtab_scrub(void *data)
{
	struct qtab *t = data;
	int i;

	for (;;) {
		down_read(&t->sem);
		for (i = 0; i < ARRAY_SIZE(t->ent); i++)
			if (t->ent[i].blocks >> 48)
				t->ent[i].flags |= QENT_BAD;
		t->scrubs++;
		up_read(&t->sem);
		schedule_timeout_idle(HZ / 5);
	}
	return 0;
}

static int qtab_sync(void *data)
{
	struct qtab *t = data;

	for (;;) {
		schedule_timeout_idle(3 * HZ);
		down_write(&t->sem);
		t->syncs++;
		up_write(&t->sem);
	}
	return 0;
}

PROC_NUMBER(qtab_report, qtab_report);

static int __init qtab_init(void)
{
	int i;

	qtab = kzalloc(sizeof(*qtab), GFP_KERNEL);
	if (!qtab)
		return -ENOMEM;
	init_rwsem(&qtab->sem);
	for (i = 0; i < ARRAY_SIZE(qtab->ent); i++) {
		qtab->ent[i].uid = 1000 + i;
		qtab->ent[i].blocks = 64 * i;
	}
	qtab->ent[7].blocks = 0xffff800000000040ULL;
	qtab->ent[7].flags = QENT_BAD;
	proc_create("qtab_report", 0200, NULL, &qtab_report_pops);
	run_thread(qtab_scrub, qtab, -1, "qtab-scrub");
	return run_thread(qtab_sync, qtab, -1, "qtab-sync");
}
module_init(qtab_init);
