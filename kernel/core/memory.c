// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory that outlives this kernel: found, checked, mapped, claimed.
 *
 * memmap=N!A is at the same place in the next boot, and so is a node of the
 * device tree.  What is no RAM of the kernel's is registered as busy "System RAM
 * (epitaph)": every dump tool takes what is called System RAM into the vmcore.
 * It is marked as a driver's, too: kexec_file_load(2) would put the next kernel
 * into any other System RAM.  What reserve_mem= and pages= give is System RAM
 * already, and so is a node without no-map.
 */
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include "arch/arch.h"
#include "crash/cmdline.h"
#include "crash/device_tree.h"
#include "start/start.h"
#include "bytes.h"
#include "compat.h"
#include "mapping.h"
#include "memory.h"
#include "shared_device.h"

#define NAME		"System RAM (epitaph)"
/* kexec-tools of arm64 takes lines of this name alone; what is in "reserved", it gives to no kernel. */
#define TREE_NAME	"System RAM"
#define RESERVE_NAME	"epitaph"
#define MAX_PAGES	((u64)PAGE_SIZE << MAX_PAGE_ORDER)

static char *addr;
module_param(addr, charp, 0444);
MODULE_PARM_DESC(addr, "physical address of the region (default: epitaph.addr= or memmap=SIZE!ADDR of the kernel command line)");

static char *size;
module_param(size, charp, 0444);
MODULE_PARM_DESC(size, "bytes of the region, with K, M or G");

static char *reserve;
module_param(reserve, charp, 0444);
MODULE_PARM_DESC(reserve, "name of a reserve_mem= of the kernel command line (kernels from 6.12), or of a node of the device tree's reserved-memory (default: epitaph, if there is no memmap=SIZE!ADDR)");

static char *device;
module_param(device, charp, 0444);
MODULE_PARM_DESC(device, "ivshmem device of a virtual machine, whose memory the host keeps: its PCI address, or ivshmem for the only one (default: epitaph.device= of the kernel command line)");

static char *pages;
module_param(pages, charp, 0444);
MODULE_PARM_DESC(pages, "bytes of plain memory to record into, for trying it out: kept by kdump, lost at a reset");

static int parse_memory_size(const char *what, const char *text, u64 *ret)
{
	if (!epitaph_bytes_only(text, ret))
		return 0;
	pr_err("%s=%s is not a number below 2^64, such as 16M or 0x20000000\n", what, text);
	return -EINVAL;
}

/* Sizes of real regions are whole MiB. */
const char *epitaph_memory_advice(u64 at, u64 bytes)
{
	static char text[64];
	bool is_whole = IS_ALIGNED(bytes, SZ_1M);
	u64 n = bytes >> (is_whole ? 20 : 10);
	char unit = is_whole ? 'M' : 'K';

	if (!EPITAPH_ARCH_HAS_MEMMAP && !EPITAPH_HAS_RESERVE_MEM)
		return "a kernel from 6.12 on and reserve_mem=16M:4096:" RESERVE_NAME;
	if (!EPITAPH_ARCH_HAS_MEMMAP)
		snprintf(text, sizeof(text), "reserve_mem=%llu%c:4096:" RESERVE_NAME, n, unit);
	else if (at)
		snprintf(text, sizeof(text), "memmap=%llu%c!%#llx", n, unit, at);
	else
		snprintf(text, sizeof(text), "memmap=%llu%c!ADDRESS", n, unit);
	return text;
}

static int check_numbers(u64 at, u64 bytes)
{
	if (bytes && IS_ALIGNED(at, EPITAPH_PAGE) && IS_ALIGNED(bytes, EPITAPH_PAGE) &&
	    at + bytes > at && at + bytes - 1 <= PHYS_ADDR_MAX)
		return 0;
	pr_err("region of %llu bytes at %#llx: both must be multiples of 4096\n", bytes, at);
	return -EINVAL;
}

static int add_bytes(struct resource *res, void *sum)
{
	*(u64 *)sum += resource_size(res);
	return 0;
}

/* All of it: region_intersects() takes no notice of a part for which there is no resource. */
static bool lies_within(u64 at, u64 bytes, unsigned long desc, unsigned long flags)
{
	u64 sum = 0;

	walk_iomem_res_desc(desc, flags, at, at + bytes - 1, &sum, add_bytes);
	return sum == bytes;
}

/*
 * The kernel's own command line must reserve the range.  Firmware reserves ranges as well, and
 * runs its code there: who may load modules could write over that by addr=, under lockdown too.
 * (modprobe hands epitaph.addr= of the command line over as addr=, so hw parameters, which
 * lockdown refuses, would refuse that as well.)
 */
