// SPDX-License-Identifier: GPL-2.0-or-later
#include "btf.h"

#ifndef EPITAPH_NO_BTF

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/checksum.h"
#include "btf_impl.h"

#define BTF_MAGIC_NUMBER 0xeb9f
#define BTF_HEADER_SIZE	24	/* bytes, of the first version; later ones are longer */
#define LONG_NAME	512	/* bytes; longer names are left out: no kernel has them */
#define ENUMERATORS_MAX	(1U << 20)	/* Debian's kernels have 30 000 */

/* Number @i of the enum that is type @id. */
struct btf_enumerator {
	u32 id;
	u32 i;
};

/* --- reading ------------------------------------------------------------- */

/* @ret: its bytes, in its own order.  False: it is no header, or its sections are not all there. */
static bool open_header(struct bytes *ret, const void *data, size_t size)
{
	struct bytes b = bytes_of(data, size, ORDER_LITTLE);
	u64 room, len;

	if (bytes_u16(&b, 0) != BTF_MAGIC_NUMBER)
		b.order = ORDER_BIG;
	len = bytes_u32(&b, 4);
	if (bytes_u16(&b, 0) != BTF_MAGIC_NUMBER || len < BTF_HEADER_SIZE || len > size)
		return false;
	/*
	 * libbpf 1.1 compares offsets with the size minus its own header, and then adds the size of the
	 * header in the file: a larger header makes it read behind the end.
	 */
	room = size - len;
	*ret = b;
	return (u64)bytes_u32(&b, 8) + bytes_u32(&b, 12) <= room &&
	       (u64)bytes_u32(&b, 16) + bytes_u32(&b, 20) <= room && !b.overrun;
}

static int index_types(struct kernel_btf *kt, struct err *err)
{
	u32 nr = btf__type_cnt(kt->btf);
	int ret = hash_index_make(&kt->index, nr, err);

	for (u32 id = nr; --id && !ret; ) {
		const struct btf_type *t = btf_type_at(kt, id);
		const char *name = "";

		if (t && (btf_is_composite(t) || btf_is_any_enum(t) || btf_is_typedef(t)))
			name = btf_name_at(kt, t->name_off);
		if (*name && strnlen(name, LONG_NAME) < LONG_NAME)
			hash_index_add(&kt->index, hash_name(name), id);
	}
	return ret;
}

static int parse_types(struct kernel_btf **ret, const void *data, size_t size, struct err *err)
{
	libbpf_print_fn_t print;
	struct kernel_btf *kt;
	struct bytes b;
	int res;

	if (!open_header(&b, data, size))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the header of the kernel's BTF is damaged: its types are not known");
	kt = calloc(1, sizeof(*kt));
	if (!kt)
		return err_sys(err, "memory for types");
	kt->first = 1;
	/* The program that uses the library may print what libbpf says of its own. */
	print = libbpf_set_print(NULL);
	kt->btf = btf__new(data, size);
	libbpf_set_print(print);
	if (!kt->btf) {
		int why = errno;

		res = err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the kernel's BTF is damaged: %s",
			      strerror(why));
		kernel_btf_close(kt);
		return res;
	}
	*ret = kt;
	return 0;
}

int kernel_btf_parse(struct kernel_btf **ret, const void *data, size_t size, struct err *err)
{
	struct kernel_btf *kt = NULL;
	int res = parse_types(&kt, data, size, err);

	if (res)
		return res;
	res = index_types(kt, err);
	if (res)
		kernel_btf_close(kt);
	else
		*ret = kt;
	return res;
}

/* A section of @from, whose header has its offset and length at @at. */
static void pack_section(struct pack *p, struct bytes *from, u32 at)
{
	pack_bytes(p, from->data + bytes_u32(from, 4) + bytes_u32(from, at), bytes_u32(from, at + 4));
}

/*
 * The sections of both, one behind the other: types of a module are numbered on, and so are strings.
 * Both are of one byte order, which @ret has too.
 */
static void join_types(struct pack *ret, struct bytes *base, struct bytes *module)
{
	u32 types = bytes_u32(base, 12) + bytes_u32(module, 12);

	*ret = (struct pack){ .order = base->order };
	pack_u16(ret, BTF_MAGIC_NUMBER);
	pack_u8(ret, bytes_u8(base, 2));
	pack_u8(ret, 0);
	pack_u32(ret, BTF_HEADER_SIZE);
	pack_u32(ret, 0);
	pack_u32(ret, types);
	pack_u32(ret, types);
	pack_u32(ret, bytes_u32(base, 20) + bytes_u32(module, 20));
	pack_section(ret, base, 8);
	pack_section(ret, module, 8);
	pack_section(ret, base, 16);
	pack_section(ret, module, 16);
}

