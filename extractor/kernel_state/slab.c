// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab.h"

#include <string.h>

#include "tasks.h"

#define EM_OF_X86_64	62
#define DIRECT_MAX	(1ULL << 46)	/* bytes of memory; more is damage */
#define SLAB_OBJECTS	32767		/* of one slab: the kernel has 15 bits */
#define CACHE_RED_ZONE	0x400		/* SLAB_RED_ZONE */
#define PAGE_TYPE_SHIFT	24		/* since 6.12 */
#define PAGE_TYPE_BASE	0xf0000000U	/* before: bits of a type are cleared */
#define POOL_MAX	(16ULL << 20)	/* KFENCE: a page an object */
#define CACHES_MAX	4000
#define HALVES_MAX	16		/* stretches of 4 GiB of memory */

/**
 * struct slab_view - one slab, and what its cache says of it
 * @va: of its struct slab, which is that of its first page
 * @base: of its first byte
 * @size: from one object to the next
 * @next: in a free object, where the address of the next one is
 * @is_mixed: these addresses are encoded (CONFIG_SLAB_FREELIST_HARDENED), with @random
 */
struct slab_view {
	const struct kernel *kernel;
	u64 va;
	u64 cache;
	u64 base;
	u32 nr;
	u64 size;
	u64 before;
	u64 next;
	bool is_mixed;
	u64 random;
};

/* --- pages ---------------------------------------------------------------- */

static bool variable(const struct kernel *kernel, const char *name, u64 *ret)
{
	u64 va;

	return kernel->kallsyms && kallsyms_address(kernel->kallsyms, name, &va) && vmem_u64(kernel->vmem, va, ret);
}

static bool is_kfence(const struct kernel *kernel, u64 va)
{
	u64 pool;

	return variable(kernel, "__kfence_pool", &pool) && pool && va - pool < POOL_MAX;
}

/* Is the page a slab's? A flag up to 6.9, then a type. */
static bool is_slab(const struct kernel *kernel, u64 page)
{
	u64 flags, type;
	s64 value;

	if (kernel_btf_enum_value(kernel->ktypes, "pageflags", "PG_slab", &value))
		return value >= 0 && value < 64 && kernel_state_member(kernel, "page", "flags", page, &flags) &&
		       flags >> value & 1;
	if (!kernel_state_member(kernel, "page", "page_type", page, &type))
		return false;
	if (kernel_btf_enum_value(kernel->ktypes, "pagetype", "PGTY_slab", &value))
		return (u32)type >> PAGE_TYPE_SHIFT == (u32)value;
	return kernel_btf_enum_value(kernel->ktypes, "pagetype", "PG_slab", &value) &&
	       ((u32)type & (PAGE_TYPE_BASE | (u32)value)) == PAGE_TYPE_BASE;
}

/* The struct page, of several that belong together the first one's. */
static bool find_slab_page(const struct kernel *kernel, u64 va, u64 *page, u64 *base)
{
	u64 direct, map, head;
	u32 size;

	if (kernel->machine != EM_OF_X86_64 || !variable(kernel, "page_offset_base", &direct) ||
	    !variable(kernel, "vmemmap_base", &map) || !kernel_btf_size(kernel->ktypes, "page", &size) ||
	    va < direct || va - direct >= DIRECT_MAX || is_kfence(kernel, va))
		return false;
	*page = map + (va - direct) / 4096 * size;
	if (!kernel_state_member(kernel, "page", "compound_head", *page, &head))
		return false;
	if (head & 1)
		*page = head - 1;
	if (*page < map || (*page - map) % size)
		return false;
	*base = direct + (*page - map) / size * 4096;
	return is_slab(kernel, *page);
}

/* --- a slab --------------------------------------------------------------- */

static bool read_number_of_objects(struct slab_view *slab)
{
	struct btf_member_place m;
	u64 nr;

	if (!kernel_btf_member(slab->kernel->ktypes, "slab", "objects", &m) ||
	    !vmem_bits(slab->kernel->vmem, slab->va + m.offset, m.bit, m.nr_bits, &nr))
		return false;
	slab->nr = nr;
	return slab->nr && slab->nr <= SLAB_OBJECTS;
}

