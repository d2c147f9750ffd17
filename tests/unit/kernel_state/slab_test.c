// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Objects of the slab allocator out of a dump: which one, of which cache, free or in use.
 *
 * build: tests/lib/kmem_image.c @extractor -Wl,-z,muldefs
 */
#include <bpf/btf.h>
#include <byteswap.h>
#include <string.h>
#include <unistd.h>

#include "kernel_state/slab.h"
#include "kmem_image.h"
#include "tap.h"

#define NR_OBJECTS	24	/* of 160 bytes each, 128 of them the object's */
#define STRIDE		160
#define NEXT		64	/* where a free object has the next one's address */
#define RANDOM		0x9a3c5577e1f20d46ULL
#define SLAB_FLAG	9
#define SLAB_TYPE	0xf5

/* As the test's BTF has them. */
struct page {
	u64 flags;
	u64 compound_head;
	u64 unused[5];
	u32 page_type;
	u32 count;
};

struct slab {
	u64 flags;
	u64 slab_cache;
	u64 freelist;
	u16 inuse;
	u16 objects;
	u32 unused;
};

struct kmem_cache {
	u64 cpu_slab;
	u64 flags;
	u32 size, object_size;
	u32 offset, red_left_pad;
	u64 name;
	u64 random;
	u64 cpu_sheaves;
	u64 kasan_info;
	u64 list;
};

struct kmem_cache_cpu {
	u64 freelist;
	u64 slab;
};

/**
 * struct shape - of the kernel and of its slab
 * @is_mixed: it has CONFIG_SLAB_FREELIST_HARDENED
 * @has_types: it names a slab by the page's type
 * @has_sheaves, @has_kasan: free objects may lie in a CPU's sheaf, or in KASAN's quarantine
 * @nr_cpus: 0: one; what a second one has is not in the dump
 * @pad: in front of each object
 */
struct shape {
	bool is_mixed, has_types, no_slab, has_sheaves, has_kasan;
	u32 pad, nr_cpus;
};

/* The dump; @object is the first object's address. */
struct heap {
	struct shape shape;
	struct kmem k;
	u64 memory, pages, cache, cpu, object;
};

/* What the symbols lead to. */
static struct {
	u64 page_offset_base, vmemmap_base, per_cpu_offset, slab_caches;
} symbols;

bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	(void)k;
	*ret = !strcmp(name, "page_offset_base") ? symbols.page_offset_base :
	       !strcmp(name, "vmemmap_base") ? symbols.vmemmap_base :
	       !strcmp(name, "__per_cpu_offset") ? symbols.per_cpu_offset :
	       !strcmp(name, "slab_caches") ? symbols.slab_caches : 0;
	return *ret;
}

static struct kernel_btf *make_heap_types(const struct shape *shape)
{
	struct btf *btf = btf__new_empty();
	int u32_id = btf__add_int(btf, "u32", 4, 0);
	int u64_id = btf__add_int(btf, "u64", 8, 0);
	struct kernel_btf *kt = NULL;
	const void *data;
	u32 size;

