// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adding an attribute fails; the inner error path puts the object, and the caller's puts it once more.
 *
 * pattern: a callee that consumes the reference on error, and a caller that does not know
 * upstream: the class of kobject_init_and_add() error paths (CVE-2021-47391 like, bcache, dmi-sysfs, qcom; "fix double put in error path")
 * finding: a reference count of a kobject fell below zero: group_create() put it on its error path, after group_publish() had put it there already and so released it; loader is in it
 * never: kobject code or refcount_warn_saturate() as the culprit; list corruption; a race of two tasks
 * must: ^shown: .*counter is wrong, as group_create\(\)
 * not: list
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/kobject-put-on-error.ko
 */
#include <linux/kobject.h>
#include "crash.h"

struct group {
	struct kobject kobj;
	u64 members[9];
};

static void group_release(struct kobject *kobj)
{
	struct group *g = container_of(kobj, struct group, kobj);

	g->members[0] = 0;	/* the memory goes to a pool, and not to kfree() */
}

static const struct kobj_type group_type = { .release = group_release };

static noinline int group_publish(struct group *g, const char *name)
{
	int err = kobject_init_and_add(&g->kobj, &group_type, kernel_kobj, "%s", name);

	if (!err)
		err = -EEXIST;		/* the attribute */
	if (err)
		kobject_put(&g->kobj);
	return err;
}

static noinline int group_create(const char *name)
{
	struct group *g = kzalloc(sizeof(*g), GFP_KERNEL);
	int err;

	if (!g)
		return -ENOMEM;
	err = group_publish(g, name);
	if (err)
		kobject_put(&g->kobj);
	return err;
}

static int loader(void *unused)
{
	msleep(800);
	group_create("group7");
	return 0;
}

static int __init group_init(void)
{
	return run_thread(loader, NULL, -1, "loader");
}
module_init(group_init);