static int check_reserved(u64 at, u64 bytes)
{
	if (region_intersects(at, bytes, IORESOURCE_SYSTEM_RAM,
			      IORES_DESC_NONE) != REGION_DISJOINT) {
		pr_err("%#llx-%#llx overlaps memory that the kernel uses; boot with %s\n",
		       at, at + bytes - 1, epitaph_memory_advice(at, bytes));
		return -EBUSY;
	}
	if (!epitaph_cmdline_reserves(at, bytes)) {
		pr_err("%#llx-%#llx is not reserved by the kernel's command line; boot with %s\n",
		       at, at + bytes - 1, epitaph_memory_advice(at, bytes));
		return -ENODEV;
	}
	if (lies_within(at, bytes, IORES_DESC_PERSISTENT_MEMORY_LEGACY, IORESOURCE_MEM) ||
	    lies_within(at, bytes, IORES_DESC_RESERVED, IORESOURCE_MEM))
		return 0;
	/* What is no RAM becomes a resource with the PCI buses. */
	if (epitaph_is_early() && epitaph_arch_sets_aside(at, bytes))
		return 0;
	pr_err("%#llx-%#llx is not reserved; boot with %s\n",
	       at, at + bytes - 1, epitaph_memory_advice(at, bytes));
	return -ENODEV;
}

static int map(struct epitaph_extent *mem, u64 at, u64 bytes, bool is_ram, enum epitaph_memory kind)
{
	switch (epitaph_mapping_of(epitaph_arch_is_confidential(), is_ram,
				   EPITAPH_CAN_MAP_ENCRYPTED)) {
	case EPITAPH_MAP_AS_USUAL:
		mem->base = memremap(at, bytes, MEMREMAP_WB);
		break;
	case EPITAPH_MAP_ENCRYPTED:
		mem->base = epitaph_map_encrypted(at, bytes);
		break;
	case EPITAPH_MAP_REFUSED:
		pr_err("%#llx-%#llx would be mapped shared with the host of this confidential VM, which could read what is recorded; use reserve_mem= or pages=\n",
		       at, at + bytes - 1);
		return -EOPNOTSUPP;
	}
	if (!mem->base) {
		pr_err("%#llx-%#llx: the kernel has no room to map this region; give a smaller size=\n", at, at + bytes - 1);
		return -ENOMEM;
	}
	mem->size = bytes;
	mem->phys = at;
	mem->kind = kind;
	return 0;
}

/* Mapped before it is registered: afterwards memremap() takes it for RAM. */
static int map_and_register(struct epitaph_extent *mem, u64 at, u64 bytes, enum epitaph_memory kind)
{
	int err = map(mem, at, bytes, false, kind);

	if (err)
		return err;
	mem->is_registered = __request_region(&iomem_resource, at, bytes,
					      kind == EPITAPH_MEMORY_DEVICE_TREE ? TREE_NAME : NAME,
					      IORESOURCE_SYSRAM | IORESOURCE_SYSRAM_DRIVER_MANAGED);
	if (mem->is_registered)
		return 0;
	pr_err("%#llx-%#llx is in use by another driver; see /proc/iomem (nd_pmem takes memmap=! regions if it loads first)\n",
	       at, at + bytes - 1);
	memunmap(mem->base);
	return -EBUSY;
}

static int open_memmap(struct epitaph_extent *mem, u64 at, u64 bytes)
{
	int err = check_numbers(at, bytes);

	err = err ?: check_reserved(at, bytes);
	return err ?: map_and_register(mem, at, bytes, EPITAPH_MEMORY_MEMMAP);
}

/* RAM that the kernel has kept out of its allocator.  The pages of a hole are reserved too, and no RAM. */
static bool is_reserved_ram(u64 at, u64 bytes)
{
	unsigned long pfn;

	if (!PAGE_ALIGNED(at) || !PAGE_ALIGNED(bytes) ||
	    !lies_within(at, bytes, IORES_DESC_NONE, IORESOURCE_SYSTEM_RAM))
		return false;
	for (pfn = PHYS_PFN(at); pfn < PHYS_PFN(at + bytes); pfn++) {
		if (!pfn_valid(pfn) || !PageReserved(pfn_to_page(pfn)))
			return false;
		cond_resched();
	}
	return true;
}

