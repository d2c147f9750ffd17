// SPDX-License-Identifier: GPL-2.0-only
/*
 * A queue of a storage target is destroyed when its last request has ended.  One request had an
 * opcode that is not known: it was refused, and its reference was kept.
 *
 * pattern: percpu_ref leaked on an error path, teardown waits for the release
 * upstream: the class of "nvmet: fix hang in nvmet_sq_destroy", nbd, io_uring "fix leaked ctx ref"
 * finding: tgt-del waits in tgt_sq_destroy() for sq->free_done, which is completed when the percpu_ref of the queue is at 0; it is at 1: a reference that was not put (by tgt_req_init() of an unknown opcode)
 * never: tgt-io, which has no request any more; a deadlock; a lock
 * must: likely: tgt-del-[0-9]+ waits in tgt_sq_destroy\(\) .*percpu_ref.*1 is left
 * not: deadlock|tgt-io.*(holds|owns)
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/tgt-sq.ko
 */
#include <linux/completion.h>
#include <linux/percpu-refcount.h>
#include "crash.h"

struct tgt_sq {
	u16 qid, size;
	struct percpu_ref ref;
	struct completion free_done, confirm_done;
	u64 done, refused;
};

static struct tgt_sq *tgt_sq;

static void tgt_sq_free(struct percpu_ref *ref)
{
	complete(&container_of(ref, struct tgt_sq, ref)->free_done);
}

static void tgt_sq_confirm(struct percpu_ref *ref)
{
	complete(&container_of(ref, struct tgt_sq, ref)->confirm_done);
}

static noinline int tgt_req_init(struct tgt_sq *sq, u8 opcode)
{
	if (!percpu_ref_tryget_live(&sq->ref))
		return -ESHUTDOWN;
	if (opcode > 0x0d) {
		sq->refused++;
		return -EOPNOTSUPP;
	}
	return 0;
}

static noinline void tgt_req_complete(struct tgt_sq *sq)
{
	sq->done++;
	percpu_ref_put(&sq->ref);
}

static int tgt_io(void *data)
{
	struct tgt_sq *sq = data;
	unsigned int i;
	int err;

	for (i = 0; ; i++) {
		err = tgt_req_init(sq, i == 9 ? 0x7f : i % 12);
		if (err == -ESHUTDOWN)
			break;
		msleep(20);
		if (!err)
			tgt_req_complete(sq);
	}
	for (;;)
		msleep(200);
	return 0;
}

static noinline void tgt_sq_destroy(struct tgt_sq *sq)
{
	percpu_ref_kill_and_confirm(&sq->ref, tgt_sq_confirm);
	wait_for_completion(&sq->confirm_done);
	wait_for_completion(&sq->free_done);
	percpu_ref_exit(&sq->ref);
	kfree(sq);
}

static int tgt_del(void *data)
{
	msleep(1500);
	tgt_sq_destroy(data);
	return 0;
}

static int __init tgt_init(void)
{
	tgt_sq = kzalloc(sizeof(*tgt_sq), GFP_KERNEL);
	if (!tgt_sq || percpu_ref_init(&tgt_sq->ref, tgt_sq_free, 0, GFP_KERNEL))
		return -ENOMEM;
	init_completion(&tgt_sq->free_done);
	init_completion(&tgt_sq->confirm_done);
	run_thread(tgt_io, tgt_sq, 0, "tgt-io");
	return run_thread(tgt_del, tgt_sq, 1, "tgt-del");
}
module_init(tgt_init);
