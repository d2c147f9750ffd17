// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reset of a radio sets its state up anew, the lock too.  A task slept on the lock; none wakes it any more.
 *
 * pattern: mutex_init() of a mutex that is in use (re-initialization on reset)
 * upstream: the class of "do not reinitialize the lock on reset/resume" (mac80211 drivers, media, tty ports)
 * finding: sdr-tune waits for the mutex of the radio, which is free and does not know of it (its list of waiters is empty): sdr_reset() of sdr-fault set the mutex up anew while sdr-tune waited
 * never: a holder of the lock; sdr-stream, which took it before and left it; a deadlock; "the owner ended with the lock"
 * must: sdr-tune-[0-9]+ .*(set up (anew|again)|initiali[sz]ed|not (in|on) .*list|does not (know|have))
 * not: deadlock|holds|sdr-stream-[0-9]+ (ended|left)
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/sdr-reset.ko
 */
#include "crash.h"

struct sdr {
	char name[16];
	u32 freq, gain;
	u64 samples;
	struct mutex lock;
	bool faulty;
};

static struct sdr *sdr;

static noinline void sdr_setup(struct sdr *s)
{
	s->freq = 433920;
	s->gain = 20;
	s->faulty = false;
	mutex_init(&s->lock);
}

static noinline void sdr_reset(struct sdr *s)
{
	s->samples = 0;
	sdr_setup(s);
}

static noinline void sdr_read(struct sdr *s, u32 ms)
{
	mutex_lock(&s->lock);
	s->samples += s->gain;
	msleep(ms);
	mutex_unlock(&s->lock);
}

static noinline void sdr_tune(struct sdr *s)
{
	mutex_lock(&s->lock);
	s->freq += 25;
	mutex_unlock(&s->lock);
}

static int sdr_stream(void *data)
{
	struct sdr *s = data;
	int i;

	for (i = 0; i < 20; i++) {
		sdr_read(s, 20);
		msleep(20);
	}
	sdr_read(s, 800);
	for (;;) {
		sdr_read(s, 20);
		msleep(100);
	}
	return 0;
}

static int sdr_tuner(void *data)
{
	msleep(1100);
	for (;;) {
		sdr_tune(data);
		msleep(60);
	}
	return 0;
}

static int sdr_fault(void *data)
{
	msleep(1350);
	sdr_reset(data);
	return 0;
}

static int __init sdr_init(void)
{
	sdr = kzalloc(sizeof(*sdr), GFP_KERNEL);
	if (!sdr)
		return -ENOMEM;
	sdr_setup(sdr);
	run_thread(sdr_stream, sdr, 0, "sdr-stream");
	run_thread(sdr_tuner, sdr, 1, "sdr-tune");
	return run_thread(sdr_fault, sdr, 0, "sdr-fault");
}
module_init(sdr_init);
