// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The areas of vmalloc() out of a dump, and who asked for them.
 *
 * build: tests/lib/kmem_image.c @extractor -Wl,-z,muldefs
 */
#include <bpf/btf.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel_state/vmalloc_areas.h"
#include "kmem_image.h"
#include "tap.h"

/* As the test's BTF has them. */
struct vm_struct {
	u64 caller;
	u32 nr_pages, unused;
};

struct vmap_area {
	u64 va_start, va_end, next, prev, vm;
};

/* Three, as since 6.9. */
struct vmap_node {
	u64 pool[3], root, next, prev, lock;
};

static u64 list_head, nodes_at, nr_nodes_at;

bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	(void)k;
	*ret = !strcmp(name, "vmap_area_list") ? list_head : !strcmp(name, "vmap_nodes") ? nodes_at :
	       !strcmp(name, "nr_vmap_nodes") ? nr_nodes_at : 0;
	return *ret;
}

static struct kernel_btf *make_area_types(void)
{
	struct btf *btf = btf__new_empty();
	int u32_id = btf__add_int(btf, "u32", 4, 0), u64_id = btf__add_int(btf, "u64", 8, 0), list, rb_list;
	struct kernel_btf *kt = NULL;
	const void *data;
	u32 size;

	list = btf__add_struct(btf, "list_head", 16);
	btf__add_struct(btf, "vm_struct", sizeof(struct vm_struct));
	btf__add_field(btf, "caller", u64_id, 0, 0);
	btf__add_field(btf, "nr_pages", u32_id, 64, 0);
	btf__add_struct(btf, "vmap_area", sizeof(struct vmap_area));
	btf__add_field(btf, "va_start", u64_id, 0, 0);
	btf__add_field(btf, "va_end", u64_id, 64, 0);
	btf__add_field(btf, "list", list, 128, 0);
	btf__add_field(btf, "vm", u64_id, 256, 0);
	rb_list = btf__add_struct(btf, "rb_list", 32);
	btf__add_field(btf, "root", u64_id, 0, 0);
	btf__add_field(btf, "head", list, 64, 0);
	btf__add_struct(btf, "vmap_node", sizeof(struct vmap_node));
	btf__add_field(btf, "busy", rb_list, 192, 0);
	data = btf__raw_data(btf, &size);
	if (!CHECK(!kernel_btf_parse(&kt, data, size, NULL), "types"))
		exit(99);
	btf__free(btf);
	return kt;
}

#define BASE	0xffffc90000000000ULL

static void end_image(struct kmem *k, struct kernel *kernel)
{
	struct err err = ERR_INIT;
	char path[40];
	int fd = kmem_fd(k);

	kernel->ktypes = make_area_types();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!CHECK(!dump_open(&kernel->dump, path, &err) && !vmem_open(&kernel->vmem, kernel->dump, &err), "%s", err.msg))
		exit(99);
	close(fd);
}

/* Areas of 16 pages' room, with these pages and callers; with @to the last one leads there, and not to the head. */
static void make_areas(struct kmem *k, struct kernel *kernel, const struct vm_struct *vms, u32 nr, u64 to)
{
	u64 nodes[8], head[2] = { 0 };

	*k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 });
	*kernel = (struct kernel){ .kallsyms = (struct kallsyms *)kernel, .machine = EM_X86_64 };
	list_head = kmem_put(k, head, sizeof(head));
	for (u32 i = 0; i < nr; i++) {
		struct vmap_area area = { .va_start = BASE + 0x10000 * i, .va_end = BASE + 0x10000 * i + 0xf000 };

		/* vm_map_ram() has none. */
		area.vm = vms[i].caller ? kmem_put(k, &vms[i], sizeof(vms[i])) : 0;
		nodes[i] = kmem_put(k, &area, sizeof(area)) + 16;
	}
	for (u32 i = 0; i <= nr; i++) {
		u64 next = i == nr ? (to ?: list_head) : nodes[i];

		memcpy(kmem_at(k, i ? nodes[i - 1] : list_head), &next, 8);
	}
	end_image(k, kernel);
}

/* The areas by turns in @nr_nodes lists. */
static void make_nodes(struct kmem *k, struct kernel *kernel, const struct vm_struct *vms, u32 nr, u32 nr_nodes)
{
	struct vmap_node nodes[3] = { { .root = 0 } };
	u64 at, ends[3];

	*k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 });
	*kernel = (struct kernel){ .kallsyms = (struct kallsyms *)kernel, .machine = EM_X86_64 };
	at = kmem_put(k, nodes, sizeof(nodes));
	nodes_at = kmem_put(k, &at, 8);
	nr_nodes_at = kmem_put(k, &nr_nodes, 4);
	for (u32 i = 0; i < 3; i++)
		ends[i] = at + i * sizeof(*nodes) + offsetof(struct vmap_node, next);
	for (u32 i = 0; i < nr; i++) {
		struct vmap_area area = { .va_start = BASE + 0x10000 * i, .va_end = BASE + 0x10000 * i + 0xf000, .vm = kmem_put(k, &vms[i], sizeof(vms[i])) };
		u64 node = kmem_put(k, &area, sizeof(area)) + 16;

		memcpy(kmem_at(k, ends[i % nr_nodes]), &node, 8);
		ends[i % nr_nodes] = node;
	}
	for (u32 i = 0; i < 3; i++) {
		u64 head = at + i * sizeof(*nodes) + offsetof(struct vmap_node, next);

		memcpy(kmem_at(k, ends[i]), &head, 8);
	}
	end_image(k, kernel);
}

