// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver takes a command out of its own cache for each poll and gives back but the failed ones.  A user task with
 * much memory is there as well.
 *
 * pattern: a slab cache of a driver grows until panic_on_oom
 * upstream: the class of missing kmem_cache_free() on the success path (lpfc, qla2xxx, target core command leaks)
 * finding: out of memory; most is unreclaimable slab, of the cache hba_command, which hba-poll takes in hba_get_command()
 * never: the task whose allocation failed; the user task with 60 MB; a fragmented memory
 * must: ^shown: .*unreclaimable slab.*hba_command
 * not: head-|tail-
 * guest: echo 1 >/proc/sys/vm/panic_on_oom
 * guest: head -c 30000000 /dev/zero | tail -c 29000000 >/dev/null &
 * guest: insmod /test/command-cache-leak.ko
 * guest: while :; do head -c 1000000 /dev/zero | tail -c 10 >/dev/null; done
 */
#include "crash.h"

struct hba_command {
	u64 tag, lun;
	u8 cdb[32], sense[1000];
	u64 pad[3];
};

static struct kmem_cache *commands;

static noinline struct hba_command *hba_get_command(u64 tag)
{
	struct hba_command *c = kmem_cache_zalloc(commands, GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);

	if (c)
		c->tag = tag;
	return c;
}

static int hba_poll(void *unused)
{
	struct hba_command *c;
	u64 tag;

	for (tag = 0;; tag++) {
		c = hba_get_command(tag);
		if (!c)
			msleep(20);
		else if (tag % 1000 == 7)
			kmem_cache_free(commands, c);
		if (tag % 64 == 0)
			usleep_range(200, 400);
	}
	return 0;
}

static int __init hba_init(void)
{
	commands = kmem_cache_create("hba_command", sizeof(struct hba_command), 0, SLAB_ACCOUNT | SLAB_HWCACHE_ALIGN, NULL);
	if (!commands)
		return -ENOMEM;
	return run_thread(hba_poll, NULL, 1, "hba-poll");
}
module_init(hba_init);