/* libbpf 1.1 does not export its function for that. */
int kernel_btf_parse_module(struct kernel_btf **ret, const void *data, size_t size,
			    const struct kernel_btf *base, struct err *err)
{
	struct bytes kernel, module;
	struct pack joined;
	u32 base_size;
	/* In the order of the dumped kernel, which is not always this machine's. */
	const void *base_data = btf__raw_data(base->btf, &base_size);
	int res;

	if (!base_data)
		return err_sys(err, "memory for the kernel's types");
	if (!open_header(&kernel, base_data, base_size) || !open_header(&module, data, size))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the header of the module's BTF, or of the kernel's, is damaged: the module's types are not known");
	if (kernel.order != module.order)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "the module's BTF has another byte order than the kernel's");
	if ((u64)kernel.size + module.size > 2 * KTYPES_MAX_BYTES)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "the kernel's BTF has %zu bytes, its module's %zu", kernel.size, module.size);
	join_types(&joined, &kernel, &module);
	if (joined.failed)
		res = err_sys(err, "memory for the types of a module");
	else
		res = kernel_btf_parse(ret, joined.data, joined.size, err);
	pack_free(&joined);
	if (!res)
		(*ret)->first = btf__type_cnt(base->btf);
	return res;
}

/* @whose: "kernel" or "recorder". @check: of the bytes; NULL: there is none */
static int read_types(struct kernel_btf **ret, struct vmem *vmem, u64 start, u64 size, const char *whose,
		      const u64 *check, struct err *err)
{
	void *data = malloc(size);
	int res;

	if (!data)
		return err_sys(err, "memory for %llu bytes of BTF", size);
	if (!vmem_get(vmem, start, data, size))
		res = err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the %s's BTF is not all there: %s", whose,
			      vmem_why(vmem));
	else if (check && checksum(0, data, size) != *check)
		res = err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			      "the %s's BTF is not at %#llx, where its region says: it is damaged, or of another boot",
			      whose, start);
	else
		res = kernel_btf_parse(ret, data, size, err);
	free(data);
	return res;
}

/* Those that are a part of the recorder. */
static int read_recorders_types(struct kernel_btf **ret, struct vmem *vmem, struct err *err)
{
	const struct dump_types *types = dump_types(vmem_input(vmem));
	int res;

	if (types->size > KTYPES_MAX_BYTES)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the recorder has %llu bytes of BTF",
			       types->size);
	res = read_types(ret, vmem, types->va, types->size, "recorder", &types->check, err);
	if (!res)
		(*ret)->is_recorders = true;
	return res;
}

int kernel_btf_open(struct kernel_btf **ret, struct vmem *vmem, struct kallsyms *kallsyms,
		    struct err *err)
{
	u64 start, stop;

	if (!kallsyms_address(kallsyms, "__start_BTF", &start) ||
	    !kallsyms_address(kallsyms, "__stop_BTF", &stop)) {
		if (dump_types(vmem_input(vmem))->size)
			return read_recorders_types(ret, vmem, err);
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "the kernel has no BTF (CONFIG_DEBUG_INFO_BTF)%s",
			       kallsyms_address(kallsyms, "init_task", &start) ? "" :
			       ", and symbols of functions only (CONFIG_KALLSYMS_ALL)");
	}
	if (stop <= start || stop - start > KTYPES_MAX_BYTES)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the kernel has BTF from %#llx to %#llx",
			       start, stop);
	return read_types(ret, vmem, start, stop - start, "kernel", NULL, err);
}

bool kernel_btf_can_be_read(void)
{
	return true;
}

bool kernel_btf_is_recorders(const struct kernel_btf *kt)
{
	return kt && kt->is_recorders;
}

void kernel_btf_close(struct kernel_btf *kt)
{
	if (!kt)
		return;
	btf__free(kt->btf);
	hash_index_free(&kt->index);
	hash_index_free(&kt->enumerator_index);
	free(kt->enumerators);
	free(kt);
}

/* --- types --------------------------------------------------------------- */

static bool has_type_name(const struct kernel_btf *kt, u32 id, const char *name)
{
	return !strcmp(btf_name_at(kt, btf_type_at(kt, id)->name_off), name);
}

static enum btf_kind btf_type_kind(const struct btf_type *t)
{
	if (!t)
		return KKIND_OTHER;
	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		return KKIND_INT;
	case BTF_KIND_PTR:
		return KKIND_POINTER;
	case BTF_KIND_ARRAY:
		return KKIND_ARRAY;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return KKIND_STRUCT;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return KKIND_ENUM;
	default:
		return KKIND_OTHER;
	}
}