	btf__add_struct(btf, "page", sizeof(struct page));
	btf__add_field(btf, "flags", u64_id, 0, 0);
	btf__add_field(btf, "compound_head", u64_id, 64, 0);
	btf__add_field(btf, "page_type", u32_id, 8 * offsetof(struct page, page_type), 0);
	btf__add_struct(btf, "slab", sizeof(struct slab));
	btf__add_field(btf, "slab_cache", u64_id, 64, 0);
	btf__add_field(btf, "freelist", u64_id, 128, 0);
	btf__add_field(btf, "inuse", u32_id, 192, 16);
	btf__add_field(btf, "objects", u32_id, 208, 15);
	btf__add_struct(btf, "kmem_cache", sizeof(struct kmem_cache));
	btf__add_field(btf, "cpu_slab", u64_id, 0, 0);
	btf__add_field(btf, "flags", u64_id, 64, 0);
	btf__add_field(btf, "size", u32_id, 128, 0);
	btf__add_field(btf, "object_size", u32_id, 160, 0);
	btf__add_field(btf, "offset", u32_id, 192, 0);
	btf__add_field(btf, "red_left_pad", u32_id, 224, 0);
	btf__add_field(btf, "name", u64_id, 256, 0);
	if (shape->is_mixed)
		btf__add_field(btf, "random", u64_id, 320, 0);
	if (shape->has_sheaves)
		btf__add_field(btf, "cpu_sheaves", u64_id, 384, 0);
	if (shape->has_kasan)
		btf__add_field(btf, "kasan_info", u64_id, 448, 0);
	btf__add_field(btf, "list", u64_id, 8 * offsetof(struct kmem_cache, list), 0);
	btf__add_struct(btf, "kmem_cache_cpu", sizeof(struct kmem_cache_cpu));
	btf__add_field(btf, "freelist", u64_id, 0, 0);
	btf__add_field(btf, "slab", u64_id, 64, 0);
	btf__add_enum(btf, shape->has_types ? "pagetype" : "pageflags", 4);
	btf__add_enum_value(btf, shape->has_types ? "PGTY_slab" : "PG_slab", shape->has_types ? SLAB_TYPE : SLAB_FLAG);
	data = btf__raw_data(btf, &size);
	if (!CHECK(!kernel_btf_parse(&kt, data, size, NULL), "types"))
		exit(99);
	btf__free(btf);
	return kt;
}

static u64 object_of(const struct heap *h, u32 i)
{
	return h->object + (u64)i * STRIDE;
}

/* Object @i is free, and the next free one is at @next. */
static void set_next(struct heap *h, u32 i, u64 next)
{
	u64 at = object_of(h, i) + NEXT;
	u64 word = h->shape.is_mixed ? next ^ RANDOM ^ bswap_64(at) : next;

	memcpy(kmem_at(&h->k, at), &word, 8);
}

static struct slab *slab_of(struct heap *h)
{
	return kmem_at(&h->k, h->pages + sizeof(struct page));
}

static void put_heap(struct heap *h)
{
	static const u8 zeroes[3 * 4096];
	struct page page = { 0 }, slab_page = { 0 };
	struct kmem_cache cache = {
		.flags = h->shape.pad ? 0x400 : 0, .size = STRIDE, .object_size = 128, .offset = NEXT,
		.red_left_pad = h->shape.pad, .random = RANDOM,
	};
	struct slab slab = { .objects = NR_OBJECTS };
	struct page pages[3] = { page, slab_page, page };
	u64 offsets[2] = { 0, 1ULL << 40 };

	cache.name = kmem_put(&h->k, "letters", 8);
	h->cpu = kmem_put(&h->k, &(struct kmem_cache_cpu){ 0 }, sizeof(struct kmem_cache_cpu));
	cache.cpu_slab = h->cpu;
	h->cache = kmem_put(&h->k, &cache, sizeof(cache));
	cache.list = h->cache + offsetof(struct kmem_cache, list);
	symbols.slab_caches = kmem_put(&h->k, &cache.list, 8);
	((struct kmem_cache *)kmem_at(&h->k, h->cache))->list = symbols.slab_caches;
	slab.slab_cache = h->cache;
	slab.flags = h->shape.has_types || h->shape.no_slab ? 0 : 1 << SLAB_FLAG;
	memcpy(&pages[1], &slab, sizeof(slab));
	pages[1].page_type = h->shape.has_types && !h->shape.no_slab ? (u32)SLAB_TYPE << 24 : 0xffffffff;
	h->pages = kmem_put(&h->k, pages, sizeof(pages));
	h->memory = kmem_put(&h->k, zeroes, sizeof(zeroes));
	h->object = h->memory + 4096 + h->shape.pad;
	symbols.page_offset_base = kmem_put(&h->k, &h->memory, 8);
	symbols.vmemmap_base = kmem_put(&h->k, &h->pages, 8);
	symbols.per_cpu_offset = kmem_put(&h->k, offsets, sizeof(offsets));
}