static bool read_cache(struct slab_view *slab, struct kernel_object *ret)
{
	const struct kernel *kernel = slab->kernel;
	u64 size, name, flags;

	if (!kernel_state_member(kernel, "slab", "slab_cache", slab->va, &slab->cache) ||
	    !kernel_state_member(kernel, "kmem_cache", "size", slab->cache, &slab->size) ||
	    !kernel_state_member(kernel, "kmem_cache", "object_size", slab->cache, &size) ||
	    !kernel_state_member(kernel, "kmem_cache", "offset", slab->cache, &slab->next) ||
	    !kernel_state_member(kernel, "kmem_cache", "flags", slab->cache, &flags) ||
	    !kernel_state_member(kernel, "kmem_cache", "name", slab->cache, &name))
		return false;
	if (!slab->size || size > slab->size || slab->next + 8 > slab->size ||
	    vmem_string(kernel->vmem, name, ret->cache, sizeof(ret->cache)) <= 0)
		return false;
	slab->before = 0;
	if (flags & CACHE_RED_ZONE)
		kernel_state_member(kernel, "kmem_cache", "red_left_pad", slab->cache, &slab->before);
	slab->is_mixed = kernel_state_member(kernel, "kmem_cache", "random", slab->cache, &slab->random);
	ret->size = (u32)size;
	return true;
}

/* --- what is free --------------------------------------------------------- */

static bool is_object(const struct slab_view *slab, u64 va)
{
	u64 at = va - slab->base - slab->before;

	return at / slab->size < slab->nr && at % slab->size == 0;
}

/* Walk a list of free objects: does it have @object? False: it is damaged before that. */
static bool search_free(const struct slab_view *slab, u64 first, u64 object, bool *found)
{
	u64 at = first;

	for (u32 i = 0; at && i <= slab->nr; i++) {
		u64 word;

		if (at == object) {
			*found = true;
			return true;
		}
		if (!is_object(slab, at) || !vmem_u64(slab->kernel->vmem, at + slab->next, &word))
			return false;
		at = slab->is_mixed ? word ^ slab->random ^ __builtin_bswap64(at + slab->next) : word;
	}
	return !at;
}

/* The list that a CPU has taken out of the slab, if it has: @is_taken is set then. */
static bool search_cpu(const struct slab_view *slab, u64 cpus, u32 cpu, u64 object, bool *is_taken, bool *found)
{
	const struct kernel *kernel = slab->kernel;
	u64 va, active, first;

	if (!kernel_percpu_at(kernel, cpus, cpu, &va) ||
	    (!kernel_state_member(kernel, "kmem_cache_cpu", "slab", va, &active) &&
	     !kernel_state_member(kernel, "kmem_cache_cpu", "page", va, &active)))
		return false;
	if (active != slab->va)
		return true;
	*is_taken = true;
	return kernel_state_member(kernel, "kmem_cache_cpu", "freelist", va, &first) &&
	       search_free(slab, first, object, found);
}

/* May free objects lie where no list was looked at: in sheaves of CPUs (6.18), in KASAN's quarantine? */
static bool has_other_places(const struct slab_view *slab)
{
	const struct kernel *kernel = slab->kernel;
	struct btf_member_place m;
	u64 sheaves;

	if (kernel_btf_member(kernel->ktypes, "kmem_cache", "kasan_info", &m))
		return true;
	return kernel_btf_member(kernel->ktypes, "kmem_cache", "cpu_sheaves", &m) &&
	       (!kernel_state_member(kernel, "kmem_cache", "cpu_sheaves", slab->cache, &sheaves) || sheaves);
}

/* The lists that CPUs have: one CPU at most has taken this slab's. */
static bool search_cpus(const struct slab_view *slab, u64 object, bool *found)
{
	bool is_whole = true, is_taken = false;
	u64 cpus;

	if (!kernel_state_member(slab->kernel, "kmem_cache", "cpu_slab", slab->cache, &cpus))
		return false;
	for (u32 cpu = 0; cpu < slab->kernel->nr_cpu_ids && !is_taken; cpu++) {
		bool is_read = search_cpu(slab, cpus, cpu, object, &is_taken, found);

		is_whole = is_taken ? is_read : is_whole && is_read;
	}
	return is_whole;
}

static enum kernel_object_state state_of(const struct slab_view *slab, u64 object)
{
	bool found = false, is_whole;
	u64 first;

