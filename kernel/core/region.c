// SPDX-License-Identifier: GPL-2.0-only
/*
 * The region: its memory, its generations, and the one that is recorded into.
 */
#include <linux/crash_dump.h>
#include <linux/elf.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/utsname.h>
#include <epitaph/earlier.h>
#include <epitaph/layout.h>
#include "crash/disk_signature.h"
#include "crash/firmware.h"
#include "crash/kernel_types.h"
#include "crash/proc.h"
#include "crash/vmcoreinfo.h"
#include "events/pack.h"
#include "backing.h"
#include "bad_page.h"
#include "bytes.h"
#include "compat.h"
#include "flush.h"
#include "lost.h"
#include "memory.h"
#include "region_complete.h"
#include "region_size.h"
#include "recorder.h"

static unsigned int generations = 2;
module_param(generations, uint, 0444);
MODULE_PARM_DESC(generations, "boots that the region keeps, 1 to 16 (default: 2)");

static u64 pool = EPITAPH_POOL_DEFAULT;

static int set_pool(const char *text, const struct kernel_param *param)
{
	u64 size;

	if (epitaph_bytes_only(text, &size) || size > EPITAPH_POOL_DEFAULT - EPITAPH_PAGE) {
		pr_err("channels=%s is no size below 2^64: a number of bytes, or with K, M or G, such as 4M, or 0 for none\n",
		       text);
		return -EINVAL;
	}
	pool = round_up(size, EPITAPH_PAGE);
	return 0;
}

static const struct kernel_param_ops pool_ops = { .set = set_pool };
module_param_cb(channels, &pool_ops, NULL, 0);
MODULE_PARM_DESC(channels, "bytes set aside for channels that are added while recording, as 4M; 0: none (default: an eighth)");

struct epitaph_region epitaph_region;
struct epitaph_pool epitaph_pool;
static struct epitaph_extent memory;
static struct epitaph_gen current_gen;
static struct epitaph_layout layout;

/* What a reset takes away anyhow is not worth a second one. */
static u32 nr_gens(void)
{
	return memory.kind == EPITAPH_MEMORY_PAGES ? 1 : generations;
}

static u64 gen_size(void)
{
	return round_down(div_u64(memory.size, nr_gens()), EPITAPH_PAGE);
}

static int check_generations(void)
{
	if (generations && generations <= EPITAPH_MAX_GENS)
		return 0;
	pr_err("generations=%u: expected 1 to %u; nothing is recorded\n", generations, EPITAPH_MAX_GENS);
	return -EINVAL;
}

static int check_pool(void)
{
	u64 room = epitaph_layout_max_pool(gen_size(), nr_cpu_ids);

	if (pool == EPITAPH_POOL_DEFAULT || pool <= room)
		return 0;
	pr_err("channels=%lluK: at most %lluK can be set aside in a generation of %llu KiB\n",
	       pool >> 10, room >> 10, gen_size() >> 10);
	return -ENOSPC;
}

static int check_room(void)
{
	u64 min = epitaph_layout_min(nr_cpu_ids);

	if (gen_size() >= min)
		return check_pool();
	pr_err("region of %llu KiB is too small for %u generation%s of %u CPUs: %llu KiB would do%s\n",
	       memory.size >> 10, nr_gens(), nr_gens() > 1 ? "s" : "", nr_cpu_ids,
	       min * nr_gens() >> 10,
	       nr_gens() > 1 && memory.size >= min ? ", or generations=1" : "");
	return -ENOSPC;
}

static void report_firmware(void)
{
	if (memory.kind != EPITAPH_MEMORY_PAGES && memory.kind != EPITAPH_MEMORY_DEVICE &&
	    epitaph_firmware_clears())
		pr_warn("the firmware was asked to clear all memory at the next reset (MemoryOverwriteRequestControl): what is recorded outlives a crash by kdump only\n");
}

/* The header of a generation says that the memory is ours, whatever else is there. */
static int check_for_disk(void)
{
	phys_addr_t last = memory.phys + memory.size - 1;
	const char *what;

	if (!memory.is_assumed || epitaph_earlier(0))
		return 0;
	what = epitaph_disk_signature(epitaph_region_read, memory.size);
	if (!what)
		return 0;
	pr_err("%pa-%pa has %s, and nothing of a recorder: it is not overwritten; boot with another memmap=SIZE!ADDR, and epitaph.addr= and epitaph.size= of the one that is the recorder's\n",
	       &memory.phys, &last, what);
	return -EBUSY;
}