static struct heap *make_heap(struct shape shape)
{
	static struct heap h;

	memset(&h, 0, sizeof(h));
	h.shape = shape;
	h.k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 });
	put_heap(&h);
	return &h;
}

/* In a dump of what the memory has now: the object, or, of @link, the one in which that leads to a free one; @va of 0: any. */
static bool ask(struct heap *h, u64 va, const u64 *link, struct kernel_object *ret)
{
	struct kernel kernel = {
		.ktypes = make_heap_types(&h->shape), .machine = 62, .nr_cpu_ids = h->shape.nr_cpus ?: 1,
		.kallsyms = (struct kallsyms *)h,	/* see kallsyms_address() */
	};
	struct err err = ERR_INIT;
	struct dump *in;
	char path[40];
	int fd = kmem_fd(&h->k);
	bool has;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!CHECK(!dump_open(&in, path, &err) && !vmem_open(&kernel.vmem, in, &err), "%s", err.msg))
		exit(99);
	if (link && !va)
		has = kernel_object_of_link(&kernel, *link, ret);
	else
		has = link ? kernel_object_has_link(&kernel, va, *link, ret) : kernel_object_at(&kernel, va, ret);
	kernel_btf_close(kernel.ktypes);
	vmem_close(kernel.vmem);
	dump_close(in);
	close(fd);
	return has;
}

static bool has_object(struct heap *h, u64 va, struct kernel_object *ret)
{
	return ask(h, va, NULL, ret);
}

static void check_object(struct heap *h, u32 i, enum kernel_object_state state, const char *what)
{
	struct kernel_object object = { 0 };

	CHECK(has_object(h, object_of(h, i) + 40, &object), "%s: there is an object", what);
	CHECK(object.start == object_of(h, i) && object.size == 128 && !strcmp(object.cache, "letters"),
	      "%s: %llx %u %s", what, object.start, object.size, object.cache);
	CHECK(object.state == state, "%s: object %u has state %d", what, i, object.state);
}

static void check_lists(struct shape shape, const char *what)
{
	struct heap *h = make_heap(shape);
	struct kmem_cache_cpu *cpu;

	/* 5, 3 and 9 are the slab's, 7 is the CPU's. */
	slab_of(h)->freelist = object_of(h, 5);
	set_next(h, 5, object_of(h, 3));
	set_next(h, 3, object_of(h, 9));
	set_next(h, 9, 0);
	cpu = kmem_at(&h->k, h->cpu);
	cpu->slab = h->pages + sizeof(struct page);
	cpu->freelist = object_of(h, 7);
	set_next(h, 7, 0);
	check_object(h, 5, KOBJECT_FREE, what);
	check_object(h, 9, KOBJECT_FREE, what);
	check_object(h, 7, KOBJECT_FREE, what);
	check_object(h, 8, KOBJECT_IN_USE, what);
	/* What another slab of the CPU has free is nothing to this one. */
	cpu = kmem_at(&h->k, h->cpu);
	cpu->slab = h->pages;
	check_object(h, 7, KOBJECT_IN_USE, what);
	kmem_free(&h->k);
}

static void slab__both_lists_are_looked_at(void)
{
	check_lists((struct shape){ 0 }, "plain");
	check_lists((struct shape){ .is_mixed = true }, "hardened");
	check_lists((struct shape){ .is_mixed = true, .has_types = true }, "page types");
	check_lists((struct shape){ .pad = 16 }, "red zones");
}

static void slab__a_damaged_list_says_nothing_of_what_lies_behind(void)
{
	struct heap *h = make_heap((struct shape){ .is_mixed = true });

	slab_of(h)->freelist = object_of(h, 5);
	set_next(h, 5, object_of(h, 3) + 8);
	check_object(h, 5, KOBJECT_FREE, "in front of the damage");
	check_object(h, 3, KOBJECT_UNKNOWN, "behind it");
	check_object(h, 8, KOBJECT_UNKNOWN, "anywhere");
	kmem_free(&h->k);
}

