// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that the device tree of this machine reserves for the recorder.
 *
 * The kernel may fail to reserve what a node asks for, and then it says so only in its log: where
 * the memory is comes from the kernel's own list, not from the node's reg (of_reserved_mem_lookup()).
 */
#include <linux/errno.h>
#include <linux/ioport.h>
#include <linux/of.h>
#include <linux/of_address.h>
#include <linux/of_reserved_mem.h>
#include <epitaph/format.h>
#include "device_tree.h"

static struct device_node *find_node(const char *name)
{
	struct device_node *all = of_find_node_by_path("/reserved-memory");
	struct device_node *node = of_get_child_by_name(all, name);

	of_node_put(all);
	return node;
}

/* The kernel gives memory of these nodes to a driver, or uses it itself until a driver comes. */
static int check_owner(struct device_node *node)
{
	const char *driver;

	if (!of_property_read_string(node, "compatible", &driver)) {
		pr_err("%pOF of the device tree is memory of a driver (compatible = \"%s\"); the recorder's node has no compatible\n",
		       node, driver);
		return -EBUSY;
	}
	if (of_property_read_bool(node, "reusable")) {
		pr_err("%pOF of the device tree is reusable: the kernel itself uses that memory; leave out this property\n",
		       node);
		return -EBUSY;
	}
	return 0;
}

static int find_reserved(struct device_node *node, u64 *at, u64 *bytes)
{
	struct reserved_mem *mem = of_reserved_mem_lookup(node);

	if (!mem || !mem->size) {
		pr_err("the kernel did not reserve the memory of %pOF; its log says why (OF: fdt: Reserved memory)\n",
		       node);
		return -ENODEV;
	}
	*at = mem->base;
	*bytes = round_down(mem->size, EPITAPH_PAGE);
	return 0;
}

int epitaph_device_tree_reserved(const char *name, u64 *at, u64 *bytes)
{
	struct device_node *node = find_node(name);
	int err;

	if (!node)
		return -ENOENT;
	err = check_owner(node) ?: find_reserved(node, at, bytes);
	of_node_put(node);
	return err;
}

static bool node_has(struct device_node *node, u64 at, u64 bytes)
{
	struct resource res;
	int i;

	for (i = 0; !of_address_to_resource(node, i, &res); i++)
		if (res.start <= at && at + bytes - 1 <= res.end)
			return true;
	return false;
}

bool epitaph_device_tree_has_memory(u64 at, u64 bytes)
{
	struct device_node *node;

	for_each_node_by_type(node, "memory") {
		if (node_has(node, at, bytes)) {
			of_node_put(node);
			return true;
		}
	}
	return false;
}
