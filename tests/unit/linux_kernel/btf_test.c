// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types out of BTF, which libbpf writes here.
 *
 * build: tests/lib/kmem_image.c @extractor
 */
#include <bpf/btf.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "linux_kernel/btf.h"
#include "kmem_image.h"
#include "tap.h"

/*
 * struct inner { u32 a; union { u64 b; struct inner *c; }; };
 * typedef struct inner inner_t;
 * struct outer { inner_t in; char name[16]; u32 low:3; u32 high:5; enum e kind; };
 * struct twice { u32 a; };  struct twice { u64 other; };
 */
static struct btf *make_btf(void)
{
	struct btf *btf = btf__new_empty();
	int u32_id = btf__add_int(btf, "u32", 4, 0), u64_id = btf__add_int(btf, "u64", 8, 0);
	int char_id = btf__add_int(btf, "char", 1, 0), ptr, un, inner, td, arr, e;

	ptr = btf__add_ptr(btf, 6);
	un = btf__add_union(btf, "", 8);
	btf__add_field(btf, "b", u64_id, 0, 0);
	btf__add_field(btf, "c", ptr, 0, 0);
	inner = btf__add_struct(btf, "inner", 16);
	btf__add_field(btf, "a", u32_id, 0, 0);
	btf__add_field(btf, "", un, 64, 0);
	td = btf__add_typedef(btf, "inner_t", btf__add_const(btf, inner));
	arr = btf__add_array(btf, u32_id, char_id, 16);
	e = btf__add_enum(btf, "e", 4);
	btf__add_enum_value(btf, "FIRST", 1);
	btf__add_enum_value(btf, "SECOND", 7);
	btf__add_struct(btf, "outer", 40);
	btf__add_field(btf, "in", td, 0, 0);
	btf__add_field(btf, "name", arr, 128, 0);
	btf__add_field(btf, "low", u32_id, 256, 3);
	btf__add_field(btf, "high", u32_id, 259, 5);
	btf__add_field(btf, "kind", e, 288, 0);
	btf__add_struct(btf, "twice", 4);
	btf__add_field(btf, "a", u32_id, 0, 0);
	btf__add_struct(btf, "twice", 8);
	btf__add_field(btf, "other", u64_id, 0, 0);
	return btf;
}

static u8 *make_bytes(u32 *size)
{
	struct btf *btf = make_btf();
	const void *data = btf__raw_data(btf, size);
	u8 *copy = malloc(*size);

	memcpy(copy, data, *size);
	btf__free(btf);
	return copy;
}

static struct kernel_btf *open_types(void)
{
	struct err err = ERR_INIT;
	struct kernel_btf *kt = NULL;
	u32 size;
	u8 *data = make_bytes(&size);

	if (!CHECK(!kernel_btf_parse(&kt, data, size, &err), "%s", err.msg))
		exit(99);
	free(data);
	return kt;
}

static void check_member(const struct kernel_btf *kt, const char *type, const char *path, u32 offset,
			 u32 size, enum btf_kind kind)
{
	struct btf_member_place m = { 0 };

	CHECK(kernel_btf_member(kt, type, path, &m) && m.offset == offset && m.size == size &&
	      m.kind == kind, "%s %s: %u %u %d", type, path, m.offset, m.size, m.kind);
}