static void drop_areas(struct kmem *k, struct kernel *kernel)
{
	kernel_btf_close(kernel->ktypes);
	vmem_close(kernel->vmem);
	dump_close(kernel->dump);
	kmem_free(k);
}

static const struct vm_struct some[] = { { 0x1000, 100, 0 }, { 0x2000, 90, 0 }, { 0, 0, 0 }, { 0x2000, 90, 0 }, { 0x3000, 0, 0 } };

static void vmalloc__the_largest_user_is_found(void)
{
	struct vmalloc_user user;
	struct kernel kernel;
	struct kmem k;
	u64 all;

	make_areas(&k, &kernel, some, 5, 0);
	CHECK(vmalloc_largest_user(&kernel, &user, &all) && user.caller == 0x2000 && user.nr == 2 && user.pages == 180 && all == 280,
	      "%#llx: %llu with %llu of %llu", user.caller, user.nr, user.pages, all);
	drop_areas(&k, &kernel);
}

static void vmalloc__a_list_that_breaks_off_says_nothing(void)
{
	struct vmalloc_user user;
	struct kernel kernel;
	struct kmem k;
	u64 all;

	make_areas(&k, &kernel, some, 5, 0x123456789000);
	CHECK(!vmalloc_largest_user(&kernel, &user, &all), "it ends at a page that is not there");
	drop_areas(&k, &kernel);
	make_areas(&k, &kernel, some, 0, 0);
	CHECK(!vmalloc_largest_user(&kernel, &user, &all), "it is empty");
	list_head = 0;
	CHECK(!vmalloc_largest_user(&kernel, &user, &all), "there is none");
	drop_areas(&k, &kernel);
}

static void vmalloc__an_address_is_of_its_area(void)
{
	struct vmalloc_area area;
	struct kernel kernel;
	struct kmem k;

	make_areas(&k, &kernel, some, 5, 0);
	CHECK(vmalloc_area_at(&kernel, BASE + 0x1e123, &area) && area.caller == 0x2000 && area.start == BASE + 0x10000, "%#llx", area.start);
	CHECK(vmalloc_area_at(&kernel, BASE + 0x20000, &area) && !area.caller, "of vm_map_ram()");
	CHECK(!vmalloc_area_at(&kernel, BASE + 0x1f000, &area), "in front of the next one");
	CHECK(!vmalloc_area_at(&kernel, BASE - 1, &area) && !vmalloc_area_at(&kernel, BASE + 0x50000, &area), "beside all");
	drop_areas(&k, &kernel);
}

/* A list that leads back into itself has an end. */
static void vmalloc__a_circle_has_an_end(void)
{
	struct vmalloc_user user;
	struct kernel kernel;
	struct kmem k;
	u64 all, first;

	make_areas(&k, &kernel, some, 5, 0);
	memcpy(&first, kmem_at(&k, list_head), 8);
	drop_areas(&k, &kernel);
	make_areas(&k, &kernel, some, 5, first);
	CHECK(!vmalloc_largest_user(&kernel, &user, &all), "it is no list");
	drop_areas(&k, &kernel);
}

/* Of kernels since 6.9. */
static void vmalloc__areas_of_all_nodes_are_found(void)
{
	static const struct vm_struct all_have[] = { { 0x1000, 100, 0 }, { 0x2000, 90, 0 }, { 0x1000, 1, 0 }, { 0x2000, 90, 0 }, { 0x3000, 7, 0 } };
	struct vmalloc_user user;
	struct vmalloc_area area;
	struct kernel kernel;
	struct kmem k;
	u64 all;

	list_head = 0;
	for (u32 nr = 1; nr <= 3; nr++) {
		make_nodes(&k, &kernel, all_have, 5, nr);
		CHECK(vmalloc_largest_user(&kernel, &user, &all) && user.caller == 0x2000 && user.nr == 2 && user.pages == 180 && all == 288,
		      "of %u: %#llx: %llu with %llu of %llu", nr, user.caller, user.nr, user.pages, all);
		for (u32 i = 0; i < 5; i++)
			CHECK(vmalloc_area_at(&kernel, BASE + 0x10000 * i + 1, &area) && area.start == BASE + 0x10000 * i, "of %u: area %u", nr, i);
		CHECK(!vmalloc_area_at(&kernel, BASE + 0x50000, &area), "behind all");
		drop_areas(&k, &kernel);
	}
	make_nodes(&k, &kernel, all_have, 0, 3);
	CHECK(!vmalloc_area_at(&kernel, BASE, &area), "there are none");
	drop_areas(&k, &kernel);
	nodes_at = nr_nodes_at = 0;
}

int main(void)
{
	alarm(60);
	TAP_RUN(vmalloc__the_largest_user_is_found);
	TAP_RUN(vmalloc__a_list_that_breaks_off_says_nothing);
	TAP_RUN(vmalloc__an_address_is_of_its_area);
	TAP_RUN(vmalloc__a_circle_has_an_end);
	TAP_RUN(vmalloc__areas_of_all_nodes_are_found);
	return tap_done();
}
