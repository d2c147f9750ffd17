// SPDX-License-Identifier: GPL-2.0-only
/*
 * A builder of steering rules is taken for as many rules as the device says that it has; the first field is written before the
 * pointer is checked.
 *
 * pattern: ptr = kvzalloc(); ptr->field = value; if (!ptr) ...
 * upstream: drawn from Debian's changelog: "net/mlx5e: Fix NULL deref in mlx5e_tir_builder_alloc() (CVE-2024-50000)"
 * finding: rules_builder_alloc() wrote ->modify of NULL: kvzalloc() of 2 GB had failed, and the check comes behind the write
 * never: a pointer that was never set; freed memory; steer_apply(), which only asks for as many as the device said
 * must: ^shown: rules_builder_alloc\(\) .*which kvmalloc_node\(\) had returned
 * not: freed|had not set|steer_apply\(\) (gave|passed)
 * guest: insmod /test/steer-rules.ko
 */
#include "crash.h"

struct rule {
	u32 dst, flags;
	u8 match[56];
};

struct rules_builder {
	u32 n;
	u64 caps;
	bool modify;
	struct rule rule[];
};

static u32 applied;

static noinline struct rules_builder *rules_builder_alloc(u32 n, bool modify)
{
	struct rules_builder *b = kvzalloc(struct_size(b, rule, n), GFP_KERNEL);

	b->modify = modify;
	if (!b)
		return NULL;
	b->n = n;
	return b;
}

static noinline int steer_apply(u32 device_rules)
{
	struct rules_builder *b = rules_builder_alloc(device_rules, applied > 2);

	if (!b)
		return -ENOMEM;
	applied += b->n > 0;
	kvfree(b);
	return 0;
}

static int steer_thread(void *unused)
{
	u32 n;

	for (n = 64; ; n = n > 4096 ? 0x1ff0000 : n * 2) {
		steer_apply(n);
		msleep(100);
	}
	return 0;
}

static int __init steer_init(void)
{
	return run_thread(steer_thread, NULL, -1, "steer");
}
module_init(steer_init);
