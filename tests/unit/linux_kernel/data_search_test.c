// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Data of a kernel whose symbols are functions only.
 *
 * build: @extractor tests/lib/kmem_image.c
 */
#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#include "linux_kernel/data_search.h"
#include "kmem_image.h"
#include "tap.h"

/* The symbol table, of which only functions are known. */
struct kallsyms {
	u64 clock_function;
	u32 nr;
	struct {
		const char *name;
		u64 addr;
	} learned[32];
};

bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	for (u32 i = 0; i < k->nr; i++) {
		if (!strcmp(k->learned[i].name, name)) {
			*ret = k->learned[i].addr;
			return true;
		}
	}
	return false;
}

u32 kallsyms_nr(const struct kallsyms *k)
{
	return k ? 20000 : 0;
}

void kallsyms_learn(struct kallsyms *k, const char *name, u64 addr)
{
	k->learned[k->nr].name = name;
	k->learned[k->nr++].addr = addr;
}

const char *kallsyms_lost(const struct kallsyms *k)
{
	(void)k;
	return NULL;
}

bool kallsyms_begins(const struct kallsyms *k, u64 addr)
{
	return addr == k->clock_function;
}

bool kallsyms_find(const struct kallsyms *k, u64 addr, struct ksym *ret)
{
	*ret = (struct ksym){ .start = addr, .size = 16, .name = "trace_clock_local" };
	return addr == k->clock_function;
}

/* --- types --------------------------------------------------------------- */

/* A struct's members, 8 bytes each: "*name" is a pointer, "+name" a list, others are numbers. */
static int add_struct(struct btf *btf, const char *name, u32 size, const char * const *members)
{
	int number = btf__find_by_name(btf, "u64"), list = btf__find_by_name(btf, "list_head");
	int pointer = btf__add_ptr(btf, 0), id = btf__add_struct(btf, name, size);

	for (u32 bits = 0; *members; members++) {
		int type = **members == '*' ? pointer : **members == '+' ? list : number;

		btf__add_field(btf, *members + (type != number), type, bits, 0);
		bits += type == list ? 128 : 64;
	}
	return id;
}

/* What each CPU has, in the section of such variables; and classes of devices. */
static void add_percpu_and_classes(struct btf *btf)
{
	int number = btf__find_by_name(btf, "u64"), kobject, kset, pointer = btf__add_ptr(btf, 0);
	int section = btf__add_datasec(btf, ".data..percpu", 0x200);

	btf__add_datasec_var_info(btf, section + 1, 0x40, 8);
	btf__add_datasec_var_info(btf, section + 2, 0x180, 8);
	btf__add_var(btf, "cpu_number", BTF_VAR_GLOBAL_ALLOCATED, number);
	btf__add_var(btf, "runqueues", BTF_VAR_GLOBAL_ALLOCATED, number);
	kobject = add_struct(btf, "kobject", 24, (const char * const []){ "*name", "+entry", NULL });
	kset = add_struct(btf, "kset", 40, (const char * const []){ "+list", NULL });
	btf__add_field(btf, "kobj", kobject, 128, 0);
	btf__add_struct(btf, "subsys_private", 48);
	btf__add_field(btf, "subsys", kset, 0, 0);
	btf__add_field(btf, "class", pointer, 320, 0);
	add_struct(btf, "class", 8, (const char * const []){ "*name", NULL });
}

static void add_types(struct btf *btf, bool kernels)
{
	int buffer;

	btf__add_int(btf, "u64", 8, 0);
	add_struct(btf, "list_head", 16, (const char * const []){ "*next", "*prev", NULL });
	add_struct(btf, "trace_buffer", 8, (const char * const []){ "*clock", NULL });
	add_struct(btf, "trace_event_file", 8, (const char * const []){ "*event_call", NULL });
	add_struct(btf, "trace_event_call", 24, (const char * const []){ "+list", "*class", NULL });
	add_struct(btf, "ftrace_event_field", 24, (const char * const []){ "+link", "*name", NULL });
	buffer = add_struct(btf, "array_buffer", 16, (const char * const []){ "*tr", "*buffer", NULL });
	add_struct(btf, "trace_array", 48, (const char * const []){ "+list", "+events", NULL });
	btf__add_field(btf, "array_buffer", buffer, 256, 0);
	if (kernels)
		add_percpu_and_classes(btf);
	btf__add_str(btf, kernels ? "start_kernel" : "init_module");
}

