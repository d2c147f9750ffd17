// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of modules out of a dump.
 *
 * build: tests/lib/kmem_image.c @extractor
 */
#include <bpf/btf.h>
#include <string.h>
#include <unistd.h>

#include "linux_kernel/modules.h"
#include "kmem_image.h"
#include "tap.h"

#define UNFORMED	3

/* struct module { struct list_head list; unsigned int state; char name[56]; }; */
struct module {
	u64 next, prev;
	u32 state;
	char name[56];
};

static u64 head;

/* The only symbol that is asked for. */
bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	(void)k;
	*ret = head;
	return !strcmp(name, "modules");
}

static struct kernel_btf *make_types(void)
{
	struct btf *btf = btf__new_empty();
	int u32_id = btf__add_int(btf, "u32", 4, 0), char_id = btf__add_int(btf, "char", 1, 0);
	int list = btf__add_struct(btf, "list_head", 16), name;
	struct kernel_btf *kt = NULL;
	const void *data;
	u32 size;

	name = btf__add_array(btf, u32_id, char_id, 56);
	btf__add_struct(btf, "module", sizeof(struct module));
	btf__add_field(btf, "list", list, 0, 0);
	btf__add_field(btf, "state", u32_id, 128, 0);
	btf__add_field(btf, "name", name, 160, 0);
	data = btf__raw_data(btf, &size);
	if (!CHECK(!kernel_btf_parse(&kt, data, size, NULL), "types"))
		exit(99);
	btf__free(btf);
	return kt;
}

/* A dump with modules of these states; the last leads to the one of number @to, -1 being the head. */
struct dump {
	struct kmem k;
	struct dump *in;
	struct vmem *vmem;
	struct kernel_btf *types;
	struct kernel_modules *modules;
	struct damage_notes notes;
};

static void make_list(struct dump *d, const u32 *states, u32 nr, int to)
{
	u64 at[8];
	u32 i;

	head = kmem_put(&d->k, (u64[2]){ 0 }, 16);
	for (i = 0; i < nr; i++) {
		struct module m = { .state = states[i] };

		snprintf(m.name, sizeof(m.name), "m%u", i);
		at[i] = kmem_put(&d->k, &m, sizeof(m));
	}
	memcpy(kmem_at(&d->k, head), &at[0], 8);
	for (i = 0; i < nr; i++)
		memcpy(kmem_at(&d->k, at[i]), i + 1 < nr ? &at[i + 1] : to < 0 ? &head : &at[to], 8);
}

static struct dump open_dump(const u32 *states, u32 nr, int to)
{
	struct dump d = { .k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 }) };
	struct err err = ERR_INIT;
	char path[40];

	make_list(&d, states, nr, to);
	d.types = make_types();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", kmem_fd(&d.k));
	if (!CHECK(!dump_open(&d.in, path, &err) && !vmem_open(&d.vmem, d.in, &err) &&
		   !kernel_modules_open(&d.modules, d.vmem, NULL, d.types, &d.notes, &err), "%s", err.msg))
		exit(99);
	return d;
}

static void close_dump(struct dump *d)
{
	kernel_modules_close(d->modules);
	kernel_btf_close(d->types);
	vmem_close(d->vmem);
	dump_close(d->in);
	damage_notes_free(&d->notes);
	kmem_free(&d->k);
}

static void modules__those_that_are_formed_are_listed(void)
{
	struct dump d = open_dump((u32[]){ 0, UNFORMED, 1 }, 3, -1);

	CHECK(d.modules->nr == 2 && !strcmp(d.modules->list[0].name, "m0") &&
	      !strcmp(d.modules->list[1].name, "m2"), "%u", d.modules->nr);
	CHECK(!d.notes.nr, "%llu", d.notes.nr);
	close_dump(&d);
}

static void modules__a_circle_beside_the_head_is_told_and_left(void)
{
	struct dump d = open_dump((u32[]){ 0, 0 }, 2, 0);

	CHECK(d.modules->nr == 2 && d.notes.nr == 1, "%u %llu", d.modules->nr, d.notes.nr);
	close_dump(&d);
}

/* Nothing of it is ever taken, so nothing is met again. */
static void modules__a_circle_of_unformed_ones_is_left_too(void)
{
	struct dump d = open_dump((u32[]){ 0, UNFORMED, UNFORMED }, 3, 1);

	CHECK(d.modules->nr == 1 && d.notes.nr == 1, "%u %llu", d.modules->nr, d.notes.nr);
	close_dump(&d);
}

int main(void)
{
	alarm(60);
	TAP_RUN(modules__those_that_are_formed_are_listed);
	TAP_RUN(modules__a_circle_beside_the_head_is_told_and_left);
	TAP_RUN(modules__a_circle_of_unformed_ones_is_left_too);
	return tap_done();
}
