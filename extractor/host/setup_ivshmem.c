// SPDX-License-Identifier: GPL-2.0-or-later
/* ivshmem devices of this virtual machine. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "setup_device.h"

#define DEVICES	"/sys/bus/pci/devices"
#define ID	"0x1af4 0x1110"
#define BAR	2

static bool has_id(const char *root, const char *name)
{
	char path[512], vendor[16], device[16], both[40];

	snprintf(path, sizeof(path), DEVICES "/%s/vendor", name);
	if (machine_read(root, path, vendor, sizeof(vendor)) <= 0)
		return false;
	snprintf(path, sizeof(path), DEVICES "/%s/device", name);
	if (machine_read(root, path, device, sizeof(device)) <= 0)
		return false;
	snprintf(both, sizeof(both), "%s %s", vendor, device);
	return !strcmp(both, ID);
}

/* A line for each BAR: its first address, its last one, flags. */
static u64 bar_size(const char *root, const char *name)
{
	char path[512], text[1024];
	unsigned long long start, end;
	const char *line = text;
	unsigned int i;

	snprintf(path, sizeof(path), DEVICES "/%s/resource", name);
	if (machine_read(root, path, text, sizeof(text)) <= 0)
		return 0;
	for (i = 0; i < BAR && line; i++) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (!line || sscanf(line, "%llx %llx", &start, &end) != 2 || end <= start)
		return 0;
	return end - start + 1;
}

/* The driver's name; "" without one. */
static void driver_of(const char *root, const char *name, char driver[64])
{
	char path[512], whole[4096], link[512];
	ssize_t n;

	snprintf(path, sizeof(path), DEVICES "/%s/driver", name);
	machine_path(root, whole, sizeof(whole), path);
	n = readlink(whole, link, sizeof(link) - 1);
	link[n < 0 ? 0 : n] = 0;
	snprintf(driver, 64, "%.63s", strrchr(link, '/') ? strrchr(link, '/') + 1 : link);
}

static bool look_at_memory(const char *root, const char *name, u64 size, struct device_content *content)
{
	char path[512];
	u8 *memory;
	u64 off;
	int fd;

	snprintf(path, sizeof(path), DEVICES "/%s/resource%d", name, BAR);
	fd = machine_open(root, path);
	if (fd < 0)
		return false;
	memory = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (memory == MAP_FAILED)
		return false;
	for (off = 0; off < size && !content->has_region; off += DEVICE_PAGE)
		device_look_at_page(content, memory + off);
	munmap(memory, size);
	return true;
}

static void offer_ivshmem(struct device_search *d, const char *name, u64 size, bool has_region)
{
	struct device_offer offer = { .kind = "an ivshmem device", .size = size, .has_region = has_region };

	snprintf(offer.name, sizeof(offer.name), "%.31s", name);
	snprintf(offer.words, sizeof(offer.words), "epitaph.device=%.31s", name);
	device_take_offer(d, &offer);
}

static bool look_at_ivshmem(const char *name, void *arg)
{
	struct device_search *d = arg;
	struct device_content content = { 0 };
	const char *root = d->s->root;
	char driver[64];
	u64 size;

	if (!has_id(root, name))
		return false;
	size = bar_size(root, name);
	driver_of(root, name, driver);
	if (size < DEVICE_LEAST)
		setup_reason(d->s, "not the ivshmem device %s: it has %lluK, and a region needs 1M", name,
			     size >> 10);
	else if (*driver && strcmp(driver, "epitaph"))
		setup_reason(d->s, "not the ivshmem device %s: the driver %s uses it", name, driver);
	else if (!*driver && (!look_at_memory(root, name, size, &content) || !device_is_free(&content)))
		setup_reason(d->s, "not the ivshmem device %s: it has data that is not of the recorder, or cannot be looked at",
			     name);
	else
		offer_ivshmem(d, name, size, *driver || content.has_region);
	return false;
}

void device_find_ivshmem(struct device_search *d)
{
	machine_each(d->s->root, DEVICES, look_at_ivshmem, d);
}