bool kernel_btf_size(const struct kernel_btf *kt, const char *type, u32 *ret)
{
	u32 id, steps;

	if (!kt)
		return false;
	hash_index_each(&kt->index, hash_name(type), id, steps) {
		if (has_type_name(kt, id, type) && btf_type_size(kt, id)) {
			*ret = btf_type_size(kt, id);
			return true;
		}
	}
	return false;
}

static bool find_variable(const struct kernel_btf *kt, const struct btf_type *section,
			  const char *name, u32 *ret)
{
	const struct btf_var_secinfo *at = btf_var_secinfos(section);

	for (u32 i = 0; i < btf_vlen(section); i++) {
		const struct btf_type *var = btf_type_at(kt, at[i].type);

		if (!var || !btf_is_var(var) || strcmp(btf_name_at(kt, var->name_off), name))
			continue;
		*ret = at[i].offset;
		return true;
	}
	return false;
}

bool kernel_btf_percpu(const struct kernel_btf *kt, const char *name, u32 *ret)
{
	for (u32 id = kt ? btf__type_cnt(kt->btf) : 0; id-- > 1; ) {
		const struct btf_type *t = btf_type_at(kt, id);

		if (t && btf_is_datasec(t) && !strcmp(btf_name_at(kt, t->name_off), ".data..percpu"))
			return find_variable(kt, t, name, ret);
	}
	return false;
}

/* --- members ------------------------------------------------------------- */

/* A search for the member whose name is the @len first characters of @name. */
struct btf_search {
	const struct kernel_btf *kt;
	const char *name;
	size_t len;
	u32 *steps;
};

static void take_btf_member(const struct kernel_btf *kt, const struct btf_type *t, u32 i,
			    u64 outer_bits, struct btf_member_place *ret)
{
	const struct btf_member *m = btf_members(t) + i;
	const struct btf_type *type = btf_resolve(kt, m->type);
	u64 bits = outer_bits + btf_member_bit_offset(t, i);

	*ret = (struct btf_member_place){
		.offset = bits / 8, .size = btf_type_size(kt, m->type), .kind = btf_type_kind(type),
		.nr_bits = btf_member_bitfield_size(t, i), .bit = bits % 8, .type = m->type,
	};
	if (ret->kind == KKIND_ARRAY)
		ret->nr = btf_array(type)->nelems;
}

static bool search_struct(struct btf_search *search, const struct btf_type *t, u64 outer_bits,
			  u32 depth, struct btf_member_place *ret)
{
	const struct btf_member *m = btf_members(t);

	for (u32 i = 0; i < btf_vlen(t) && ++*search->steps < BTF_MAX_STEPS; i++) {
		const char *name = m[i].name_off ? btf_name_at(search->kt, m[i].name_off) : NULL;
		const struct btf_type *inner;

		if (name && !strncmp(name, search->name, search->len) && !name[search->len]) {
			take_btf_member(search->kt, t, i, outer_bits, ret);
			return true;
		}
		if (name || depth == BTF_MAX_DEPTH)
			continue;
		inner = btf_resolve(search->kt, m[i].type);
		if (inner && btf_is_composite(inner) &&
		    search_struct(search, inner, outer_bits + btf_member_bit_offset(t, i),
				  depth + 1, ret))
			return true;
	}
	return false;
}

static bool search_path(const struct kernel_btf *kt, u32 id, const char *path, u32 *steps,
			struct btf_member_place *ret)
{
	struct btf_search search = { .kt = kt, .steps = steps };
	u64 bits = 0;

	for (;;) {
		const struct btf_type *t = btf_resolve(kt, id);

		search.name = path;
		search.len = strcspn(path, ".");
		if (!t || !btf_is_composite(t) || !search_struct(&search, t, bits, 0, ret))
			return false;
		path += search.len;
		if (!*path++)
			return true;
		id = ret->type;
		bits = 8ULL * ret->offset;
	}
}

/* Several structs may have one name: take the first that has the member. */
bool kernel_btf_member(const struct kernel_btf *kt, const char *type, const char *path,
		       struct btf_member_place *ret)
{
	struct btf_member_place found;
	u32 id, steps, looked_at = 0;

	if (!kt)
		return false;
	hash_index_each(&kt->index, hash_name(type), id, steps) {
		if (has_type_name(kt, id, type) && search_path(kt, id, path, &looked_at, &found)) {
			*ret = found;
			return true;
		}
	}
	return false;
}

bool kernel_btf_offset(const struct kernel_btf *kt, const char *type, const char *path,
		       enum btf_kind kind, u32 *ret)
{
	struct btf_member_place member;

