// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A key of 16 bytes is wiped with the size of the largest key, 32; what lies behind it is the head of a list.
 *
 * pattern: memset() with the wrong size over the fields behind a buffer
 * upstream: the class of memzero_explicit() with the wrong sizeof (crypto drivers, wireless keys)
 * finding: cry_submit() of cry-user adds to ctx->reqs, whose head is NULL: cry_wipe() of cry-rekey cleared 32 bytes from ctx->key (16 bytes) on, and so the head of the list behind it
 * never: cry-user or cry_submit() as guilty; a list that was never set up; freed memory; a request that was freed
 * must: cry_wipe\(\)|cry-rekey
 * not: cry_submit\(\) (did not|never) set|was freed by
 * guest: insmod /test/cry-wipe.ko
 */
#include "crash.h"

#define MAX_KEY 32

struct cry_ctx {
	u32 id, mode;
	spinlock_t lock;
	u8 key[16];
	struct list_head reqs;
	u64 done;
};

struct cry_req {
	struct list_head node;
	u32 len, flags;
};

static struct cry_ctx *ctx;

static noinline void cry_wipe(struct cry_ctx *c)
{
	memset(UNKNOWN(&c->key[0]), 0, MAX_KEY);
}

static noinline void cry_set_key(struct cry_ctx *c, u8 first)
{
	int i;

	for (i = 0; i < 16; i++)
		c->key[i] = first + i;
}

static noinline void cry_submit(struct cry_ctx *c, struct cry_req *req)
{
	spin_lock(&c->lock);
	list_add_tail(&req->node, &c->reqs);
	spin_unlock(&c->lock);
}

static noinline void cry_complete(struct cry_ctx *c, struct cry_req *req)
{
	spin_lock(&c->lock);
	list_del(&req->node);
	c->done++;
	spin_unlock(&c->lock);
}

static int cry_user(void *data)
{
	for (;;) {
		struct cry_req *req = kzalloc(sizeof(*req), GFP_KERNEL);

		if (!req)
			return -ENOMEM;
		req->len = 512;
		cry_submit(data, req);
		usleep_range(200, 300);
		cry_complete(data, req);
		kfree(req);
		msleep(45);
	}
	return 0;
}

static int cry_rekey(void *data)
{
	struct cry_ctx *c = data;

	msleep(900);
	spin_lock(&c->lock);
	cry_wipe(c);
	cry_set_key(c, 7);
	spin_unlock(&c->lock);
	for (;;)
		msleep(500);
	return 0;
}

static int __init cry_init(void)
{
	ctx = kzalloc(sizeof(*ctx), GFP_KERNEL);
	if (!ctx)
		return -ENOMEM;
	spin_lock_init(&ctx->lock);
	INIT_LIST_HEAD(&ctx->reqs);
	cry_set_key(ctx, 1);
	run_thread(cry_user, ctx, 0, "cry-user");
	return run_thread(cry_rekey, ctx, 1, "cry-rekey");
}
module_init(cry_init);
