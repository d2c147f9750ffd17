// SPDX-License-Identifier: GPL-2.0-only
/*
 * An object that KFENCE guards is read after another function has freed it.
 *
 * pattern: a cached pointer is used after its session was closed
 * finding: freed-memory: the read of session_peek(), and that session_close() had freed the object
 * never: that session_close() read it; a wild pointer
 * kernels: 6.12
 * must: ^shown: session_peek\(\) of module kfence_freed read from memory that was free: session_close\(\) of module kfence_freed had freed it
 * not: wild-pointer
 * append: kfence.sample_interval=1
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/kfence-freed.ko
 */
#include <linux/kfence.h>
#include "crash.h"

#define TRIES	100000

static u8 *session;

static noinline void session_open(void)
{
	for (unsigned int i = 0; i < TRIES; i++) {
		session = kmalloc(96, GFP_KERNEL);
		if (!session || is_kfence_address(session))
			return;
		kfree(session);
		if (i % 64 == 0)
			usleep_range(100, 200);
	}
	session = NULL;
}

/* It has to be on the stack that KFENCE keeps: no last call. */
static noinline void session_close(void)
{
	kfree(session);
	barrier();
}

static noinline u8 session_peek(void)
{
	return READ_ONCE(session[24]);
}

static int run(void *unused)
{
	session_open();
	if (!session)
		return -ENOENT;
	session[24] = 1;
	session_close();
	msleep(100);
	return session_peek();
}

static int __init session_init(void)
{
	return run_thread(run, NULL, -1, "sessions");
}
module_init(session_init);