int epitaph_region_open(void)
{
	int err;

	if (is_kdump_kernel()) {
		pr_info("this is a capture kernel: the region is left as it is\n");
		return -ENODEV;
	}
	err = check_generations();
	err = err ?: epitaph_memory_open(&memory);
	if (err)
		return err;
	err = check_room();
	/* What is given to us as pages is the kernel's to look after. */
	if (!err && memory.kind != EPITAPH_MEMORY_PAGES)
		err = epitaph_bad_pages_find(&memory) ?: epitaph_backing_check(&memory);
	if (err) {
		epitaph_bad_pages_forget();
		epitaph_memory_close(&memory);
		return err;
	}
	report_firmware();
	epitaph_earlier_find();
	err = check_for_disk();
	if (err)
		epitaph_region_close();
	return err;
}

int epitaph_region_adopt(const struct epitaph_extent *mem)
{
	int err;

	memory = *mem;
	err = check_generations() ?: check_room();
	if (err)
		return err;
	epitaph_earlier_look();
	return check_for_disk();
}

/* Recording has ended: the end is the last entry. */
void epitaph_region_close(void)
{
	if (epitaph_region.base)
		epitaph_mark(EPITAPH_MARK_END, "the recorder was unloaded");
	memset(&epitaph_region, 0, sizeof(epitaph_region));
	epitaph_bad_pages_forget();
	epitaph_memory_close(&memory);
}

const void *epitaph_region_memory(u64 *size, phys_addr_t *phys)
{
	*size = memory.size;
	if (phys)
		*phys = memory.phys;
	return memory.base;
}
EXPORT_SYMBOL_GPL(epitaph_region_memory);

enum epitaph_memory epitaph_region_kind(void)
{
	return memory.kind;
}

const struct epitaph_gen *epitaph_current(void)
{
	return &current_gen;
}
EXPORT_SYMBOL_GPL(epitaph_current);

static int hex_pair(const char *text)
{
	int high = hex_to_bin(text[0]);
	int low = high < 0 ? -1 : hex_to_bin(text[1]);

	return low < 0 ? -1 : high << 4 | low;
}

static void fill_boot_id(u8 id[16])
{
	char text[40] = "";
	unsigned int i, n = 0;
	int byte;

	if (epitaph_proc_read("sys/kernel/random/boot_id", text, sizeof(text)) < 36)
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
	epitaph_types_describe(header);
}

static void fill_clock(struct epitaph_header *header)
{
	header->clock_id = epitaph_clock_id();
	header->clock_shift = epitaph_clock_shift();
	header->clock_khz = cpu_to_le32(epitaph_clock_khz());
	header->start_clock = cpu_to_le64(epitaph_clock());
	header->start_mono_ns = cpu_to_le64(ktime_get_mono_fast_ns());
	header->start_real_ns = cpu_to_le64(epitaph_real_ns());
}

static void fill_region(struct epitaph_header *header, const struct epitaph_place *place)
{
	header->incompat = cpu_to_le64(EPITAPH_INCOMPAT_CRC |
				       (epitaph_packs() ? EPITAPH_INCOMPAT_PACKED : 0));
	header->region_size = cpu_to_le64(memory.size);
	header->gen_size = cpu_to_le64(gen_size());
	header->gen_index = cpu_to_le32(place->index);
	header->nr_gens = cpu_to_le32(nr_gens());
	header->phys_addr = cpu_to_le64(memory.phys);
	header->salt = cpu_to_le64(epitaph_region.salt);
	header->number = cpu_to_le64(place->number);
	header->lost_number = cpu_to_le64(place->lost_number);
	header->lost_gens = cpu_to_le32(place->lost_gens);
	header->memory = cpu_to_le32(memory.kind);
}

/* In a slot that is free there should be nothing.  Return: whether all of it is zero. */
static bool is_zero(const struct epitaph_place *place, const void *slot)
{
	u64 n;

	if (!place->is_free)
		return false;
	n = epitaph_count_nonzero(slot, gen_size());
	if (n)
		pr_info("nothing was recognised where generation %llu goes, though %llu of %llu bytes are not zero\n",
			place->number, n, gen_size());
	return !n;
}