/* Object 5 is on the slab's list. */
static struct heap *make_heap_with_one(struct shape shape)
{
	struct heap *h = make_heap(shape);

	slab_of(h)->freelist = object_of(h, 5);
	set_next(h, 5, 0);
	return h;
}

static void slab__where_free_objects_lie_elsewhere_too_none_is_in_use(void)
{
	struct heap *h = make_heap_with_one((struct shape){ .has_sheaves = true });
	struct kmem_cache *cache;

	check_object(h, 5, KOBJECT_FREE, "on a list");
	check_object(h, 8, KOBJECT_IN_USE, "a cache that has no sheaves");
	cache = kmem_at(&h->k, h->cache);
	cache->cpu_sheaves = h->cpu;
	check_object(h, 5, KOBJECT_FREE, "on a list");
	check_object(h, 8, KOBJECT_UNKNOWN, "a cache that has sheaves");
	kmem_free(&h->k);
	h = make_heap_with_one((struct shape){ .has_kasan = true });
	check_object(h, 5, KOBJECT_FREE, "on a list");
	check_object(h, 8, KOBJECT_UNKNOWN, "a kernel with KASAN");
	kmem_free(&h->k);
}

static void slab__one_cpu_has_a_slab(void)
{
	struct heap *h = make_heap_with_one((struct shape){ .nr_cpus = 2 });
	struct kmem_cache_cpu *cpu;

	check_object(h, 8, KOBJECT_UNKNOWN, "a CPU that is not there may have it");
	cpu = kmem_at(&h->k, h->cpu);
	cpu->slab = h->pages + sizeof(struct page);
	check_object(h, 8, KOBJECT_IN_USE, "another CPU has it");
	kmem_free(&h->k);
}

static void slab__a_circle_ends(void)
{
	struct heap *h = make_heap((struct shape){ 0 });

	slab_of(h)->freelist = object_of(h, 5);
	set_next(h, 5, object_of(h, 6));
	set_next(h, 6, object_of(h, 5));
	check_object(h, 6, KOBJECT_FREE, "in the circle");
	check_object(h, 8, KOBJECT_UNKNOWN, "beside it");
	kmem_free(&h->k);
}

/* What object 3 had when it was free and 7 was the next; another may have it now. */
static u64 link_of(struct heap *h, u64 next)
{
	u64 link;

	set_next(h, 3, next);
	memcpy(&link, kmem_at(&h->k, object_of(h, 3) + NEXT), 8);
	memset(kmem_at(&h->k, object_of(h, 3) + NEXT), 0, 8);
	return link;
}

static bool has_link(struct heap *h, u32 i, u64 link)
{
	struct kernel_object object;

	return ask(h, object_of(h, i) + 8, &link, &object) && object.start == object_of(h, i);
}

static void slab__a_link_says_that_the_object_was_free(void)
{
	struct heap *h = make_heap_with_one((struct shape){ .is_mixed = true });

	CHECK(has_link(h, 3, link_of(h, object_of(h, 7))), "an encoded address of object 7");
	CHECK(has_link(h, 3, link_of(h, 0)), "the encoded end of a list");
	CHECK(!has_link(h, 4, link_of(h, object_of(h, 7))), "what object 3 had, in object 4");
	CHECK(!has_link(h, 3, link_of(h, object_of(h, 7)) + 1), "one beside it");
	CHECK(!has_link(h, 3, link_of(h, object_of(h, 3))), "of itself");
	CHECK(!has_link(h, 3, link_of(h, object_of(h, NR_OBJECTS))), "of an object behind the last");
	CHECK(!has_link(h, 3, object_of(h, 7)), "an address that is not encoded");
	kmem_free(&h->k);
	/* Any pointer may be one. */
	h = make_heap_with_one((struct shape){ 0 });
	CHECK(!has_link(h, 3, link_of(h, object_of(h, 7))), "of a kernel that does not encode");
	kmem_free(&h->k);
}