	if (!kernel_btf_member(kt, type, path, &member) || member.kind != kind)
		return false;
	*ret = member.offset;
	return true;
}

const char *kernel_btf_of(const struct kernel_btf *kt, const struct btf_member_place *member)
{
	const struct btf_type *t = btf_type_at(kt, member->type);

	for (u32 i = 0; t && !t->name_off && i < BTF_MAX_DEPTH; i++) {
		if (btf_is_ptr(t) || btf_is_alias(t))
			t = btf_type_at(kt, t->type);
		else if (btf_is_array(t))
			t = btf_type_at(kt, btf_array(t)->type);
		else
			break;
	}
	return t ? btf_name_at(kt, t->name_off) : "";
}

/* --- enums --------------------------------------------------------------- */

static s64 value_at(const struct btf_type *t, u32 i)
{
	if (btf_is_enum64(t))
		return btf_enum64_value(btf_enum64(t) + i);
	return btf_kflag(t) ? (s64)btf_enum(t)[i].val : (s64)(u32)btf_enum(t)[i].val;
}

static const char *enumerator(const struct kernel_btf *kt, const struct btf_type *t, u32 i)
{
	return btf_name_at(kt, btf_is_enum64(t) ? btf_enum64(t)[i].name_off : btf_enum(t)[i].name_off);
}

static u32 nr_enumerators(const struct kernel_btf *kt, u32 id)
{
	const struct btf_type *t = btf_type_at(kt, id);

	return btf_is_any_enum(t) ? btf_vlen(t) : 0;
}

/* List the enumerators of all enums by name. Without memory the list is empty. */
static void index_enumerators(struct kernel_btf *kt)
{
	u32 nr = 0, n = 0;

	for (u32 id = 1; id < btf__type_cnt(kt->btf) && nr < ENUMERATORS_MAX; id++)
		nr += nr_enumerators(kt, id);
	if (nr > ENUMERATORS_MAX)
		nr = ENUMERATORS_MAX;
	kt->enumerators = calloc(nr ? nr : 1, sizeof(*kt->enumerators));
	if (!kt->enumerators || hash_index_make(&kt->enumerator_index, nr, NULL)) {
		free(kt->enumerators);
		kt->enumerators = NULL;
		return;
	}
	for (u32 id = 1; n < nr; id++)
		for (u32 i = 0; i < nr_enumerators(kt, id) && n < nr; i++)
			kt->enumerators[n++] = (struct btf_enumerator){ id, i };
	/* Backwards: of several with one name, the first is found first. */
	while (n--) {
		const struct btf_enumerator *e = &kt->enumerators[n];
		const char *name = enumerator(kt, btf_type_at(kt, e->id), e->i);

		if (strnlen(name, LONG_NAME) < LONG_NAME)
			hash_index_add(&kt->enumerator_index, hash_name(name), n);
	}
}

static bool search_all_enums(struct kernel_btf *kt, const char *name, s64 *ret)
{
	u32 n, steps;

	if (!kt->enumerators)
		index_enumerators(kt);
	hash_index_each(&kt->enumerator_index, hash_name(name), n, steps) {
		const struct btf_enumerator *e = &kt->enumerators[n];
		const struct btf_type *t = btf_type_at(kt, e->id);

		if (!strcmp(enumerator(kt, t, e->i), name)) {
			*ret = value_at(t, e->i);
			return true;
		}
	}
	return false;
}

bool kernel_btf_enum_value(const struct kernel_btf *kt, const char *type, const char *name,
			   s64 *ret)
{
	u32 id, steps;

	if (!kt)
		return false;
	if (!type)
		return search_all_enums((struct kernel_btf *)kt, name, ret);	/* fills a cache */
	hash_index_each(&kt->index, hash_name(type), id, steps) {
		const struct btf_type *t = btf_resolve(kt, id);

		if (!has_type_name(kt, id, type))
			continue;
		for (u32 i = 0; t && btf_is_any_enum(t) && i < btf_vlen(t); i++) {
			if (!strcmp(enumerator(kt, t, i), name)) {
				*ret = value_at(t, i);
				return true;
			}
		}
	}
	return false;
}

const char *kernel_btf_enum_name(const struct kernel_btf *kt, const char *type, s64 value)
{
	u32 id, steps;

	if (!kt)
		return NULL;
	hash_index_each(&kt->index, hash_name(type), id, steps) {
		const struct btf_type *t = btf_resolve(kt, id);

		if (!has_type_name(kt, id, type) || !t || !btf_is_any_enum(t))
			continue;
		for (u32 i = 0; i < btf_vlen(t); i++)
			if (value_at(t, i) == value)
				return enumerator(kt, t, i);
	}
	return NULL;
}

#endif
