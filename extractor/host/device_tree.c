// SPDX-License-Identifier: GPL-2.0-or-later
#include "device_tree.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "machine_files.h"

#define RESERVED	"/sys/firmware/devicetree/base/reserved-memory"
#define NAME		"epitaph"
#define CELLS		4	/* of address and size, at most */

static bool is_ours(const char *name)
{
	size_t len = strlen(NAME);

	return !strncmp(name, NAME, len) && (!name[len] || name[len] == '@');
}

/* Cells of 32 bits, big-endian.  Return: how many. */
static size_t read_cells(const char *root, const char *path, u32 cells[CELLS])
{
	int fd = machine_open(root, path);
	ssize_t n;
	size_t i;

	if (fd < 0)
		return 0;
	n = read(fd, cells, CELLS * sizeof(*cells));
	close(fd);
	for (i = 0; n > 0 && i < n / sizeof(*cells); i++)
		cells[i] = be32toh(cells[i]);
	return n < 0 ? 0 : n / sizeof(*cells);
}

static u32 cells_of(const char *root, const char *what)
{
	char path[128];
	u32 cells[CELLS];

	snprintf(path, sizeof(path), RESERVED "/#%s-cells", what);
	return read_cells(root, path, cells) == 1 ? cells[0] : 0;
}

/* Of one cell, or of two with the upper half first. */
static u64 number_of_cells(const u32 *cells, u32 nr)
{
	return nr == 2 ? (u64)cells[0] << 32 | cells[1] : cells[0];
}

static void read_range(const char *root, struct device_tree_memory *ret)
{
	u32 of_addr = cells_of(root, "address"), of_size = cells_of(root, "size");
	char path[256];
	u32 cells[CELLS];

	snprintf(path, sizeof(path), RESERVED "/%s/reg", ret->node);
	if (of_addr - 1 > 1 || of_size - 1 > 1 || read_cells(root, path, cells) < of_addr + of_size)
		return;
	ret->addr = number_of_cells(cells, of_addr);
	ret->size = number_of_cells(cells + of_addr, of_size);
}

static bool take_node(const char *name, void *arg)
{
	struct device_tree_memory *ret = arg;

	if (!is_ours(name) || strlen(name) >= sizeof(ret->node))
		return false;
	strcpy(ret->node, name);
	return true;
}

bool device_tree_memory(const char *root, struct device_tree_memory *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (!machine_each(root, RESERVED, take_node, ret))
		return false;
	read_range(root, ret);
	return true;
}
