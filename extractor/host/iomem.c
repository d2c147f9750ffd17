// SPDX-License-Identifier: GPL-2.0-or-later
#include "iomem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_files.h"

#define PATH		"/proc/iomem"
#define TEXT_SIZE	(1U << 20)

/* "  01000000-01e02fc1 : Kernel code" */
static bool parse_iomem_line(struct iomem_range *range, const char *line, size_t len)
{
	char text[128];
	int at = 0;

	snprintf(text, sizeof(text), "%.*s", (int)len, line);
	range->depth = strspn(text, " ") / 2;
	if (sscanf(text, " %llx-%llx : %n", &range->start, &range->end, &at) != 2 || !at)
		return false;
	snprintf(range->name, sizeof(range->name), "%s", text + at);
	return range->end >= range->start;
}

static int read_iomem_text(struct iomem *map, const char *root, char *text, struct err *err)
{
	ssize_t n = machine_read(root, PATH, text, TEXT_SIZE);
	bool is_hidden = true;
	size_t len;

	if (n < 0) {
		errno = -n;
		return err_sys(err, PATH);
	}
	for (; *text && map->nr < IOMEM_MAX; text += len + !!text[len]) {
		len = strcspn(text, "\n");
		if (parse_iomem_line(&map->list[map->nr], text, len))
			is_hidden &= !map->list[map->nr++].end;
	}
	if (is_hidden)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       PATH " shows no addresses: only root sees them");
	return 0;
}

int iomem_read(struct iomem *map, const char *root, struct err *err)
{
	char *text = malloc(TEXT_SIZE);
	int ret;

	map->nr = 0;
	map->list = calloc(IOMEM_MAX, sizeof(*map->list));
	if (text && map->list)
		ret = read_iomem_text(map, root, text, err);
	else
		ret = err_set(err, ERR_IO, ERR_NO_OFF, "out of memory");
	free(text);
	if (ret)
		iomem_free(map);
	return ret;
}

void iomem_free(struct iomem *map)
{
	free(map->list);
	*map = (struct iomem){ 0 };
}

const struct iomem_range *iomem_find(const struct iomem *map, const char *name)
{
	size_t i;

	for (i = 0; i < map->nr; i++)
		if (!strcmp(map->list[i].name, name))
			return &map->list[i];
	return NULL;
}

bool iomem_is_ram(const struct iomem_range *range)
{
	return !range->depth && !strcmp(range->name, "System RAM");
}

/* Memory that memmap= reserves is RAM with another name. */
u64 iomem_ram(const struct iomem *map)
{
	u64 bytes = 0;
	size_t i;

	for (i = 0; i < map->nr; i++)
		if (iomem_is_ram(&map->list[i]) ||
		    (!map->list[i].depth && !strcmp(map->list[i].name, "Persistent Memory (legacy)")))
			bytes += map->list[i].end - map->list[i].start + 1;
	return bytes;
}
