// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a region lies: in RAM that is free now, and that the next boot will not use.  The kernel lies low, or where KASLR puts it, which keeps out of memmap= ranges;
 * boot loaders put the initramfs, and the kernel its capture kernel, at the top of
 * what is below 4 GiB.
 */
#include <stdio.h>
#include <string.h>

#include "firmware_map.h"
#include "iomem.h"
#include "setup.h"

#define ALIGN		(2ULL << 20)	/* of a large page */
#define LOWEST		(32ULL << 20)	/* below is for DMA, and for a kernel without KASLR */
#define BELOW_4G	(1ULL << 32)

struct gap {
	u64 start;
	u64 end;	/* the byte behind it */
};

static u64 gap_size(const struct gap *gap)
{
	return gap->end > gap->start ? gap->end - gap->start : 0;
}

static void take_largest(struct gap *best, u64 start, u64 end, u64 limit)
{
	struct gap gap = { start < LOWEST ? LOWEST : start, end > limit ? limit : end };

	if (gap_size(&gap) > gap_size(best))
		*best = gap;
}

/* What lies in a range of RAM comes behind it, in order. */
static struct gap largest_gap(const struct iomem *map, u64 limit)
{
	struct gap best = { 0 };
	size_t i, j;
	u64 at;

	for (i = 0; i < map->nr; i++) {
		if (!iomem_is_ram(&map->list[i]))
			continue;
		at = map->list[i].start;
		for (j = i + 1; j < map->nr && map->list[j].depth; j++) {
			take_largest(&best, at, map->list[j].start, limit);
			if (map->list[j].end + 1 > at)
				at = map->list[j].end + 1;
		}
		take_largest(&best, at, map->list[i].end + 1, limit);
	}
	return best;
}

static int choose_address(struct setup *s, const struct iomem *map, struct err *err)
{
	struct gap gap = largest_gap(map, BELOW_4G);

	if (gap_size(&gap) < s->size + ALIGN)
		gap = largest_gap(map, ~0ULL);
	if (gap_size(&gap) < s->size + ALIGN)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "no %lluK of unused RAM in one piece: the largest has %lluK; --size gives less",
			       s->size >> 10, gap_size(&gap) >> 10);
	s->addr = (gap.start + (gap_size(&gap) - s->size) / 2 + ALIGN - 1) & ~(ALIGN - 1);
	setup_reason(s, "0x%llx: in the middle of 0x%llx-0x%llx, the largest unused piece of RAM %s in /proc/iomem",
		     s->addr, gap.start, gap.end - 1,
		     gap.end <= BELOW_4G ? "below 4 GiB" : "(there is none below 4 GiB)");
	setup_reason(s, "the middle: initramfs and capture kernel go to its top, and the kernel keeps out of memmap= ranges");
	return 0;
}

static bool region_overlaps(const struct setup *s, const struct iomem_range *range)
{
	return range->start < s->addr + s->size && range->end >= s->addr;
}

static bool region_is_in(const struct setup *s, const struct iomem_range *range)
{
	return range->start <= s->addr && s->addr + s->size - 1 <= range->end;
}

/* An address that the user gave. */
static int check_chosen_address(struct setup *s, const struct iomem *map, struct err *err)
{
	const struct iomem_range *range;
	bool in_ram = false;
	size_t i;
	u64 end;

	if (s->addr % 4096 || s->addr + s->size < s->addr)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "0x%llx is not a multiple of 4096, or too large", s->addr);
	for (i = 0; i < map->nr; i++) {
		range = &map->list[i];
		in_ram |= iomem_is_ram(range) && region_is_in(s, range);
		if (range->depth && region_overlaps(s, range))
			return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
				       "%lluK at 0x%llx: 0x%llx-0x%llx is in use: %s",
				       s->size >> 10, s->addr, range->start, range->end, range->name);
	}
	if (!in_ram)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "%lluK at 0x%llx are not all RAM", s->size >> 10, s->addr);
	setup_reason(s, "0x%llx is unused RAM", s->addr);
	end = firmware_memory_end(s->root);
	if (end && s->addr + s->size + FIRMWARE_KEXEC_ROOM > end)
		setup_reason(s, "it is in the last 128 MiB of memory, where kexec -l puts the next kernel: use kexec -s, or another address");
	return 0;
}

int setup_place(struct setup *s, struct err *err)
{
	struct iomem map;
	int ret = iomem_read(&map, s->root, err);

	if (ret)
		return ret;
	s->addr = s->want_addr;
	ret = s->addr == SETUP_NO_ADDR ? choose_address(s, &map, err) : check_chosen_address(s, &map, err);
	iomem_free(&map);
	return ret;
}
