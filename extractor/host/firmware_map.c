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

static bool is_memory(const char *type)
{
	return !strcmp(type, "System RAM") || !strncmp(type, "Persistent", 10) ||
	       !strcmp(type, "Soft Reserved");
}

static bool extend_reach(const char *name, void *arg)
{
	char start[32], end[32], type[48];
	struct reach *r = arg;
	u64 first, last;

	if (!read_firmware_entry(r->root, name, "start", start, sizeof(start)) ||
	    !read_firmware_entry(r->root, name, "end", end, sizeof(end)) ||
	    !read_firmware_entry(r->root, name, "type", type, sizeof(type)))
		return false;
	r->any = true;
	first = strtoull(start, NULL, 0);
	last = strtoull(end, NULL, 0);
	if (!is_memory(type) || first > r->at || last < r->at)
		return false;
	r->at = last < r->end ? last + 1 : r->end;
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