static void types__members_are_found_through_unnamed_ones_and_typedefs(void)
{
	struct kernel_btf *kt = open_types();
	struct btf_member_place m;

	check_member(kt, "inner", "a", 0, 4, KKIND_INT);
	check_member(kt, "inner", "b", 8, 8, KKIND_INT);
	check_member(kt, "inner", "c", 8, 8, KKIND_POINTER);
	check_member(kt, "inner_t", "c", 8, 8, KKIND_POINTER);
	check_member(kt, "outer", "in", 0, 16, KKIND_STRUCT);
	check_member(kt, "outer", "in.c", 8, 8, KKIND_POINTER);
	check_member(kt, "outer", "name", 16, 16, KKIND_ARRAY);
	check_member(kt, "outer", "kind", 36, 4, KKIND_ENUM);
	check_member(kt, "twice", "other", 0, 8, KKIND_INT);
	CHECK(kernel_btf_member(kt, "outer", "high", &m) && m.offset == 32 && m.bit == 3 &&
	      m.nr_bits == 5, "%u %u %u", m.offset, m.bit, m.nr_bits);
	CHECK(kernel_btf_member(kt, "outer", "name", &m) && m.nr == 16 &&
	      !strcmp(kernel_btf_of(kt, &m), "char"), "%u", m.nr);
	CHECK(kernel_btf_member(kt, "inner", "c", &m) && !strcmp(kernel_btf_of(kt, &m), "inner"), "%s",
	      kernel_btf_of(kt, &m));
	kernel_btf_close(kt);
}

static void types__what_is_not_there_is_not_found(void)
{
	struct kernel_btf *kt = open_types();
	struct btf_member_place m;
	u32 n;

	CHECK(!kernel_btf_member(kt, "outer", "in.d", &m), "d");
	CHECK(!kernel_btf_member(kt, "outer", "name.a", &m), "name.a");
	CHECK(!kernel_btf_member(kt, "outer", "", &m), "nothing");
	CHECK(!kernel_btf_member(kt, "u32", "a", &m), "u32");
	CHECK(!kernel_btf_member(NULL, "inner", "a", &m), "NULL");
	CHECK(!kernel_btf_offset(kt, "inner", "a", KKIND_POINTER, &n), "kind");
	CHECK(!kernel_btf_size(kt, "none", &n), "none");
	kernel_btf_close(kt);
}

static void types__enums_and_sizes(void)
{
	struct kernel_btf *kt = open_types();
	s64 value = 0;
	u32 n = 0;

	CHECK(kernel_btf_size(kt, "outer", &n) && n == 40, "%u", n);
	CHECK(kernel_btf_enum_value(kt, "e", "SECOND", &value) && value == 7, "%lld", value);
	CHECK(kernel_btf_enum_value(kt, NULL, "FIRST", &value) && value == 1, "%lld", value);
	CHECK(!kernel_btf_enum_value(kt, "e", "THIRD", &value), "%lld", value);
	CHECK(kernel_btf_enum_name(kt, "e", 7) && !strcmp(kernel_btf_enum_name(kt, "e", 7), "SECOND"), "7");
	CHECK(!kernel_btf_enum_name(kt, "e", 8), "8");
	kernel_btf_close(kt);
}

/* Whatever the bytes are, nothing outside them is read: run under ASan. */
static void types__damaged_bytes_do_no_harm(void)
{
	struct kernel_btf *kt;
	struct btf_member_place m;
	u32 size, nr = 0, seed = 1;
	u8 *good = make_bytes(&size);

	for (u32 i = 0; i < 20000; i++) {
		u8 *bad = malloc(size);
		u32 len = i % 3 ? size : i % size;

		memcpy(bad, good, size);
		for (u32 k = 0; k <= i % 4; k++) {
			seed = seed * 1664525 + 1013904223;
			bad[(seed >> 8) % (i & 1 ? size : 24)] = seed >> 24;
		}
		bad = realloc(bad, len ? len : 1);
		kt = NULL;
		if (!kernel_btf_parse(&kt, bad, len, NULL)) {
			nr++;
			kernel_btf_member(kt, "outer", "in.c", &m);
			kernel_btf_member(kt, "twice", "nothing", &m);
			kernel_btf_enum_name(kt, "e", 99);
			kernel_btf_close(kt);
		}
		free(bad);
	}
	CHECK(nr > 100, "%u were taken", nr);
	free(good);
}