static void set_current(const struct epitaph_place *place)
{
	u64 off = place->index * gen_size();

	epitaph_region.base = memory.base + off;
	epitaph_region.size = gen_size();
	epitaph_region.phys = memory.phys + off;
	get_random_bytes(&epitaph_region.salt, sizeof(epitaph_region.salt));
	current_gen = (struct epitaph_gen){
		.off = off,
		.size = gen_size(),
		.number = place->number,
		.salt = epitaph_region.salt,
		.table = memory.base + off,
	};
}

int epitaph_region_format(void)
{
	/* Large for a stack, and there may be no allocator yet. */
	static struct epitaph_header space;
	struct epitaph_header *header = &space;
	struct epitaph_place place;
	bool is_clear;
	int err;

	/* A device that was unplugged since it was opened. */
	if (epitaph_lost())
		return -ENODEV;
	if (epitaph_layout_plan(&layout, gen_size(), nr_cpu_ids, pool))
		return -ENOSPC;
	memset(header, 0, sizeof(*header));
	err = epitaph_earlier_place(&place, gen_size(), nr_gens());
	if (err)
		return err;
	is_clear = is_zero(&place, memory.base + place.index * gen_size());
	set_current(&place);
	epitaph_layout_align(&layout, epitaph_region.base);
	fill_region(header, &place);
	fill_kernel(header);
	fill_clock(header);
	if (!is_clear)
		epitaph_layout_clear(epitaph_region.base, epitaph_region.size);
	epitaph_layout_write(&layout, epitaph_region.base, header);
	epitaph_pool_init(&epitaph_pool, &layout, epitaph_region.base, epitaph_region.salt);
	/* Or a reset that drops the caches brings back what was here before. */
	epitaph_flush();
	return 0;
}

/* When it began, by clocks that counted ticks then. */
static void fill_start_again(struct epitaph_header *header)
{
	u64 ns = epitaph_ns_since(le64_to_cpu(header->start_clock));

	header->start_mono_ns = cpu_to_le64(ktime_get_mono_fast_ns() - ns);
	header->start_real_ns = cpu_to_le64(epitaph_real_ns() - ns);
}

void epitaph_region_complete(bool again)
{
	struct epitaph_header *header = kmemdup(epitaph_region.base, sizeof(*header), GFP_KERNEL);

	if (!header) {
		pr_warn("no memory to write the boot's id into the region\n");
		return;
	}
	fill_kernel(header);
	if (again)
		fill_start_again(header);
	epitaph_layout_write(&layout, epitaph_region.base, header);
	epitaph_flush();
	kfree(header);
	report_firmware();
}

void *epitaph_section(enum epitaph_section_type type, size_t *bytes)
{
	*bytes = layout.size[type];
	return epitaph_region.base + layout.off[type];
}

u8 *epitaph_ring_memory(enum epitaph_channel_id channel, unsigned int cpu, u32 *bytes,
			u32 *sub_size)
{
	const struct epitaph_rings_plan *rings = &layout.rings[channel];

	*bytes = rings->size;
	*sub_size = rings->sub_size;
	return epitaph_region.base + rings->off + cpu * rings->size;
}

static u64 main_ring_of(u64 size)
{
	struct epitaph_layout *plan = kzalloc(sizeof(*plan), GFP_KERNEL);
	u64 ring = 0;

	size = round_down(div_u64(size, nr_gens()), EPITAPH_PAGE);
	if (plan && !epitaph_layout_plan(plan, size, nr_cpu_ids, pool))
		ring = plan->rings[EPITAPH_CHANNEL_MAIN].size;
	kfree(plan);
	return ring;
}

/* Rings grow with the region. */
u64 epitaph_region_size_for(u64 ring_size)
{
	u64 low = 1, high = 1ULL << 24;		/* of 64 KiB */

	if (main_ring_of(high << 16) < ring_size)
		return 0;
	while (low < high) {
		u64 middle = (low + high) / 2;

		if (main_ring_of(middle << 16) < ring_size)
			low = middle + 1;
		else
			high = middle;
	}
	return low << 16;
}
