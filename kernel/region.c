// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reserved memory: found, checked, mapped, claimed, laid out.
 *
 * The range comes from memmap=N!A on the kernel's command line, so that it is
 * at the same place in the next boot.  It is registered as busy "System RAM
 * (epitaph)": every dump tool takes what is called System RAM into the vmcore.
 */
#include <linux/crash_dump.h>
#include <linux/elf.h>
#include <linux/fs.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/utsname.h>
#include <epitaph/layout.h>
#include "cmdline.h"
#include "recorder.h"
#include "vmcoreinfo.h"

#define NAME	"System RAM (epitaph)"

static char *addr;
module_param(addr, charp, 0444);
MODULE_PARM_DESC(addr, "physical address of the region (default: epitaph.addr= or memmap=SIZE!ADDR of the kernel command line)");

static char *size;
module_param(size, charp, 0444);
MODULE_PARM_DESC(size, "bytes of the region, with K, M or G");

struct epitaph_region epitaph_region;
static struct epitaph_layout layout;

/* A number with K, M or G and nothing behind it. */
static int parse_size(const char *what, const char *text, u64 *ret)
{
	char *end;

	*ret = memparse(text, &end);
	if (end == text || *end) {
		pr_err("%s=%s is not a number of bytes\n", what, text);
		return -EINVAL;
	}
	return 0;
}

static int find_range(u64 *at, u64 *bytes)
{
	int err;

	if (!addr && !size)
		return epitaph_cmdline_range(at, bytes);
	if (!addr || !size) {
		pr_err("addr= and size= go together; only %s is given\n",
		       addr ? "addr=" : "size=");
		return -EINVAL;
	}
	err = parse_size("addr", addr, at);
	return err ?: parse_size("size", size, bytes);
}

static int check_numbers(u64 at, u64 bytes)
{
	u64 min = epitaph_layout_min(nr_cpu_ids);

	if (!IS_ALIGNED(at, EPITAPH_PAGE) || !IS_ALIGNED(bytes, EPITAPH_PAGE) ||
	    at + bytes < at) {
		pr_err("region of %llu bytes at %#llx: both must be multiples of 4096\n",
		       bytes, at);
		return -EINVAL;
	}
	if (bytes < min) {
		pr_err("region of %llu KiB is too small for %u CPUs: %llu KiB would do\n",
		       bytes >> 10, nr_cpu_ids, min >> 10);
		return -ENOSPC;
	}
	return 0;
}

static bool lies_within(u64 at, u64 bytes, unsigned long flags, unsigned long desc)
{
	return region_intersects(at, bytes, flags, desc) == REGION_INTERSECTS;
}

/* Memory that the kernel was told to leave alone, and that is memory. */
static int check_reserved(u64 at, u64 bytes)
{
	if (region_intersects(at, bytes, IORESOURCE_SYSTEM_RAM,
			      IORES_DESC_NONE) != REGION_DISJOINT) {
		pr_err("%#llx-%#llx overlaps memory that the kernel uses; reserve it with memmap=%lluK!%#llx\n",
		       at, at + bytes - 1, bytes >> 10, at);
		return -EBUSY;
	}
	if (lies_within(at, bytes, IORESOURCE_MEM, IORES_DESC_PERSISTENT_MEMORY_LEGACY) ||
	    lies_within(at, bytes, IORESOURCE_MEM, IORES_DESC_RESERVED))
		return 0;
	pr_err("%#llx-%#llx is not reserved; boot with memmap=%lluK!%#llx\n",
	       at, at + bytes - 1, bytes >> 10, at);
	return -ENODEV;
}

/* Mapped before it is registered: afterwards memremap() takes it for RAM. */
static int claim_range(u64 at, u64 bytes)
{
	void *base = memremap(at, bytes, MEMREMAP_WB);

	if (!base) {
		pr_err("%#llx-%#llx cannot be mapped\n", at, at + bytes - 1);
		return -ENOMEM;
	}
	if (!__request_region(&iomem_resource, at, bytes, NAME, IORESOURCE_SYSRAM)) {
		pr_err("%#llx-%#llx is in use by another driver; see /proc/iomem (nd_pmem takes memmap=! regions if it loads first)\n",
		       at, at + bytes - 1);
		memunmap(base);
		return -EBUSY;
	}
	epitaph_region.base = base;
	epitaph_region.size = bytes;
	epitaph_region.phys = at;
	return 0;
}

