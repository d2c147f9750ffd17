// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads of a benchmark are made one after the other and kept in a table; what kthread_create() gave is stored before it is looked at.
 * The machine has as many threads as it may have, and the error is stopped as if it were a thread.
 *
 * pattern: IS_ERR() is checked too late, "if (task) kthread_stop(task)" in the clean-up
 * upstream: drawn from Debian's changelog: "ring-buffer: Fix crash passing ERR_PTR to kthread_stop()"
 * finding: bench_stop() gave kthread_stop() -EAGAIN as a thread: bench_start() keeps in bench.reader[] what kthread_create() returned, an error
 * never: a freed task; a thread that ended; bench_stop() alone
 * must: ^likely: .*bench_stop\(\).*EAGAIN
 * not: freed|NULL pointer
 * guest: insmod /test/rb-bench.ko
 * guest: sleep 1
 * guest: echo 3 >/proc/rb-bench
 * guest: echo 20 >/proc/sys/kernel/threads-max
 * guest: echo 5 >/proc/rb-bench
 */
#include "crash.h"

struct bench {
	u32 n, reads;
	struct task_struct *writer;
	struct task_struct *reader[8];
};

static struct bench bench;

static int bench_reader(void *data)
{
	struct bench *b = data;

	while (!kthread_should_stop()) {
		b->reads++;
		msleep_interruptible(20);
	}
	return 0;
}

static noinline void bench_stop(struct bench *b)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(b->reader); i++) {
		if (b->reader[i])
			kthread_stop(b->reader[i]);
		b->reader[i] = NULL;
	}
}

static noinline int bench_start(struct bench *b, u32 n)
{
	u32 i;
	int err;

	for (i = 0; i < n; i++) {
		b->reader[i] = kthread_run(bench_reader, b, "rb-reader/%u", i);
		if (IS_ERR(b->reader[i])) {
			err = PTR_ERR(b->reader[i]);
			goto stop;
		}
	}
	b->n = n;
	return 0;
stop:
	bench_stop(b);
	return err;
}

static int bench_run(unsigned int n)
{
	bench_stop(&bench);
	return bench_start(&bench, min_t(u32, n, ARRAY_SIZE(bench.reader)));
}

PROC_NUMBER(bench, bench_run);

static int __init bench_init(void)
{
	return proc_create("rb-bench", 0200, NULL, &bench_pops) ? 0 : -ENOMEM;
}
module_init(bench_init);
