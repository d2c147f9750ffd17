// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  The number of entries times their size overflows 32 bits: the table is one entry long, and filled with 24.  The
 * objects behind it are sessions of another part; "poller" dies as it uses one.
 *
 * pattern: kmalloc(n * size) with n from user space, in 32 bits; kmalloc_array() was needed
 * upstream: the class of integer overflows in allocations (for example kvmalloc(nr * sizeof()) in ioctls of drm and sound)
 * finding: poller used a small number as a pointer, session->ops, and it is 7 or 9, not NULL; who wrote it is not known
 * never: that session->ops was never set, is NULL, or was freed; session_poll() as the culprit
 * not: was never set|freed
 * guest: insmod /test/size-overflows.ko
 */
#include "crash.h"

struct entry {
	u64 id;
	u64 weight;
};

struct session_ops {
	u64 version;
	int (*poll)(void);
};

struct session {
	const struct session_ops *ops;
	u64 state;
};

static int poll_nothing(void)
{
	return 0;
}

static const struct session_ops ops = { 1, poll_nothing };
static struct session *sessions[512];

static noinline int table_load(u32 count)
{
	u32 bytes = count * (u32)sizeof(struct entry);
	struct entry *table = kmalloc(bytes, GFP_KERNEL);
	u32 i;

	if (!table)
		return -ENOMEM;
	for (i = 0; i < count && i < 24; i++)
		table[i] = (struct entry){ 7, 9 };
	return 0;
}

static noinline int session_poll(struct session *s)
{
	return s->ops->poll();
}

static int poller(void *unused)
{
	int i;

	for (;;) {
		for (i = 0; i < ARRAY_SIZE(sessions); i++)
			session_poll(sessions[i]);
		msleep(20);
	}
	return 0;
}

static int loader(void *unused)
{
	u32 count = 0x10000001;
	int i;

	msleep(500);
	for (i = 0; i < ARRAY_SIZE(sessions); i += 4) {
		kfree(sessions[i]);
		sessions[i] = sessions[i + 1];
	}
	OPTIMIZER_HIDE_VAR(count);
	for (i = 0; i < 3000; i++)
		table_load(count);
	return 0;
}

static int __init session_init(void)
{
	int i;

	for (i = ARRAY_SIZE(sessions) - 1; i >= 0; i--) {
		sessions[i] = kmalloc(sizeof(**sessions), GFP_KERNEL);
		sessions[i]->ops = &ops;
	}
	run_thread(poller, NULL, raw_smp_processor_id(), "poller");
	return run_thread(loader, NULL, raw_smp_processor_id(), "loader");
}
module_init(session_init);
