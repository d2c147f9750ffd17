// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds the kobjects of directories below /sys/kernel/epitaph, as CONFIG_DEBUG_KOBJECT_RELEASE
 * does for seconds.
 */
#include <linux/kernfs.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#define MAX_HELD	8

static char *path[MAX_HELD];
static int nr_paths;
module_param_array(path, charp, &nr_paths, 0444);
MODULE_PARM_DESC(path, "directories to hold, below /sys/kernel, as epitaph,epitaph/channels");

static struct kobject *held[MAX_HELD];

/* The directory @name, one of its own, below @parent; that is given back. */
static struct kernfs_node *go_down(struct kernfs_node *parent, const char *name)
{
	struct kernfs_node *node = kernfs_find_and_get_ns(parent, name, NULL);

	kernfs_put(parent);
	return node;
}

static struct kobject *hold(char *rest)
{
	struct kernfs_node *node = kernel_kobj->sd;
	struct kobject *kobj = NULL;
	char *name;

	kernfs_get(node);
	while (node && (name = strsep(&rest, "/")))
		node = go_down(node, name);
	if (node)
		kobj = kobject_get(node->priv);
	kernfs_put(node);
	return kobj;
}

static void let_go(void)
{
	int i;

	for (i = 0; i < nr_paths; i++)
		kobject_put(held[i]);
}

static int __init holder_init(void)
{
	int i;

	for (i = 0; i < nr_paths; i++) {
		held[i] = hold(path[i]);
		if (!held[i]) {
			let_go();
			return -ENOENT;
		}
	}
	return 0;
}

static void __exit holder_exit(void)
{
	let_go();
}

module_init(holder_init);
module_exit(holder_exit);
MODULE_DESCRIPTION("Holds directories of sysfs, for tests");
MODULE_LICENSE("GPL");
