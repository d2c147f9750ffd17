// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * nvdimms and virtio-pmem devices of this virtual machine.  The recorder has them by memmap=, which
 * reserves their addresses before a driver of the kernel's takes them.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "nvdimm.h"
#include "setup_device.h"

#define MOST		(1ULL << 30)	/* a larger one was not made for a recorder */
#define NFIT		"ACPI.NFIT"
#define VIRTIO		"virtio-pmem"
#define VIRTIO_DEVICES	"/sys/bus/virtio/devices"
#define VIRTIO_ID	"0x001b"

static const char *kind_of(const struct nvdimm *nvdimm)
{
	return !strcmp(nvdimm->provider, NFIT) ? "nvdimm" :
	       !strcmp(nvdimm->provider, VIRTIO) ? "virtio-pmem device" : "memory device";
}

/* By its disk, to the end: false if it cannot be read. */
static bool look_at_disk(const char *root, const struct nvdimm *nvdimm, struct device_content *content)
{
	u8 page[DEVICE_PAGE];
	char path[64];
	u64 off;
	int fd;

	snprintf(path, sizeof(path), "/dev/%s", nvdimm->disk);
	fd = machine_open(root, path);
	if (fd < 0)
		return false;
	for (off = 0; off + DEVICE_PAGE <= nvdimm->size && !content->has_region; off += DEVICE_PAGE) {
		if (pread(fd, page, DEVICE_PAGE, off) != DEVICE_PAGE)
			break;
		device_look_at_page(content, page);
	}
	close(fd);
	return content->has_region || off + DEVICE_PAGE > nvdimm->size;
}

static void put_memmap(char *buf, size_t size, const struct nvdimm *nvdimm)
{
	u64 kib = nvdimm->size / DEVICE_PAGE * (DEVICE_PAGE >> 10);

	snprintf(buf, size, "memmap=%llu%c!0x%llx", kib % 1024 ? kib : kib / 1024, kib % 1024 ? 'K' : 'M',
		 nvdimm->addr);
}

static void offer_nvdimm(struct device_search *d, const struct nvdimm *nvdimm, bool has_region)
{
	struct device_offer offer = { .addr = nvdimm->addr, .has_region = has_region };

	offer.size = nvdimm->size / DEVICE_PAGE * DEVICE_PAGE;
	snprintf(offer.name, sizeof(offer.name), "%s", nvdimm->name);
	snprintf(offer.kind, sizeof(offer.kind), "%s %s", !strcmp(nvdimm->provider, NFIT) ? "an" : "a",
		 kind_of(nvdimm));
	put_memmap(offer.words, sizeof(offer.words), nvdimm);
	device_take_offer(d, &offer);
}

static void look_at_nvdimm(const struct nvdimm *nvdimm, void *arg)
{
	const char *kind = kind_of(nvdimm), *name = nvdimm->name;
	struct device_content content = { 0 };
	struct device_search *d = arg;
	struct setup *s = d->s;
	char memmap[64];

	put_memmap(memmap, sizeof(memmap), nvdimm);
	if (!nvdimm->addr)
		setup_reason(s, "not the %s %s: only root sees its address", kind, name);
	else if (!machine_is_x86(s->root))
		setup_reason(s, "not the %s %s: the recorder has it by memmap=SIZE!ADDRESS, which is for x86; an ivshmem device does on each", kind, name);
	else if (nvdimm->addr % DEVICE_PAGE || nvdimm->size < DEVICE_LEAST)
		setup_reason(s, "not the %s %s: it has %lluK at 0x%llx, and a region needs 1M at a multiple of 4K",
			     kind, name, nvdimm->size >> 10, nvdimm->addr);
	else if (nvdimm->size > MOST)
		setup_reason(s, "not the %s %s: its %lluM are more than a recorder needs; memmap=16M!0x%llx takes the start, and no other has the rest then",
			     kind, name, nvdimm->size >> 20, nvdimm->addr);
	else if (!setup_is_virtual(s->root))
		setup_reason(s, "not the %s %s: this is no virtual machine whose host keeps it; %s on the kernel command line takes it all the same",
			     kind, name, memmap);
	else if (*nvdimm->holder)
		setup_reason(s, "not the %s %s: %s is made of it", kind, name, nvdimm->holder);
	else if (!*nvdimm->disk)
		setup_reason(s, "not the %s %s: no driver shows what it holds; modprobe nd_pmem, and run this again",
			     kind, name);
	else if (!look_at_disk(s->root, nvdimm, &content))
		setup_reason(s, "not the %s %s: /dev/%s cannot be read to its end", kind, name, nvdimm->disk);
	else if (!device_is_free(&content))
		setup_reason(s, "not the %s %s: it has data that is not of the recorder; if none uses it, empty it: dd if=/dev/zero of=/dev/%s",
			     kind, name, nvdimm->disk);
	else
		offer_nvdimm(d, nvdimm, content.has_region);
}

/* What there is without its driver has no address yet. */
static void say_driver_is_missing(struct setup *s, const char *device, const char *modules)
{
	setup_reason(s, "%s is there without its driver: modprobe %s, and run this again; without such a module, memmap=SIZE!ADDRESS with what info memory-devices of QEMU says",
		     device, modules);
}

static bool say_virtio_without_driver(const char *name, void *arg)
{
	char path[512], id[16], device[64];
	struct setup *s = arg;

	snprintf(path, sizeof(path), VIRTIO_DEVICES "/%.63s/device", name);
	machine_read(s->root, path, id, sizeof(id));
	snprintf(path, sizeof(path), VIRTIO_DEVICES "/%.63s/driver", name);
	if (!strcmp(id, VIRTIO_ID) && !machine_exists(s->root, path)) {
		snprintf(device, sizeof(device), "a virtio-pmem device (%.31s)", name);
		say_driver_is_missing(s, device, "virtio_pmem nd_pmem");
	}
	return false;
}

void device_find_pmem(struct device_search *d)
{
	struct setup *s = d->s;

	nvdimm_each(s->root, look_at_nvdimm, d);
	if (machine_exists(s->root, "/sys/bus/acpi/devices/ACPI0012:00") && !nvdimm_has_bus(s->root, NFIT))
		say_driver_is_missing(s, "an nvdimm (ACPI0012)", "nfit nd_pmem");
	machine_each(s->root, VIRTIO_DEVICES, say_virtio_without_driver, s);
}
