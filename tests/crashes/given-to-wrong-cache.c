// SPDX-License-Identifier: GPL-2.0-only
/*
 * An object of one cache is given back to another: the reply's path frees a request.
 *
 * pattern: kmem_cache_free() with the wrong cache
 * upstream: the class of "Wrong slab cache. ... but object is from ..." (crypto/qat, f2fs, nfsd slots; mm/slab.h cache_from_obj())
 * finding: msg_done() of the thread msg-done gave an object of cache msg_request to cache msg_reply; guilty is the free in msg_done()
 * never: cache_from_obj() or slab code as the culprit; a damaged object; a double free
 * must: ^shown: .*called by msg_done\(\) .*Wrong slab cache
 * not: freed
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/given-to-wrong-cache.ko
 */
#include "crash.h"

static struct kmem_cache *requests, *replies;

static void made(void *object)
{
	*(u64 *)object = 0;
}

static noinline void msg_done(void *object)
{
	kmem_cache_free(replies, object);
}

static int msg_done_thread(void *unused)
{
	int i;

	for (i = 0; i < 12; i++) {
		void *reply = kmem_cache_alloc(replies, GFP_KERNEL);

		msleep(60);
		msg_done(reply);
	}
	msg_done(kmem_cache_alloc(requests, GFP_KERNEL));
	return 0;
}

static int __init msg_init(void)
{
	requests = kmem_cache_create("msg_request", 200, 0, 0, made);
	replies = kmem_cache_create("msg_reply", 320, 0, 0, made);
	if (!requests || !replies)
		return -ENOMEM;
	return run_thread(msg_done_thread, NULL, -1, "msg-done");
}
module_init(msg_init);
