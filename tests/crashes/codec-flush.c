// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread of a kthread_worker flushes its own queue.
 *
 * pattern: a work function waits for the queue that runs it, by its error path
 * upstream: the class of "don't flush the worker from its own work" of spi, drm/msm and sound/soc
 * finding: the thread codec0 runs codec_io_work(), whose error path codec_reset() calls kthread_flush_worker() of its own worker: it waits for itself.  cat, which waits for the same work, is innocent
 * never: cat as the one that holds up codec0; that a device did not answer as the cause of the wait; that the owner is another task
 * must: ^shown: codec0-[0-9]* waits for itself: it runs the work item codec_io_work\(\)
 * not: device|cat-[0-9]* holds
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/codec-flush.ko
 * guest: (sleep 2; cat /proc/codec0) &
 */
#include "crash.h"
#include <linux/seq_file.h>

struct codec {
	struct kthread_worker *worker;
	struct kthread_work io_work;
	struct kthread_delayed_work poll_work;
	struct mutex io_lock;
	u16 regs[64];
	u32 transfers, errors, resets;
	bool jack;
};

static struct codec *codec0;

static noinline int codec_transfer(struct codec *codec, u8 reg, u16 *val)
{
	codec->transfers++;
	usleep_range(500, 800);
	if (codec->transfers > 60 && reg == 0x2a)
		return -EREMOTEIO;
	*val = codec->regs[reg & 63]++;
	return 0;
}

/* What is queued was made for the state before the reset. */
static noinline void codec_reset(struct codec *codec)
{
	kthread_flush_worker(codec->worker);
	memset(codec->regs, 0, sizeof(codec->regs));
	codec->resets++;
	codec->errors = 0;
}

static void codec_io_work(struct kthread_work *work)
{
	struct codec *codec = container_of(work, struct codec, io_work);
	u16 val = 0;
	int i;

	for (i = 0; i < 4; i++) {
		mutex_lock(&codec->io_lock);
		if (codec_transfer(codec, 0x28 + i, &val) < 0)
			codec->errors++;
		mutex_unlock(&codec->io_lock);
	}
	if (codec->errors > 3)
		codec_reset(codec);
	codec->jack = val & 1;
}

static void codec_poll_work(struct kthread_work *work)
{
	struct codec *codec = container_of(work, struct codec, poll_work.work);

	kthread_queue_work(codec->worker, &codec->io_work);
	kthread_queue_delayed_work(codec->worker, &codec->poll_work, msecs_to_jiffies(40));
}

static int codec_show(struct seq_file *m, void *unused)
{
	struct codec *codec = codec0;

	kthread_queue_work(codec->worker, &codec->io_work);
	kthread_flush_work(&codec->io_work);
	seq_printf(m, "jack %d, %u resets\n", codec->jack, codec->resets);
	return 0;
}

static int __init codec_init(void)
{
	struct codec *codec = kzalloc(sizeof(*codec), GFP_KERNEL);

	if (!codec)
		return -ENOMEM;
	codec0 = codec;
	mutex_init(&codec->io_lock);
	kthread_init_work(&codec->io_work, codec_io_work);
	kthread_init_delayed_work(&codec->poll_work, codec_poll_work);
	codec->worker = kthread_create_worker(0, "codec0");
	if (IS_ERR(codec->worker))
		return PTR_ERR(codec->worker);
	proc_create_single("codec0", 0400, NULL, codec_show);
	kthread_queue_delayed_work(codec->worker, &codec->poll_work, 1);
	return 0;
}
module_init(codec_init);
