// SPDX-License-Identifier: GPL-2.0-only
/*
 * A context gets its number, by which others find it, before it has its address space.
 *
 * pattern: handle published before the object is complete (drm/xe "move xa_alloc to prevent UAF", i915, msm, vgem)
 * finding: ctx_submit() of "render" finds ctx->vm NULL; ctx_create() of "compositor" has published it and still
 *	makes the address space
 * never: the xarray
 * must: shown: ctx_submit\(\) of module ctx_publish read 8 bytes at a NULL pointer
 * shows: compositor-[0-9]+ slept in vm_create\(\) of this module, with [0-9a-f]{16} too
 * guest: insmod /test/ctx-publish.ko
 */
#include <linux/xarray.h>
#include "crash.h"

struct gpu_vm {
	u64 base;
	u64 size;
	u64 *pgd;
	u32 asid;
};

struct gpu_ctx {
	u32 id;
	u32 prio;
	u64 jobs;
	struct gpu_vm *vm;
	char owner[16];
};

static DEFINE_XARRAY_ALLOC(contexts);

static noinline struct gpu_vm *vm_create(u64 size)
{
	struct gpu_vm *vm = kzalloc(sizeof(*vm), GFP_KERNEL);

	if (!vm)
		return NULL;
	vm->size = size;
	vm->pgd = (u64 *)get_zeroed_page(GFP_KERNEL);
	msleep(100);
	vm->asid = 7;
	return vm;
}

static noinline int ctx_create(const char *owner)
{
	struct gpu_ctx *ctx = kzalloc(sizeof(*ctx), GFP_KERNEL);
	int err;

	if (!ctx)
		return -ENOMEM;
	strscpy(ctx->owner, owner, sizeof(ctx->owner));
	err = xa_alloc(&contexts, &ctx->id, ctx, xa_limit_32b, GFP_KERNEL);
	if (err)
		goto free;
	ctx->vm = vm_create(1 << 20);
	if (ctx->vm)
		return 0;
	xa_erase(&contexts, ctx->id);
	err = -ENOMEM;
free:
	kfree(ctx);
	return err;
}

static noinline void ctx_submit(struct gpu_ctx *ctx, u64 addr)
{
	struct gpu_vm *vm = ctx->vm;

	vm->pgd[(addr - vm->base) % 512] = addr | 1;
	ctx->jobs++;
}

static int render(void *unused)
{
	struct gpu_ctx *ctx;
	unsigned long id;
	u64 addr = 0;

	for (;;) {
		xa_for_each(&contexts, id, ctx)
			ctx_submit(ctx, addr += 4096);
		msleep(20);
	}
	return 0;
}

static int compositor(void *unused)
{
	msleep(500);
	return ctx_create("compositor");
}

static int __init ctx_init(void)
{
	int err = ctx_create("desktop");

	if (err)
		return err;
	run_thread(render, NULL, 0, "render");
	return run_thread(compositor, NULL, 1, "compositor");
}
module_init(ctx_init);