/* One very long name, of which every type and every enumerator has an end. */
static void types__names_that_are_ends_of_one_another_take_no_time(void)
{
	enum { LONG = 1 << 21, NR = 50000 };
	struct btf *btf = btf__new_empty();
	char *name = malloc(LONG);
	struct kernel_btf *kt = NULL;
	u32 size, off, i, id;
	u8 *data;
	s64 value;

	memset(name, 'A', LONG - 1);
	name[LONG - 1] = 0;
	off = btf__add_str(btf, name);
	btf__add_struct(btf, "outer", 0);
	for (i = 0; i < NR; i++) {
		id = btf__add_enum(btf, "e", 4);
		btf__add_enum_value(btf, "B", i);
		((struct btf_type *)btf__type_by_id(btf, id))->name_off = off + i;
		btf_enum(btf__type_by_id(btf, id))->name_off = off + i;
	}
	data = (u8 *)btf__raw_data(btf, &size);
	CHECK(!kernel_btf_parse(&kt, data, size, NULL) && kernel_btf_size(kt, "outer", &size) == false, "taken");
	CHECK(!kernel_btf_enum_value(kt, NULL, "A", &value), "A");
	kernel_btf_close(kt);
	btf__free(btf);
	free(name);
}

/*
 * struct ops { u64 pad; void *open; };  struct dev { union { u32 x; u64 y; }; struct ops *ops; struct in { u8 a[4]; u32 b; } in[2]; };
 * int start(const struct dev *dev, struct in by_value, struct ops *ops);  twice() has two prototypes.
 */
static struct kernel_btf *open_functions(void)
{
	struct btf *btf = btf__new_empty();
	int u8_id = btf__add_int(btf, "u8", 1, 0), u32_id = btf__add_int(btf, "u32", 4, 0);
	int u64_id = btf__add_int(btf, "u64", 8, 0), array = btf__add_array(btf, u32_id, u8_id, 4);
	int open = btf__add_ptr(btf, 0), ops, in, un, ins, dev, proto, other;
	struct kernel_btf *kt = NULL;
	const void *data;
	u32 size;

	ops = btf__add_struct(btf, "ops", 16);
	btf__add_field(btf, "pad", u64_id, 0, 0);
	btf__add_field(btf, "open", open, 64, 0);
	ops = btf__add_ptr(btf, ops);
	in = btf__add_struct(btf, "in", 8);
	btf__add_field(btf, "a", array, 0, 0);
	btf__add_field(btf, "b", u32_id, 32, 0);
	ins = btf__add_array(btf, u32_id, in, 2);
	un = btf__add_union(btf, "", 8);
	btf__add_field(btf, "x", u32_id, 0, 0);
	btf__add_field(btf, "y", u64_id, 0, 0);
	dev = btf__add_struct(btf, "dev", 32);
	btf__add_field(btf, "", un, 0, 0);
	btf__add_field(btf, "ops", ops, 64, 0);
	btf__add_field(btf, "in", ins, 128, 0);
	dev = btf__add_ptr(btf, btf__add_const(btf, dev));
	proto = btf__add_func_proto(btf, u32_id);
	btf__add_func_param(btf, "dev", dev);
	btf__add_func_param(btf, "by_value", in);
	btf__add_func_param(btf, "ops", ops);
	other = btf__add_func_proto(btf, u32_id);
	btf__add_func_param(btf, "ops", ops);
	btf__add_func(btf, "start", BTF_FUNC_STATIC, proto);
	btf__add_func(btf, "twice", BTF_FUNC_STATIC, proto);
	btf__add_func(btf, "twice", BTF_FUNC_STATIC, other);
	data = btf__raw_data(btf, &size);
	CHECK(!kernel_btf_parse(&kt, data, size, NULL), "parsed");
	btf__free(btf);
	return kt;
}

static void check_behind(const struct kernel_btf *kt, u32 type, u32 offset, u32 size, const char *path)
{
	char found[40] = "";
	u32 member;
	bool is = kernel_btf_behind(kt, type, offset, size, found, sizeof(found), &member);

	CHECK(path ? is && !strcmp(found, path) : !is, "%u bytes at %u: %s, not %s", size, offset, found, path ?: "none");
}