static u64 put_types(struct kmem *k, enum btf_endianness order, bool kernels)
{
	struct btf *btf = btf__new_empty();
	const void *data;
	u32 size;
	u64 va;

	add_types(btf, kernels);
	btf__set_endianness(btf, order);
	data = btf__raw_data(btf, &size);
	va = kmem_put(k, data, size);
	btf__free(btf);
	return va;
}

/* --- a kernel ------------------------------------------------------------ */

struct made {
	struct kmem k;
	struct kallsyms symbols;
	struct dump *in;
	struct vmem *vmem;
	struct kernel_btf *types;
	struct data_search_image *image;
	struct damage_notes notes;
	u64 btf, arrays, events, fields, export, cpu_number, class_kset, block_class;
};

static u64 put_words(struct kmem *k, const u64 *words, size_t nr)
{
	return kmem_put(k, words, 8 * nr);
}

static u64 put_text(struct kmem *k, const char *text)
{
	return kmem_put(k, text, strlen(text) + 1);
}

static void set(struct kmem *k, u64 va, u64 value)
{
	memcpy(kmem_at(k, va), &value, 8);
}

/* What is not in the image has pages of its own. */
#define SLAB		0xffff888000500000ULL
#define SLAB_PADDR	0x700000

static void set_slab(struct kmem *k, u64 off, u64 value)
{
	memcpy(k->mem + SLAB_PADDR + off, &value, 8);
}

/* One array with one event, one field that all have, and things that look a little like them. */
static void put_trace(struct made *m)
{
	struct kmem *k = &m->k;
	u64 tr, buffer, class, call, decoy;

	kmem_map(k, SLAB, SLAB_PADDR, 0);
	decoy = put_words(k, (u64[6]){ 0 }, 6);
	set(k, decoy + 32, decoy);
	m->arrays = put_words(k, (u64[2]){ 0 }, 2);
	m->events = put_words(k, (u64[3]){ 0, 0, put_words(k, (u64[]){ 1 }, 1) }, 3);
	m->fields = put_words(k, (u64[]){ SLAB, SLAB }, 2);
	set_slab(k, 0, m->fields);
	set_slab(k, 8, m->fields);
	set_slab(k, 16, put_text(k, "common_pid"));
	m->symbols.clock_function = KMEM_TEXT + 0x100000;
	buffer = put_words(k, &m->symbols.clock_function, 1);
	class = put_words(k, (u64[]){ put_text(k, "sched") }, 1);
	call = put_words(k, (u64[]){ m->events, m->events, class }, 3);
	set(k, m->events, call);
	set(k, m->events + 8, call);
	set_slab(k, 64, call);
	tr = put_words(k, (u64[]){ m->arrays, m->arrays, SLAB + 64, SLAB + 64, 0, buffer }, 6);
	set(k, tr + 32, tr);
	set(k, m->arrays, tr);
	set(k, m->arrays + 8, tr);
}

/* As EXPORT_SYMBOL() writes it: distances of symbol and name from their words.  Return: the symbol's address. */
static u64 put_export(struct made *m, const char *symbol)
{
	u64 name, where, at;
	s32 entry[2];

	kmem_put(&m->k, "", 1);
	name = put_text(&m->k, symbol);
	where = put_words(&m->k, (u64[]){ 2 }, 1);
	at = put_words(&m->k, (u64[]){ 0 }, 1);
	entry[0] = where - at;
	entry[1] = name - (at + 4);
	memcpy(kmem_at(&m->k, at), entry, sizeof(entry));
	return where;
}

/* A kset of two classes, the second one that of disks; and one that is called otherwise. */
static void put_classes(struct made *m)
{
	struct kmem *k = &m->k;
	u64 set = SLAB + 0x100, mem = SLAB + 0x200, block = SLAB + 0x300, bus = SLAB + 0x400;
	u64 other = put_words(k, (u64[]){ put_text(k, "mem") }, 1);

	put_words(k, (u64[]){ bus }, 1);
	set_slab(k, 0x400 + 16, put_text(k, "bus"));
	m->block_class = put_words(k, (u64[]){ put_text(k, "block") }, 1);
	m->class_kset = put_words(k, (u64[]){ set }, 1);
	set_slab(k, 0x100, mem + 24);
	set_slab(k, 0x100 + 16, put_text(k, "class"));
	set_slab(k, 0x200 + 24, block + 24);
	set_slab(k, 0x200 + 40, other);
	set_slab(k, 0x300 + 24, set);
	set_slab(k, 0x300 + 40, m->block_class);
}

