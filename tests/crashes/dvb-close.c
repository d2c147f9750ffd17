// SPDX-License-Identifier: GPL-2.0-only
/*
 * A frontend is shut down under its mutex, which waits until the last user is gone; the user needs the mutex first.
 *
 * pattern: wait for the last user under the lock that the user needs (dvb-core's shutdown, v4l2 release)
 * finding: demuxd in fe_shutdown() holds fe->lock and waits for tuner, who wants it
 * never: scand
 * must: A deadlock: .*demuxd-[0-9]+ waits for a completion by fe_put\(\), which tuner-[0-9]+ is to call
 * shows: tuner-[0-9]+ waits for mutex at [0-9a-f]{16}, held by demuxd
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/dvb-close.ko
 */
#include <linux/completion.h>
#include <linux/refcount.h>
#include "crash.h"

struct frontend {
	char name[16];
	struct mutex lock;
	refcount_t users;
	struct completion idle;
	u32 freq;
	u32 status;
	bool closing;
};

static struct frontend *frontend;

static noinline void fe_put(struct frontend *fe)
{
	if (refcount_dec_and_test(&fe->users))
		complete(&fe->idle);
}

static noinline int fe_set_freq(struct frontend *fe, u32 freq)
{
	int err = 0;

	mutex_lock(&fe->lock);
	if (fe->closing)
		err = -ENODEV;
	else
		fe->freq = freq;
	mutex_unlock(&fe->lock);
	return err;
}

static noinline u32 fe_read_status(struct frontend *fe)
{
	u32 status;

	mutex_lock(&fe->lock);
	status = fe->status;
	mutex_unlock(&fe->lock);
	return status;
}

static noinline void fe_shutdown(struct frontend *fe)
{
	mutex_lock(&fe->lock);
	fe->closing = true;
	fe_put(fe);
	wait_for_completion(&fe->idle);
	fe->status = 0;
	mutex_unlock(&fe->lock);
}

static int scand(void *data)
{
	for (;;) {
		fe_read_status(data);
		msleep(100);
	}
	return 0;
}

static int tuner(void *data)
{
	u32 freq = 474000;

	refcount_inc(&frontend->users);
	while (!fe_set_freq(data, freq)) {
		freq += 8000;
		msleep(150);
	}
	fe_put(data);
	return 0;
}

static int demuxd(void *data)
{
	msleep(1000);
	fe_shutdown(data);
	return 0;
}

static int __init fe_init(void)
{
	frontend = kzalloc(sizeof(*frontend), GFP_KERNEL);
	if (!frontend)
		return -ENOMEM;
	strscpy(frontend->name, "fe0", sizeof(frontend->name));
	mutex_init(&frontend->lock);
	init_completion(&frontend->idle);
	refcount_set(&frontend->users, 1);
	run_thread(scand, frontend, -1, "scand");
	run_thread(tuner, frontend, -1, "tuner");
	return run_thread(demuxd, frontend, -1, "demuxd");
}
module_init(fe_init);