static void types__arguments_and_what_lies_behind_them(void)
{
	struct kernel_btf *kt = open_functions();
	struct btf_parameter p;
	char path[40];
	u32 type;

	if (CHECK(kernel_btf_parameter(kt, "start", 0, &p) && !strcmp(p.name, "dev"), "the first argument")) {
		CHECK(!strcmp(kernel_btf_pointee(kt, p.type), "dev"), "it points to a dev");
		check_behind(kt, p.type, 8, 8, "ops");
		check_behind(kt, p.type, 16, 1, "in[0].a[0]");
		check_behind(kt, p.type, 26, 1, "in[1].a[2]");
		check_behind(kt, p.type, 28, 4, "in[1].b");
		check_behind(kt, p.type, 0, 4, NULL);	/* two members of a union */
		check_behind(kt, p.type, 12, 8, NULL);	/* across two members */
		check_behind(kt, p.type, 32, 1, NULL);
		CHECK(!kernel_btf_behind(kt, p.type, 26, 1, path, 6, &type), "no room for the name");
		CHECK(kernel_btf_behind(kt, p.type, 8, 8, path, sizeof(path), &type), "ops");
		check_behind(kt, type, 8, 8, "open");
	}
	CHECK(!kernel_btf_parameter(kt, "start", 1, &p) && !kernel_btf_parameter(kt, "start", 2, &p),
	      "a struct by value, and what comes behind it");
	CHECK(!kernel_btf_parameter(kt, "start", 3, &p) && !kernel_btf_parameter(kt, "none", 0, &p) &&
	      !kernel_btf_parameter(kt, "twice", 0, &p) && !kernel_btf_parameter(NULL, "start", 0, &p), "none");
	kernel_btf_close(kt);
}

/*
 * What libbpf writes as a part that goes on from another one, both in their own byte order.  A kernel
 * and a module of two orders are none of one machine.
 */
static void check_module(enum btf_endianness kernel_order, enum btf_endianness module_order)
{
	u32 size, inner;
	u8 *bytes = make_bytes(&size);
	struct btf *base = btf__new(bytes, size), *split = btf__new_empty_split(base);
	struct kernel_btf *kernel = NULL, *module = NULL;
	bool is_one = kernel_order == module_order;
	struct btf_parameter p = { "", 0 };
	struct err err = ERR_INIT;
	const void *data;
	int proto, card;

	btf__set_endianness(base, kernel_order);
	data = btf__raw_data(base, &size);
	CHECK(!kernel_btf_parse(&kernel, data, size, &err), "%s", err.msg);
	inner = btf__find_by_name_kind(base, "inner", BTF_KIND_STRUCT);
	card = btf__add_struct(split, "card", 32);
	btf__add_field(split, "inner", inner, 64, 0);
	card = btf__add_ptr(split, card);
	proto = btf__add_func_proto(split, 0);
	btf__add_func_param(split, "card", card);
	btf__add_func(split, "deal", BTF_FUNC_STATIC, proto);
	btf__set_endianness(split, module_order);
	data = btf__raw_data(split, &size);
	if (!is_one) {
		CHECK(kernel_btf_parse_module(&module, data, size, kernel, &err) == -ERR_CORRUPT &&
		      strstr(err.msg, "another byte order"), "refused: %s", err.msg);
	} else if (CHECK(!kernel_btf_parse_module(&module, data, size, kernel, &err), "%s", err.msg)) {
		CHECK(kernel_btf_parameter(module, "deal", 0, &p) && !strcmp(p.name, "card"), "the argument");
		CHECK(!strcmp(kernel_btf_pointee(module, p.type), "card"), "its type: %s", kernel_btf_pointee(module, p.type));
		check_behind(module, p.type, 8, 4, "inner.a");
		kernel_btf_close(module);
	}
	for (u32 cut = 0; cut < size; cut++)
		if (!kernel_btf_parse_module(&module, data, cut, kernel, NULL))
			kernel_btf_close(module);
	kernel_btf_close(kernel);
	btf__free(split);
	btf__free(base);
	free(bytes);
}

