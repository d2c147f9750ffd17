// SPDX-License-Identifier: GPL-2.0-or-later
/* Is the recorder there, and is its memory what it should be? */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "types.h"

#define IOMEM_SIZE	(1U << 20)

static void check_recorder(struct doctor *d)
{
	s64 number;

	if (doctor_number(d, "/sys/kernel/epitaph/current", &number))
		doctor_say(d, "recorder", DOCTOR_OK, NULL,
			   "the recorder is loaded and writes generation %lld",
			   (long long)number);
	else if (doctor_exists(d, "/sys/module/epitaph"))
		doctor_say(d, "recorder", DOCTOR_FAILURE,
			   "use the epitaph.ko that belongs to this tool",
			   "the module epitaph is loaded, and /sys/kernel/epitaph/current cannot be read");
	else
		doctor_say(d, "recorder", DOCTOR_FAILURE,
			   "modprobe epitaph, and look at dmesg for what it says",
			   "the recorder is not loaded");
}

/* Outlives a reset at the same place, moves, or does not outlive it at all. */
static void check_memory(struct doctor *d, const char *kind)
{
	if (!strcmp(kind, "memmap"))
		doctor_say(d, "memory", DOCTOR_OK, NULL,
			   "memmap= reserves the same place in every boot");
	else if (!strcmp(kind, "reserve_mem"))
		doctor_say(d, "memory", DOCTOR_WARNING,
			   "where crashkernel= and KASLR are used, memmap=SIZE!ADDRESS stays in place",
			   "reserve_mem= may give another place in the next boot, which then does not find this one's trace");
	else if (d->has_kdump)
		doctor_say(d, "memory", DOCTOR_WARNING,
			   "reserve memory with memmap=SIZE!ADDRESS for traces to outlive a reset",
			   "the region is ordinary memory (%s): only a vmcore will have it", kind);
	else
		doctor_say(d, "memory", DOCTOR_FAILURE,
			   "reserve memory with memmap=SIZE!ADDRESS, or load a capture kernel",
			   "the region is ordinary memory (%s) and no capture kernel is loaded: nothing will be left",
			   kind);
}

/* "0x20000000 16777216 memmap" */
static bool read_region(struct doctor *d, u64 *addr, char kind[16])
{
	unsigned long long at, size;
	char text[128];

	if (doctor_read(d, "/sys/kernel/epitaph/region", text, sizeof(text)) <= 0 ||
	    sscanf(text, "%llx %llu %15s", &at, &size, kind) != 3)
		return false;
	*addr = at;
	d->region_size = size;
	return true;
}

/* The line of /proc/iomem that names @name, as its first address; 0: none. */
static u64 iomem_addr(const char *iomem, const char *name)
{
	const char *at = strstr(iomem, name);

	if (!at)
		return 0;
	while (at > iomem && at[-1] != '\n')
		at--;
	return strtoull(at, NULL, 16);
}

static void check_listed(struct doctor *d, const char *iomem, u64 addr, const char *kind)
{
	static const char name[] = " : System RAM (epitaph)";

	/* The others are System RAM already, and in every dump. */
	if (strcmp(kind, "memmap"))
		return;
	if (iomem_addr(iomem, name) == addr)
		doctor_say(d, "dumps", DOCTOR_OK, NULL,
			   "the region is System RAM in /proc/iomem, so every vmcore will have it");
	else
		doctor_say(d, "dumps", DOCTOR_FAILURE, "load epitaph.ko again, before kdump",
			   "/proc/iomem does not have the region at 0x%llx as System RAM (epitaph)",
			   (unsigned long long)addr);
}

static void check_pmem(struct doctor *d, const char *iomem)
{
	u64 addr = iomem_addr(iomem, " : namespace");

	if (addr)
		doctor_say(d, "nd_pmem", DOCTOR_FAILURE,
			   "load epitaph.ko first (softdep nd_e820 pre: epitaph), and never put a file system there",
			   "the persistent-memory driver has the memory at 0x%llx",
			   (unsigned long long)addr);
}

/* Without a recorder: is there memory that it would take? */
static void check_reserved(struct doctor *d, const char *iomem)
{
	u64 addr = iomem_addr(iomem, " : Persistent Memory (legacy)");

	if (addr)
		doctor_say(d, "region", DOCTOR_FAILURE, "load epitaph.ko",
			   "memory is reserved at 0x%llx, and nobody records into it",
			   (unsigned long long)addr);
	else
		doctor_say(d, "region", DOCTOR_FAILURE,
			   "boot with memmap=16M!ADDRESS and load epitaph.ko",
			   "there is no region");
}

static void check_place(struct doctor *d)
{
	char *iomem = malloc(IOMEM_SIZE);
	char kind[16];
	u64 addr;

	if (!iomem || doctor_read(d, "/proc/iomem", iomem, IOMEM_SIZE) < 0) {
		doctor_say(d, "region", DOCTOR_FAILURE, "run this as root",
			   "/proc/iomem cannot be read");
	} else if (!read_region(d, &addr, kind)) {
		check_reserved(d, iomem);
		check_pmem(d, iomem);
	} else {
		doctor_say(d, "region", DOCTOR_OK, NULL, "%llu KiB at 0x%llx",
			   (unsigned long long)d->region_size >> 10, (unsigned long long)addr);
		check_listed(d, iomem, addr, kind);
		check_memory(d, kind);
	}
	free(iomem);
}

void doctor_check_region(struct doctor *d)
{
	check_recorder(d);
	check_place(d);
}
