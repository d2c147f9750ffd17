// SPDX-License-Identifier: GPL-2.0-or-later
#include "firmware_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_files.h"

#define DIR	"/sys/firmware/memmap"

/* @at: as far as memory is known to reach, up to @end */
struct reach {
	const char *root;
	u64 at;
	u64 end;
	bool any;
};

static bool read_firmware_entry(const char *root, const char *name, const char *file, char *buf,
				size_t size)
{
	char path[512];

	snprintf(path, sizeof(path), DIR "/%s/%s", name, file);
	return machine_read(root, path, buf, size) > 0;
}

/* An entry of the map. */
struct firmware_range {
	u64 first;
	u64 last;
	bool is_memory;
	bool is_ram;
};

static bool is_memory(const char *type)
{
	return !strcmp(type, "System RAM") || !strncmp(type, "Persistent", 10) ||
	       !strcmp(type, "Soft Reserved");
}

static bool read_firmware_range(const char *root, const char *name, struct firmware_range *range)
{
	char start[32], end[32], type[48];

	if (!read_firmware_entry(root, name, "start", start, sizeof(start)) ||
	    !read_firmware_entry(root, name, "end", end, sizeof(end)) ||
	    !read_firmware_entry(root, name, "type", type, sizeof(type)))
		return false;
	range->first = strtoull(start, NULL, 0);
	range->last = strtoull(end, NULL, 0);
	range->is_memory = is_memory(type);
	range->is_ram = !strcmp(type, "System RAM");
	return true;
}

static bool extend_reach(const char *name, void *arg)
{
	struct firmware_range range;
	struct reach *r = arg;

	if (!read_firmware_range(r->root, name, &range))
		return false;
	r->any = true;
	if (!range.is_memory || range.first > r->at || range.last < r->at)
		return false;
	r->at = range.last < r->end ? range.last + 1 : r->end;
	return true;
}

/* The entries come in no order: each that reaches further lets another one do so. */
u64 firmware_memory(const char *root, u64 start, u64 size)
{
	struct reach r = { .root = root, .at = start, .end = start + size };

	while (r.at < r.end && machine_each(root, DIR, extend_reach, &r))
		;
	return r.any ? r.at - start : size;
}

struct highest {
	const char *root;
	u64 end;
};

/* False: machine_each() goes on. */
static bool raise_highest(const char *name, void *arg)
{
	struct firmware_range range;
	struct highest *h = arg;

	if (read_firmware_range(h->root, name, &range) && range.is_ram && range.last >= h->end)
		h->end = range.last + 1;
	return false;
}

u64 firmware_memory_end(const char *root)
{
	struct highest h = { .root = root };

	machine_each(root, DIR, raise_highest, &h);
	return h.end;
}