	is_whole = kernel_state_member(slab->kernel, "slab", "freelist", slab->va, &first) &&
		   search_free(slab, first, object, &found);
	if (!found)
		is_whole &= search_cpus(slab, object, &found);
	if (found)
		return KOBJECT_FREE;
	return is_whole && !has_other_places(slab) ? KOBJECT_IN_USE : KOBJECT_UNKNOWN;
}

static bool find_object(struct slab_view *slab, u64 va, struct kernel_object *ret)
{
	u64 at;

	if (!find_slab_page(slab->kernel, va, &slab->va, &slab->base) || !read_number_of_objects(slab) || !read_cache(slab, ret))
		return false;
	at = va - slab->base;
	if (at / slab->size >= slab->nr || at % slab->size < slab->before)
		return false;
	ret->start = slab->base + at / slab->size * slab->size + slab->before;
	return va - ret->start < ret->size;
}

bool kernel_object_at(const struct kernel *kernel, u64 va, struct kernel_object *ret)
{
	struct slab_view slab = { .kernel = kernel };

	if (!find_object(&slab, va, ret))
		return false;
	ret->state = state_of(&slab, ret->start);
	return true;
}

bool kernel_object_has_link(const struct kernel *kernel, u64 va, u64 value, struct kernel_object *ret)
{
	struct slab_view slab = { .kernel = kernel };
	u64 next;

	if (!find_object(&slab, va, ret) || !slab.is_mixed)
		return false;
	next = value ^ slab.random ^ __builtin_bswap64(ret->start + slab.next);
	if (next && (next == ret->start || !is_object(&slab, next)))
		return false;
	ret->state = state_of(&slab, ret->start);
	return true;
}

/*
 * A link is the address of the next object, or 0, with the cache's secret and with its own address, whose bytes are in the other order:
 * the upper half of each is mixed with the lower half of the other, and there are but few upper halves.
 */
static bool place_of_link(const struct kernel *kernel, u64 mixed, u64 value, u64 direct, struct kernel_object *ret)
{
	u32 upper = direct >> 32;

	if (kernel_object_has_link(kernel, __builtin_bswap64(mixed), value, ret))
		return true;
	for (u32 i = 0; i < HALVES_MAX; i++)
		for (u32 k = 0; k < HALVES_MAX; k++) {
			u32 own = upper + i, next = upper + k;
			u64 at = (u64)own << 32 | __builtin_bswap32((u32)(mixed >> 32) ^ next);

			if (!(at & 7) && !(((u32)mixed ^ __builtin_bswap32(own)) & 7) && kernel_object_has_link(kernel, at, value, ret))
				return true;
		}
	return false;
}

/* Goes on to the next cache of the kernel's list, from 0 on. False: there is none. */
static bool next_cache(const struct kernel *kernel, u64 *cache)
{
	struct btf_member_place list;
	u64 head, at;

	if (!kernel->kallsyms || !kernel->ktypes || !kallsyms_address(kernel->kallsyms, "slab_caches", &head) ||
	    !kernel_btf_member(kernel->ktypes, "kmem_cache", "list", &list) || !vmem_u64(kernel->vmem, *cache ? *cache + list.offset : head, &at) || at == head)
		return false;
	*cache = at - list.offset;
	return true;
}

u32 kernel_cache_object_size(const struct kernel *kernel, const char *name)
{
	char text[KERNEL_CACHE_NAME];
	u64 cache = 0, va, size;

	for (u32 i = 0; i < CACHES_MAX && next_cache(kernel, &cache); i++)
		if (kernel_state_member(kernel, "kmem_cache", "name", cache, &va) && vmem_string(kernel->vmem, va, text, sizeof(text)) > 0 && !strcmp(text, name) &&
		    kernel_state_member(kernel, "kmem_cache", "object_size", cache, &size))
			return (u32)size;
	return 0;
}

bool kernel_object_of_link(const struct kernel *kernel, u64 value, struct kernel_object *ret)
{
	u64 cache = 0, direct, random;

	if (!variable(kernel, "page_offset_base", &direct))
		return false;
	for (u32 i = 0; i < CACHES_MAX && next_cache(kernel, &cache); i++)
		if (kernel_state_member(kernel, "kmem_cache", "random", cache, &random) && place_of_link(kernel, value ^ random, value, direct, ret))
			return true;
	return false;
}