int epitaph_region_open(void)
{
	u64 at, bytes;
	int err;

	if (is_kdump_kernel()) {
		pr_info("this is a capture kernel: the region is left as it is\n");
		return -ENODEV;
	}
	err = find_range(&at, &bytes);
	if (!err)
		err = check_numbers(at, bytes);
	if (!err)
		err = check_reserved(at, bytes);
	return err ?: claim_range(at, bytes);
}

void epitaph_region_close(void)
{
	__release_region(&iomem_resource, epitaph_region.phys, epitaph_region.size);
	memunmap(epitaph_region.base);
	memset(&epitaph_region, 0, sizeof(epitaph_region));
}

static int hex_pair(const char *text)
{
	int high = hex_to_bin(text[0]);
	int low = high < 0 ? -1 : hex_to_bin(text[1]);

	return low < 0 ? -1 : high << 4 | low;
}

/* Early in the initramfs there may be no /proc: then it stays zero. */
static void fill_boot_id(u8 id[16])
{
	char text[40] = "";
	unsigned int i, n = 0;
	int byte;

	if (epitaph_file_read("/proc/sys/kernel/random/boot_id", text, sizeof(text)) < 36)
		return;
	for (i = 0; i < 36 && n < 16; i++) {
		if (text[i] == '-')
			continue;
		byte = hex_pair(text + i++);
		if (byte < 0)
			return;
		id[n++] = byte;
	}
}

static void fill_kernel(struct epitaph_header *header)
{
	header->machine = cpu_to_le32(ELF_ARCH);
	header->byte_order = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ?
			     EPITAPH_BIG_ENDIAN : EPITAPH_LITTLE_ENDIAN;
	header->long_size = sizeof(long);
	header->page_shift = PAGE_SHIFT;
	header->kaslr_offset = cpu_to_le64(epitaph_kaslr_offset());
	header->build_id_size = epitaph_build_id(header->build_id);
	fill_boot_id(header->boot_id);
	strscpy(header->release, init_utsname()->release, sizeof(header->release));
	strscpy(header->version, init_utsname()->version, sizeof(header->version));
	strscpy(header->recorder, "epitaph " EPITAPH_VERSION, sizeof(header->recorder));
}

static void fill_clock(struct epitaph_header *header)
{
	header->clock_id = epitaph_clock_is_tsc ? EPITAPH_CLOCK_TSC : EPITAPH_CLOCK_LOCAL;
	header->clock_shift = epitaph_clock_shift();
	header->clock_khz = cpu_to_le32(epitaph_clock_khz());
	header->start_clock = cpu_to_le64(epitaph_clock());
	header->start_mono_ns = cpu_to_le64(ktime_get_mono_fast_ns());
	header->start_real_ns = cpu_to_le64(ktime_get_real_fast_ns());
}

/* The old generation is gone with its headers before anything else changes. */
static void wipe(void)
{
	u8 *base = epitaph_region.base;
	u64 copy_off = epitaph_region.size - layout.table_size;

	memset(base, 0, EPITAPH_PAGE);
	memset(base + copy_off, 0, EPITAPH_PAGE);
	smp_wmb();
	memset(base, 0, epitaph_region.size);
}

int epitaph_region_format(void)
{
	struct epitaph_header *header;

	if (epitaph_layout_plan(&layout, epitaph_region.size, nr_cpu_ids))
		return -ENOSPC;
	header = kzalloc(sizeof(*header), GFP_KERNEL);
	if (!header)
		return -ENOMEM;
	wipe();
	get_random_bytes(&epitaph_region.salt, sizeof(epitaph_region.salt));
	header->salt = cpu_to_le64(epitaph_region.salt);
	header->region_size = cpu_to_le64(epitaph_region.size);
	header->gen_size = cpu_to_le64(epitaph_region.size);
	header->nr_gens = cpu_to_le32(1);
	header->phys_addr = cpu_to_le64(epitaph_region.phys);
	fill_kernel(header);
	fill_clock(header);
	epitaph_layout_write(&layout, epitaph_region.base, header);
	kfree(header);
	return 0;
}

void *epitaph_section(enum epitaph_section_type type, size_t *bytes)
{
	*bytes = layout.size[type];
	return epitaph_region.base + layout.off[type];
}

u8 *epitaph_ring_memory(unsigned int cpu, u32 *bytes)
{
	*bytes = layout.ring_size;
	return epitaph_region.base + layout.rings_off + cpu * layout.ring_size;
}
