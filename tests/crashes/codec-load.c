// SPDX-License-Identifier: GPL-2.0-only
/*
 * A codec's module is requested with the mutex of the table of codecs held.  The program that loads it sets the codec's
 * default rate first, by a file whose handler takes that mutex.
 *
 * pattern: request_module() under a lock that the program, or the module that it loads, takes
 * upstream: the class of request_module() under rtnl_lock(), register_mutex or the policy's lock (net/sched act and cls, sound, crypto)
 * finding: a deadlock of two over user space: codec-open holds codec_lock in codec_get() and waits in __request_module() for the program that the kernel started; that program's task, sh or modprobe, waits in codec_rate() for codec_lock
 * never: codec-stat, which only waits for codec_lock; that the program hangs by itself; a file system or a disk
 * must: ^likely: A deadlock by way of user space: codec-open-[0-9]+, in codec_get\(\) .*codec_rate\(\)
 * not: codec-stat-[0-9]+ holds|does not end|disk
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: printf '#!/bin/sh\necho 48000 >/proc/codec-rate\n' >/tmp/load
 * guest: chmod +x /tmp/load
 * guest: echo /tmp/load >/proc/sys/kernel/modprobe
 * guest: insmod /test/codec-load.ko
 */
#include <linux/kmod.h>
#include "crash.h"

struct codec {
	char name[16];
	u32 rate, users;
};

static DEFINE_MUTEX(codec_lock);
static struct codec codecs[4] = { { "pcm", 8000 }, { "alaw", 8000 } };

static struct codec *codec_find(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(codecs); i++)
		if (!strcmp(codecs[i].name, name))
			return &codecs[i];
	return NULL;
}

static noinline int codec_get(const char *name)
{
	struct codec *codec;

	mutex_lock(&codec_lock);
	codec = codec_find(name);
	if (!codec) {
		request_module("codec-%s", name);
		codec = codec_find(name);
	}
	if (codec)
		codec->users++;
	mutex_unlock(&codec_lock);
	return codec ? 0 : -ENOENT;
}

static noinline int codec_rate(unsigned int rate)
{
	mutex_lock(&codec_lock);
	codecs[3].rate = rate;
	mutex_unlock(&codec_lock);
	return 0;
}

PROC_NUMBER(rate, codec_rate);

static int codec_open(void *unused)
{
	codec_get("alaw");
	msleep(800);
	pr_info("codec: opus: %d\n", codec_get("opus"));
	return 0;
}

static int codec_stat(void *unused)
{
	u32 users = 0;

	for (;;) {
		mutex_lock(&codec_lock);
		users += codecs[1].users;
		mutex_unlock(&codec_lock);
		msleep(200);
	}
	return users;
}

static int __init codec_init(void)
{
	if (!proc_create("codec-rate", 0200, NULL, &rate_pops))
		return -ENOMEM;
	run_thread(codec_stat, NULL, -1, "codec-stat");
	return run_thread(codec_open, NULL, -1, "codec-open");
}
module_init(codec_init);
