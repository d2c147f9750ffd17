// SPDX-License-Identifier: GPL-2.0-or-later
/* From registers and offsets to names: parameters of functions, members behind a pointer. */
#ifndef EPITAPH_NO_BTF

#include <stdio.h>
#include <string.h>

#include "btf_impl.h"

/* --- parameters ----------------------------------------------------------- */

/* The prototype of all functions of that name; NULL: there is none, or they differ. */
static const struct btf_type *find_prototype(const struct kernel_btf *kt, const char *function)
{
	u32 prototype = 0;

	for (u32 id = kt->first; id < btf__type_cnt(kt->btf); id++) {
		const struct btf_type *t = btf_type_at(kt, id);

		if (!t || !btf_is_func(t) || strcmp(btf_name_at(kt, t->name_off), function))
			continue;
		if (prototype && prototype != t->type)
			return NULL;
		prototype = t->type;
	}
	return prototype ? btf_type_at(kt, prototype) : NULL;
}

/* Is it handed over in one register for numbers? */
static bool takes_a_register(const struct kernel_btf *kt, u32 type)
{
	const struct btf_type *t = btf_resolve(kt, type);

	return t && (btf_is_ptr(t) || ((btf_is_int(t) || btf_is_any_enum(t)) && btf_type_size(kt, type) <= 8));
}

bool kernel_btf_parameter(const struct kernel_btf *kt, const char *function, u32 nr,
			  struct btf_parameter *ret)
{
	const struct btf_type *t = kt ? find_prototype(kt, function) : NULL;
	const struct btf_param *params = t && btf_is_func_proto(t) ? btf_params(t) : NULL;

	if (!params || nr >= btf_vlen(t))
		return false;
	for (u32 i = 0; i <= nr; i++)
		if (!takes_a_register(kt, params[i].type))
			return false;
	ret->name = btf_name_at(kt, params[nr].name_off);
	ret->type = params[nr].type;
	return true;
}

/* --- members behind a pointer --------------------------------------------- */

/**
 * struct member_search - on the way to a place in a struct
 * @at: bytes from the start of the innermost one
 * @size: bytes wanted there
 */
struct member_search {
	const struct kernel_btf *kt;
	u32 at;
	u32 size;
	char *path;
	size_t room;
	size_t len;
	u32 type;
};

static void add_name(struct member_search *search, const char *name)
{
	int n;

	if (!*name || search->len >= search->room)
		return;
	n = snprintf(search->path + search->len, search->room - search->len, "%s%s", search->len ? "." : "", name);
	search->len += n > 0 ? n : 0;
}

/* The number of the one member that has the place; -1: none, or several. */
static s64 member_with(const struct member_search *search, const struct btf_type *t)
{
	const struct btf_member *m = btf_members(t);
	s64 found = -1;

	for (u32 i = 0; i < btf_vlen(t); i++) {
		u32 bits = btf_member_bit_offset(t, i), size = btf_type_size(search->kt, m[i].type);

		if (btf_member_bitfield_size(t, i) || bits % 8 || search->at < bits / 8 ||
		    search->at - bits / 8 + search->size > size)
			continue;
		if (found >= 0)
			return -1;
		found = i;
	}
	return found;
}

static bool enter_struct(struct member_search *search, const struct btf_type *t)
{
	const struct btf_member *m = btf_members(t);
	s64 i = member_with(search, t);

	if (i < 0)
		return false;
	add_name(search, btf_name_at(search->kt, m[i].name_off));
	search->at -= btf_member_bit_offset(t, i) / 8;
	search->type = m[i].type;
	return true;
}

static bool enter_array(struct member_search *search, const struct btf_type *t)
{
	u32 size = btf_type_size(search->kt, btf_array(t)->type);
	int n;

	if (!size || search->at % size + search->size > size || search->len >= search->room)
		return false;
	n = snprintf(search->path + search->len, search->room - search->len, "[%u]", search->at / size);
	search->len += n > 0 ? n : 0;
	search->at %= size;
	search->type = btf_array(t)->type;
	return true;
}

static const struct btf_type *pointed_to(const struct kernel_btf *kt, u32 pointer, u32 *type)
{
	const struct btf_type *t = btf_resolve(kt, pointer);

	if (!t || !btf_is_ptr(t))
		return NULL;
	*type = t->type;
	return btf_resolve(kt, t->type);
}

bool kernel_btf_behind(const struct kernel_btf *kt, u32 pointer, u32 offset, u32 size, char *path,
		       size_t room, u32 *type)
{
	struct member_search search = { .kt = kt, .at = offset, .size = size, .path = path, .room = room };
	const struct btf_type *t = kt && room ? pointed_to(kt, pointer, &search.type) : NULL;

	if (!t || !btf_is_composite(t))
		return false;
	*path = '\0';
	for (u32 i = 0; t && i < 2 * BTF_MAX_DEPTH; i++) {
		if (btf_is_composite(t) ? !enter_struct(&search, t) : btf_is_array(t) && !enter_array(&search, t))
			return false;
		if (!btf_is_composite(t) && !btf_is_array(t))
			break;
		t = btf_resolve(kt, search.type);
	}
	*type = search.type;
	return t && search.len && search.len < room;
}

const char *kernel_btf_pointee(const struct kernel_btf *kt, u32 type)
{
	const struct btf_type *t = kt ? pointed_to(kt, type, &type) : NULL;

	return t && btf_is_composite(t) ? btf_name_at(kt, t->name_off) : "";
}

#endif