static struct made make(void)
{
	struct made m = { .k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 }) };

	kmem_info(&m.k, "SYMBOL(_stext)=%llx", KMEM_TEXT);
	put_words(&m.k, (u64[]){ 0xeb9f }, 1);
	put_types(&m.k, BTF_LITTLE_ENDIAN, false);
	m.btf = put_types(&m.k, BTF_LITTLE_ENDIAN, true);
	m.export = put_export(&m, "nr_cpu_ids");
	m.cpu_number = put_export(&m, "cpu_number");
	put_trace(&m);
	put_classes(&m);
	return m;
}

static void look(struct made *m)
{
	struct err err = ERR_INIT;
	u64 start = 0;
	void *data;

	if (dump_open_fd(&m->in, kmem_fd(&m->k), &err) || vmem_open(&m->vmem, m->in, &err) ||
	    data_search_image(&m->image, m->vmem, &m->symbols, &err) || !m->image) {
		CHECK(false, "%s", err.msg);
		exit(99);
	}
	data_search_types(m->image);
	if (!kallsyms_address(&m->symbols, "__start_BTF", &start))
		return;
	data = kmem_at(&m->k, start);
	CHECK(!kernel_btf_parse(&m->types, data, KMEM_TEXT + m->k.used - start, &err), "%s", err.msg);
	data_search_data(m->image, m->types, &m->notes);
}

static void end(struct made *m)
{
	data_search_close(m->image);
	kernel_btf_close(m->types);
	vmem_close(m->vmem);
	dump_close(m->in);
	damage_notes_free(&m->notes);
	kmem_free(&m->k);
}

static void check_found(struct made *m, const char *name, u64 where)
{
	u64 found = 0;

	CHECK(kallsyms_address(&m->symbols, name, &found) == !!where && found == where,
	      "%s: %#llx, not %#llx", name, found, where);
}

/* --- claims -------------------------------------------------------------- */

static void kfind__types_lists_and_exports_are_found(void)
{
	struct made m = make();

	look(&m);
	check_found(&m, "__start_BTF", m.btf);
	check_found(&m, "ftrace_trace_arrays", m.arrays);
	check_found(&m, "ftrace_events", m.events);
	check_found(&m, "ftrace_common_fields", m.fields);
	check_found(&m, "nr_cpu_ids", m.export);
	check_found(&m, "runqueues", m.cpu_number - 0x40 + 0x180);
	check_found(&m, "class_kset", m.class_kset);
	check_found(&m, "block_class", m.block_class);
	check_found(&m, "savedcmd", 0);
	check_found(&m, "modules", 0);
	check_found(&m, "tk_core", 0);
	end(&m);
}

static void kfind__a_list_that_does_not_come_back_has_no_head(void)
{
	struct made m = make();

	set(&m.k, m.arrays + 8, 0);
	memcpy(kmem_at(&m.k, m.events + 16), &(u64){ 0x1234 }, 8);
	look(&m);
	check_found(&m, "ftrace_trace_arrays", m.arrays);
	check_found(&m, "ftrace_events", m.events);
	end(&m);
}

/* Its list leads on, and to no class of disks: all are looked at, and no further. */
static void kfind__classes_without_disks_are_none(void)
{
	struct made m = make();

	set_slab(&m.k, 0x300 + 24, SLAB + 0x200 + 24);
	set(&m.k, m.block_class, 0);
	look(&m);
	check_found(&m, "class_kset", 0);
	check_found(&m, "block_class", 0);
	end(&m);
}

static void kfind__types_that_do_not_fit_are_none(void)
{
	struct made m = make();

	memcpy(kmem_at(&m.k, m.btf + 20), &(u32){ 0x7fffffff }, 4);
	look(&m);
	check_found(&m, "__start_BTF", 0);
	check_found(&m, "ftrace_trace_arrays", 0);
	end(&m);
}

int main(void)
{
	TAP_RUN(kfind__types_lists_and_exports_are_found);
	TAP_RUN(kfind__a_list_that_does_not_come_back_has_no_head);
	TAP_RUN(kfind__classes_without_disks_are_none);
	TAP_RUN(kfind__types_that_do_not_fit_are_none);
	return tap_done();
}