static bool is_link_of(struct heap *h, u32 i, u64 link)
{
	struct kernel_object object;

	return ask(h, 0, &link, &object) && object.start == object_of(h, i);
}

static void slab__a_link_says_where_it_lay(void)
{
	struct heap *h = make_heap_with_one((struct shape){ .is_mixed = true });
	struct kernel_object object;
	u64 link;

	CHECK(is_link_of(h, 3, link_of(h, object_of(h, 7))), "an encoded address of object 7");
	CHECK(is_link_of(h, 3, link_of(h, 0)), "the encoded end of a list");
	link = link_of(h, object_of(h, 7)) + 1;
	CHECK(!ask(h, 0, &link, &object), "one beside it");
	link = link_of(h, object_of(h, NR_OBJECTS));
	CHECK(!ask(h, 0, &link, &object), "of an object behind the last");
	link = object_of(h, 7);
	CHECK(!ask(h, 0, &link, &object), "an address that is not encoded");
	/* The list of caches goes round without its head. */
	((struct kmem_cache *)kmem_at(&h->k, h->cache))->list = h->cache + offsetof(struct kmem_cache, list);
	CHECK(!ask(h, 0, &link, &object), "it ends");
	kmem_free(&h->k);
}

static void slab__what_is_no_object_is_none(void)
{
	struct heap *h = make_heap((struct shape){ .pad = 16 });
	struct kernel_object object;

	CHECK(!has_object(h, object_of(h, 2) + 130, &object), "between two objects");
	CHECK(!has_object(h, object_of(h, 2) - 1, &object), "in a red zone");
	CHECK(!has_object(h, h->memory + 4096 + NR_OBJECTS * STRIDE + 40, &object), "behind the last");
	CHECK(!has_object(h, h->memory + 40, &object), "a page of no slab");
	CHECK(!has_object(h, h->memory - 40, &object), "in front of the memory");
	CHECK(!has_object(h, ~0ULL, &object), "the end");
	kmem_free(&h->k);
	h = make_heap((struct shape){ .no_slab = true, .has_types = true });
	CHECK(!has_object(h, object_of(h, 2), &object), "a page of another type");
	kmem_free(&h->k);
}

static void slab__absurd_numbers_do_no_harm(void)
{
	struct heap *h = make_heap((struct shape){ 0 });
	struct kmem_cache *cache = kmem_at(&h->k, h->cache);
	struct kernel_object object;

	cache->size = 0;
	CHECK(!has_object(h, object_of(h, 2), &object), "objects of no bytes");
	cache->size = 64;
	CHECK(!has_object(h, object_of(h, 2), &object), "objects larger than their places");
	cache->size = STRIDE;
	cache->offset = STRIDE;
	CHECK(!has_object(h, object_of(h, 2), &object), "the next one's address outside");
	cache->offset = NEXT;
	slab_of(h)->objects = 0;
	CHECK(!has_object(h, object_of(h, 2), &object), "no objects");
	kmem_free(&h->k);
}

int main(void)
{
	alarm(60);
	TAP_RUN(slab__both_lists_are_looked_at);
	TAP_RUN(slab__a_damaged_list_says_nothing_of_what_lies_behind);
	TAP_RUN(slab__where_free_objects_lie_elsewhere_too_none_is_in_use);
	TAP_RUN(slab__one_cpu_has_a_slab);
	TAP_RUN(slab__a_circle_ends);
	TAP_RUN(slab__a_link_says_that_the_object_was_free);
	TAP_RUN(slab__a_link_says_where_it_lay);
	TAP_RUN(slab__what_is_no_object_is_none);
	TAP_RUN(slab__absurd_numbers_do_no_harm);
	return tap_done();
}
