// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A journal panics over a bad checksum (errors=panic); the block was changed by the quota code while it waited to be written.
 *
 * pattern: metadata buffer modified after its checksum, without journal write access (no stable page)
 * upstream: the class of ext4/jbd2 "get write access before modifying" (ext4 orphan list, quota files, superblock updates without access)
 * finding: the panic is deliberate (errors=panic in jrn_abort()): block 5 differs from the checksum taken when it was frozen for writing; quota_charge() (jrn-quota) had changed quota bytes of that buffer while its state was JB_WRITING, because its shortcut for the cached buffer skips jrn_get_write().  The committer and the disk are innocent
 * never: a bad disk or I/O error; jrn-commit as the one that corrupted; memory corruption by an unrelated party; use after free
 * guest: insmod /test/jrn-commit.ko
 */
#include "crash.h"
#include <linux/crc32.h>

enum { JB_CLEAN, JB_DIRTY, JB_WRITING };

struct jrn_buf {
	u32 block, csum;
	int state;
	u8 data[512];
};

struct quota_rec {
	u32 uid, pad;
	u64 used, limit;
};

struct jrn {
	char volume[16];
	struct mutex lock;
	struct jrn_buf buf[8];
	u32 commits, waits;
	bool errors_panic;
};

struct quota_handle {
	struct jrn *jrn;
	struct jrn_buf *cached;
	u32 charges;
};

static struct quota_handle quota;

static noinline void jrn_abort(struct jrn *j, struct jrn_buf *b, u32 csum)
{
	pr_crit("jrn (%s): block %u: checksum %08x, expected %08x\n",
		j->volume, b->block, csum, b->csum);
	if (j->errors_panic)
		panic("jrn (%s): panic forced after error\n", j->volume);
}

static noinline struct jrn_buf *jrn_get_write(struct jrn *j, u32 block)
{
	struct jrn_buf *b = &j->buf[block];

	for (;;) {
		mutex_lock(&j->lock);
		if (b->state != JB_WRITING)
			break;
		j->waits++;
		mutex_unlock(&j->lock);
		schedule_timeout_idle(HZ / 20);
	}
	b->state = JB_DIRTY;
	return b;
}

static void jrn_put_write(struct jrn *j)
{
	mutex_unlock(&j->lock);
}

static noinline void jrn_write_out(struct jrn *j, struct jrn_buf *b)
{
	u32 csum;

	mutex_lock(&j->lock);
	csum = crc32_le(~0, b->data, sizeof(b->data));
	if (csum != b->csum)
		jrn_abort(j, b, csum);
	b->state = JB_CLEAN;
	mutex_unlock(&j->lock);
}

static int jrn_commit(void *data)
{
	struct jrn *j = data;
	int i;

	for (;;) {
		mutex_lock(&j->lock);
		for (i = 0; i < ARRAY_SIZE(j->buf); i++) {
			if (j->buf[i].state != JB_DIRTY)
				continue;
			j->buf[i].csum = crc32_le(~0, j->buf[i].data, sizeof(j->buf[i].data));
			j->buf[i].state = JB_WRITING;
		}
		mutex_unlock(&j->lock);
		schedule_timeout_idle(HZ);		/* the device is slow */
		for (i = 0; i < ARRAY_SIZE(j->buf); i++)
			if (j->buf[i].state == JB_WRITING)
				jrn_write_out(j, &j->buf[i]);
		j->commits++;
	}
	return 0;
}

static noinline void quota_charge(struct quota_handle *h, u32 uid, u64 bytes)
{
	struct jrn_buf *b = h->cached;
	struct quota_rec *q;

	if (!b)
		b = jrn_get_write(h->jrn, 5);
	q = (struct quota_rec *)b->data + uid;
	q->uid = uid;
	WRITE_ONCE(q->used, q->used + bytes);
	if (!h->cached)
		jrn_put_write(h->jrn);
	if (++h->charges > 4)
		h->cached = b;
}

static int jrn_quota(void *data)
{
	quota.jrn = data;
	for (;;) {
		quota_charge(&quota, 9, 4096);
		schedule_timeout_idle(HZ * 2 / 5);
	}
	return 0;
}

static int jrn_inode(void *data)
{
	struct jrn *j = data;
	struct jrn_buf *b;
	u32 n = 0;

	for (;;) {
		b = jrn_get_write(j, 2);
		b->data[n & 255] = n;
		n++;
		jrn_put_write(j);
		b = jrn_get_write(j, 5);
		b->data[480] = n;
		jrn_put_write(j);
		schedule_timeout_idle(HZ * 3 / 5);
	}
	return 0;
}

static int __init jrn_init(void)
{
	struct jrn *j = kzalloc(sizeof(*j), GFP_KERNEL);
	int i;

	if (!j)
		return -ENOMEM;
	strscpy(j->volume, "vol0", sizeof(j->volume));
	mutex_init(&j->lock);
	j->errors_panic = true;
	for (i = 0; i < ARRAY_SIZE(j->buf); i++)
		j->buf[i].block = i;
	run_thread(jrn_inode, j, -1, "jrn-inode");
	run_thread(jrn_quota, j, -1, "jrn-quota");
	return run_thread(jrn_commit, j, -1, "jrn-commit");
}
module_init(jrn_init);