static void types__those_of_a_module_go_on(void)
{
	check_module(BTF_LITTLE_ENDIAN, BTF_LITTLE_ENDIAN);
	check_module(BTF_BIG_ENDIAN, BTF_BIG_ENDIAN);
	check_module(BTF_LITTLE_ENDIAN, BTF_BIG_ENDIAN);
	check_module(BTF_BIG_ENDIAN, BTF_LITTLE_ENDIAN);
}

/* A kernel without symbols, of which the region says that its types are there. */
static int open_recorders(struct kernel_btf **ret, const struct kmem *k, const struct dump_types *types,
			  struct err *err)
{
	struct dump *in = NULL;
	struct vmem *vmem = NULL;
	int res = dump_open_fd(&in, kmem_fd(k), err);

	if (!res)
		res = vmem_open(&vmem, in, err);
	if (!CHECK(!res, "%s", err->msg))
		exit(99);
	dump_set_types(in, types);
	res = kernel_btf_open(ret, vmem, NULL, err);
	vmem_close(vmem);
	dump_close(in);
	return res;
}

static void check_refused(const struct kmem *k, struct dump_types types, int expected, const char *words)
{
	struct err err = ERR_INIT;
	struct kernel_btf *kt = NULL;
	int res = open_recorders(&kt, k, &types, &err);

	CHECK(res == expected && !kt && strstr(err.msg, words), "%d: %s", res, err.msg);
}

static void types__a_kernel_without_any_has_its_recorders(void)
{
	struct kmem k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 });
	struct kernel_btf *kt = NULL;
	struct err err = ERR_INIT;
	u32 size, n = 0;
	u8 *bytes = make_bytes(&size);
	u64 text = kmem_put(&k, "recorder", 8), va = kmem_put(&k, bytes, size), sum = checksum(0, bytes, size);

	if (CHECK(!open_recorders(&kt, &k, &(struct dump_types){ va, size, sum }, &err), "%s", err.msg)) {
		CHECK(kernel_btf_is_recorders(kt), "they are the recorder's");
		CHECK(kernel_btf_size(kt, "outer", &n) && n == 40, "%u", n);
	}
	kernel_btf_close(kt);
	check_refused(&k, (struct dump_types){ 0 }, -ERR_NOT_OURS, "has no BTF");
	check_refused(&k, (struct dump_types){ va, size, sum ^ 1 }, -ERR_CORRUPT, "another boot");
	check_refused(&k, (struct dump_types){ va + 8, size, sum }, -ERR_CORRUPT, "another boot");
	check_refused(&k, (struct dump_types){ 0x1000, size, sum }, -ERR_CORRUPT, "not all there");
	check_refused(&k, (struct dump_types){ va, ~0ULL, sum }, -ERR_CORRUPT, "bytes of BTF");
	/* What the region says is right, and it is no BTF. */
	check_refused(&k, (struct dump_types){ text, 8, checksum(0, "recorder", 8) }, -ERR_CORRUPT, "header");
	CHECK(!kernel_btf_is_recorders(NULL), "none");
	free(bytes);
	kmem_free(&k);
}

int main(void)
{
	alarm(120);
	TAP_RUN(types__a_kernel_without_any_has_its_recorders);
	TAP_RUN(types__arguments_and_what_lies_behind_them);
	TAP_RUN(types__those_of_a_module_go_on);
	TAP_RUN(types__members_are_found_through_unnamed_ones_and_typedefs);
	TAP_RUN(types__what_is_not_there_is_not_found);
	TAP_RUN(types__enums_and_sizes);
	TAP_RUN(types__damaged_bytes_do_no_harm);
	TAP_RUN(types__names_that_are_ends_of_one_another_take_no_time);
	return tap_done();
}
