// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvdimm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_files.h"

#define DEVICES	"/sys/bus/nd/devices"
#define E820	"e820"	/* the bus of memmap=SIZE!ADDRESS, which is no device */

struct nvdimm_walk {
	const char *root;
	void (*each)(const struct nvdimm *nvdimm, void *arg);
	void *arg;
};

static void read_nd_text(const char *root, const char *name, const char *file, char *buf, size_t size)
{
	char path[512];

	snprintf(path, sizeof(path), DEVICES "/%.63s/%s", name, file);
	machine_read(root, path, buf, size);
}

static u64 read_nd_number(const char *root, const char *name, const char *file)
{
	char text[32];

	read_nd_text(root, name, file, text, sizeof(text));
	return strtoull(text, NULL, 0);
}

static bool take_disk_name(const char *name, void *disk)
{
	snprintf(disk, sizeof(((struct nvdimm *)0)->disk), "%.31s", name);
	return true;
}

/* Through the link of the device: namespace0.0 lies in region0, and that in ndbus0. */
static bool look_at_namespace(const char *name, void *arg)
{
	struct nvdimm_walk *w = arg;
	struct nvdimm nvdimm = { 0 };
	char path[512];

	if (strncmp(name, "namespace", 9))
		return false;
	snprintf(nvdimm.name, sizeof(nvdimm.name), "%.31s", name);
	read_nd_text(w->root, name, "../../provider", nvdimm.provider, sizeof(nvdimm.provider));
	if (!strcmp(nvdimm.provider, E820))
		return false;
	read_nd_text(w->root, name, "holder", nvdimm.holder, sizeof(nvdimm.holder));
	nvdimm.addr = read_nd_number(w->root, name, "resource");
	nvdimm.size = read_nd_number(w->root, name, "size");
	snprintf(path, sizeof(path), DEVICES "/%.63s/block", name);
	machine_each(w->root, path, take_disk_name, nvdimm.disk);
	/* A namespace that nothing was made of is not there yet. */
	if (nvdimm.size)
		w->each(&nvdimm, w->arg);
	return false;
}

void nvdimm_each(const char *root, void (*each)(const struct nvdimm *nvdimm, void *arg), void *arg)
{
	struct nvdimm_walk w = { root, each, arg };

	machine_each(root, DEVICES, look_at_namespace, &w);
}

struct nvdimm_bus {
	const char *root;
	const char *provider;
};

static bool is_bus_of(const char *name, void *arg)
{
	const struct nvdimm_bus *bus = arg;
	char provider[32];

	if (strncmp(name, "ndbus", 5))
		return false;
	read_nd_text(bus->root, name, "provider", provider, sizeof(provider));
	return !strcmp(provider, bus->provider);
}

bool nvdimm_has_bus(const char *root, const char *provider)
{
	struct nvdimm_bus bus = { root, provider };

	return machine_each(root, DEVICES, is_bus_of, &bus);
}

struct nvdimm_range {
	const char *root;
	u64 start;
	u64 end;
};

static bool region_has_range(const char *name, void *arg)
{
	const struct nvdimm_range *range = arg;
	char provider[32];
	u64 addr, size;

	if (strncmp(name, "region", 6))
		return false;
	read_nd_text(range->root, name, "../provider", provider, sizeof(provider));
	addr = read_nd_number(range->root, name, "resource");
	size = read_nd_number(range->root, name, "size");
	return strcmp(provider, E820) && addr <= range->start && range->end - addr <= size;
}

bool nvdimm_has_memory(const char *root, u64 start, u64 size)
{
	struct nvdimm_range range = { root, start, start + size };

	return machine_each(root, DEVICES, region_has_range, &range);
}