/* A node with no-map is no RAM of the kernel's; memory must be there, for what is not cannot be read. */
static int map_device_tree(struct epitaph_extent *mem, u64 at, u64 bytes)
{
	if (is_reserved_ram(at, bytes))
		return map(mem, at, bytes, true, EPITAPH_MEMORY_DEVICE_TREE);
	if (region_intersects(at, bytes, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) != REGION_DISJOINT) {
		pr_err("the kernel uses memory of %#llx-%#llx, which the device tree reserves; its log says why (OF: fdt: Reserved memory)\n",
		       at, at + bytes - 1);
		return -EBUSY;
	}
	if (!epitaph_device_tree_has_memory(at, bytes)) {
		pr_err("no memory node of the device tree has %#llx-%#llx, which it reserves; without no-map, the kernel itself knows the memory\n",
		       at, at + bytes - 1);
		return -ENODEV;
	}
	return map_and_register(mem, at, bytes, EPITAPH_MEMORY_DEVICE_TREE);
}

/* Return: -ENOENT if the device tree has no such node, and nothing is said then. */
static int open_device_tree(struct epitaph_extent *mem, const char *name)
{
	u64 at, bytes;
	int err = epitaph_device_tree_reserved(name, &at, &bytes);

	err = err ?: check_numbers(at, bytes);
	return err ?: map_device_tree(mem, at, bytes);
}

/* Return: -ENOENT if the device tree has no node for us; what lies in it needs no other reservation. */
static int open_within_device_tree(struct epitaph_extent *mem, u64 at, u64 bytes)
{
	u64 node_at, node_bytes;
	int err = epitaph_device_tree_reserved(RESERVE_NAME, &node_at, &node_bytes);

	if (err)
		return err;
	if (at < node_at || at - node_at > node_bytes || bytes > node_bytes - (at - node_at)) {
		pr_err("%#llx-%#llx is not in what the device tree reserves for " RESERVE_NAME ": %#llx-%#llx\n",
		       at, at + bytes - 1, node_at, node_at + node_bytes - 1);
		return -ENODEV;
	}
	return map_device_tree(mem, at, bytes);
}

static int open_range(struct epitaph_extent *mem, u64 at, u64 bytes)
{
	int err = check_numbers(at, bytes);

	if (err)
		return err;
	err = EPITAPH_ARCH_HAS_MEMMAP ? -ENOENT : open_within_device_tree(mem, at, bytes);
	return err == -ENOENT ? open_memmap(mem, at, bytes) : err;
}

static int open_given(struct epitaph_extent *mem)
{
	u64 at, bytes;
	int err;

	if (!addr || !size) {
		pr_err("addr= and size= go together; only %s is given\n",
		       addr ? "addr=" : "size=");
		return -EINVAL;
	}
	err = parse_memory_size("addr", addr, &at);
	err = err ?: parse_memory_size("size", size, &bytes);
	return err ?: open_range(mem, at, bytes);
}

/* Return: -ENOENT if there is no such reservation, and nothing is said then. */
static int find_reserve_mem(const char *name, u64 *at, u64 *bytes)
{
	phys_addr_t start, length;

	if (!reserve_mem_find_by_name(name, &start, &length))
		return -ENOENT;
	*at = start;
	*bytes = round_down(length, EPITAPH_PAGE);
	return 0;
}

static int open_reserve_mem(struct epitaph_extent *mem, const char *name)
{
	u64 at, bytes;
	int err;

	err = find_reserve_mem(name, &at, &bytes);
	if (err)
		return err;
	err = check_numbers(at, bytes);
	err = err ?: map(mem, at, bytes, true, EPITAPH_MEMORY_RESERVE_MEM);
	if (!err)
		pr_notice("reserve_mem=%s is at %#llx in this boot; it may be elsewhere in the next one, which then finds nothing%s\n",
			  name, at, EPITAPH_ARCH_HAS_MEMMAP ? " (memmap=SIZE!ADDRESS stays)" : "");
	return err;
}

/* The command line goes before the device tree. */
static int open_named(struct epitaph_extent *mem, const char *name)
{
	int err = open_reserve_mem(mem, name);

	return err == -ENOENT ? open_device_tree(mem, name) : err;
}

static const char *device_tree_too(void)
{
	return of_have_populated_dt() ? ", and no such node in the device tree's reserved-memory" : "";
}

