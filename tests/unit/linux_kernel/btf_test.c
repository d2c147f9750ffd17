// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types out of BTF, which libbpf writes here.
 *
 * build: tests/lib/kmem_image.c @extractor
 */
#include <bpf/btf.h>
#include <string.h>
#include <unistd.h>

#include "linux_kernel/btf.h"
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

int main(void)
{
	alarm(120);
	TAP_RUN(types__members_are_found_through_unnamed_ones_and_typedefs);
	TAP_RUN(types__what_is_not_there_is_not_found);
	TAP_RUN(types__enums_and_sizes);
	TAP_RUN(types__damaged_bytes_do_no_harm);
	TAP_RUN(types__names_that_are_ends_of_one_another_take_no_time);
	return tap_done();
}