static int open_reserve(struct epitaph_extent *mem)
{
	const char *user = epitaph_cmdline_user_of(reserve);
	int err;

	if (user) {
		pr_err("reserve=%s: %s of the kernel command line uses that memory already; reserve_mem=16M:4096:" RESERVE_NAME " reserves some for the recorder\n",
		       reserve, user);
		return -EBUSY;
	}
	err = open_named(mem, reserve);
	if (err != -ENOENT)
		return err;
	if (EPITAPH_HAS_RESERVE_MEM)
		pr_err("no reserve_mem=SIZE:ALIGN:%s on the kernel command line%s\n", reserve,
		       device_tree_too());
	else
		pr_err("reserve=%s: this kernel has no reserve_mem=, it came with 6.12%s; boot with %s\n",
		       reserve, device_tree_too(), epitaph_memory_advice(0, SZ_16M));
	return -ENODEV;
}

/* The largest power of two that can be had now. */
static u64 largest_pages(u64 bytes)
{
	void *p = NULL;

	for (bytes = rounddown_pow_of_two(bytes - 1); bytes >= PAGE_SIZE; bytes /= 2) {
		p = alloc_pages_exact(bytes, GFP_KERNEL | __GFP_NOWARN);
		if (p)
			break;
	}
	if (!p)
		return 0;
	free_pages_exact(p, bytes);
	return bytes;
}

static int open_pages(struct epitaph_extent *mem)
{
	u64 bytes;
	int err = parse_memory_size("pages", pages, &bytes);

	err = err ?: check_numbers(0, bytes);
	if (err)
		return err;
	if (bytes > MAX_PAGES) {
		pr_err("pages=%s: at most %lluK in one piece; for more, boot with %s\n",
		       pages, MAX_PAGES >> 10, epitaph_memory_advice(0, bytes));
		return -ENOSPC;
	}
	mem->base = alloc_pages_exact(bytes, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	if (!mem->base) {
		pr_err("pages=%s: not that much in one piece now; %lluK could be had\n",
		       pages, largest_pages(bytes) >> 10);
		return -ENOMEM;
	}
	mem->size = bytes;
	mem->phys = virt_to_phys(mem->base);
	mem->kind = EPITAPH_MEMORY_PAGES;
	pr_notice("%llu KiB of plain memory: what is recorded is kept by kdump only, and lost at a reset\n",
		  bytes >> 10);
	return 0;
}

/* A device that is named; then memmap=, which stays where it is. */
static int open_by_cmdline(struct epitaph_extent *mem)
{
	char name[EPITAPH_CMDLINE_DEVICE];
	bool is_assumed;
	u64 at, bytes;
	int err;

	if (epitaph_cmdline_device(name))
		return epitaph_shared_device_open(mem, name);
	err = epitaph_cmdline_range(&at, &bytes, &is_assumed);
	if (!err) {
		err = open_range(mem, at, bytes);
		mem->is_assumed = is_assumed;
		return err;
	}
	if (err != -ENOENT)
		return err;
	err = open_named(mem, RESERVE_NAME);
	if (err != -ENOENT)
		return err;
	pr_err("no region: give addr= and size=, or boot with %s%s, or try it out with pages=4M\n",
	       epitaph_memory_advice(0, SZ_16M), EPITAPH_ARCH_HAS_MEMMAP && EPITAPH_HAS_RESERVE_MEM ?
	       " or reserve_mem=16M:4096:" RESERVE_NAME : "");
	return -ENODEV;
}

int epitaph_memory_open(struct epitaph_extent *mem)
{
	if ((addr || size) + !!reserve + !!pages + !!device > 1) {
		pr_err("addr= and size=, reserve=, pages=, device=: only one of these four\n");
		return -EINVAL;
	}
	if (device)
		return epitaph_shared_device_open(mem, device);
	if (addr || size)
		return open_given(mem);
	if (reserve)
		return open_reserve(mem);
	if (pages)
		return open_pages(mem);
	return open_by_cmdline(mem);
}

void epitaph_memory_close(struct epitaph_extent *mem)
{
	if (mem->is_registered)
		__release_region(&iomem_resource, mem->phys, mem->size);
	switch (mem->kind) {
	case EPITAPH_MEMORY_MEMMAP:
	case EPITAPH_MEMORY_RESERVE_MEM:
	case EPITAPH_MEMORY_DEVICE_TREE:
		memunmap(mem->base);
		break;
	case EPITAPH_MEMORY_DEVICE:
		epitaph_shared_device_close(mem);
		break;
	case EPITAPH_MEMORY_PAGES:
		/* Zeroed, so that no trace leaks to the next owner, nor into a later dump. */
		memset(mem->base, 0, mem->size);
		free_pages_exact(mem->base, mem->size);
		break;
	}
	memset(mem, 0, sizeof(*mem));
}
