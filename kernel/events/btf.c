// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader of the kernel's BTF, which is trusted as the kernel is; still, nothing beyond it is read.
 */
#include <linux/btf.h>
#include "btf.h"

#define NR_BUCKETS	256
#define MOST_FOUND	32	/* several may have one name */
#define HEADER_SIZE	(offsetof(struct btf_header, str_len) + sizeof(u32))

struct btf_view {
	const char *types, *strings;
	u32 types_size, strings_size;
	u32 *at;	/* of each id, its place in types */
	u32 nr;
};

enum kind {
	KIND_INT = 1, KIND_PTR, KIND_ARRAY, KIND_STRUCT, KIND_UNION, KIND_ENUM, KIND_FWD, KIND_TYPEDEF,
	KIND_VOLATILE, KIND_CONST, KIND_RESTRICT, KIND_FUNC, KIND_FUNC_PROTO, KIND_VAR, KIND_DATASEC,
	KIND_FLOAT, KIND_DECL_TAG, KIND_TYPE_TAG, KIND_ENUM64, NR_KINDS
};

/* Bytes behind a type, and of each of its members. */
static const unsigned char more_bytes[NR_KINDS] = {
	[KIND_INT] = 4, [KIND_VAR] = 4, [KIND_DECL_TAG] = 4, [KIND_ARRAY] = 12,
};
static const unsigned char member_bytes[NR_KINDS] = {
	[KIND_STRUCT] = 12, [KIND_UNION] = 12, [KIND_DATASEC] = 12, [KIND_ENUM64] = 12,
	[KIND_ENUM] = 8, [KIND_FUNC_PROTO] = 8,
};

/* Newer kernels have more bits of both, and older ones 0 there. */
static u32 btf_kind_of(const struct btf_type *type)
{
	return BTF_INFO_KIND(type->info);
}

static bool open_btf(struct btf_view *v, const void *btf, size_t size)
{
	const struct btf_header *head = btf;
	u64 types, strings;

	/* Headers of newer kernels describe more, which may not be there. */
	if (size < HEADER_SIZE || head->magic != BTF_MAGIC || head->hdr_len < HEADER_SIZE)
		return false;
	types = (u64)head->hdr_len + head->type_off;
	strings = (u64)head->hdr_len + head->str_off;
	if (types % 4 || types + head->type_len > size || strings + head->str_len > size || !head->str_len)
		return false;
	*v = (struct btf_view){
		.types = (const char *)btf + types, .types_size = head->type_len,
		.strings = (const char *)btf + strings, .strings_size = head->str_len,
	};
	return !v->strings[v->strings_size - 1];
}

size_t epitaph_btf_size(const void *btf)
{
	const struct btf_header *head = btf;
	size_t types, strings;

	if (head->magic != BTF_MAGIC)
		return 0;
	types = (size_t)head->hdr_len + head->type_off + head->type_len;
	strings = (size_t)head->hdr_len + head->str_off + head->str_len;
	return types > strings ? types : strings;
}

size_t epitaph_btf_room(const void *btf, size_t size)
{
	struct btf_view v;

	return open_btf(&v, btf, size) ? v.types_size / sizeof(struct btf_type) + 1 : 0;
}

static const char *name_at(const struct btf_view *v, u32 offset)
{
	return offset < v->strings_size ? v->strings + offset : "";
}

static const struct btf_type *type_of(const struct btf_view *v, u32 id)
{
	return id && id < v->nr ? (const void *)(v->types + v->at[id]) : NULL;
}

static void append_word(char *text, const char *word)
{
	size_t used = strlen(text);

	while (*word && used < EPITAPH_BTF_TEXT - 1)
		text[used++] = *word++;
	text[used] = '\0';
}

static bool is_alias(u32 kind)
{
	return kind == KIND_TYPE_TAG || (kind >= KIND_TYPEDEF && kind <= KIND_RESTRICT);
}

/* Without names that stand for it, and qualifiers. */
static const struct btf_type *bare(const struct btf_view *v, u32 *id)
{
	const struct btf_type *type = NULL;
	int i;

	for (i = 0; i < 32; i++) {
		type = type_of(v, *id);
		if (!type || !is_alias(btf_kind_of(type)))
			return type;
		*id = type->type;
	}
	return type;
}

static void append_integer(char *text, const struct btf_type *type)
{
	append_word(text, type->size == 8 ? "8" : type->size == 4 ? "4" : type->size == 2 ? "2" : "1");
}

static void append_argument(const struct btf_view *v, char *text, u32 id)
{
	const struct btf_type *type = bare(v, &id);
	bool is_pointer = type && btf_kind_of(type) == KIND_PTR;

	if (is_pointer) {
		id = type->type;
		type = bare(v, &id);
	}
	if (!type)
		append_word(text, id ? "?" : "void");
	else if (btf_kind_of(type) == KIND_STRUCT || btf_kind_of(type) == KIND_UNION || btf_kind_of(type) == KIND_FWD)
		append_word(text, name_at(v, type->name_off));
	else if (is_pointer && btf_kind_of(type) == KIND_INT && type->size == 1)
		append_word(text, "char");
	else if (btf_kind_of(type) == KIND_INT || btf_kind_of(type) == KIND_ENUM)
		append_integer(text, type);
	else
		append_word(text, "?");
	if (is_pointer)
		append_word(text, "*");
}

static void write_arguments(const struct btf_view *v, char *text, u32 id)
{
	const struct btf_type *proto = type_of(v, id);
	const struct btf_param *param;
	u32 i, n;

	text[0] = '\0';
	if (!proto || btf_kind_of(proto) != KIND_FUNC_PROTO)
		return;
	param = (const void *)(proto + 1);
	n = BTF_INFO_VLEN(proto->info);
	for (i = 0; i < n; i++) {
		if (i)
			append_word(text, " ");
		if (!param[i].type && i == n - 1)
			append_word(text, "...");
		else
			append_argument(v, text, param[i].type);
	}
}

static size_t word_length(const char *word, const char *ends)
{
	size_t n = 0;

	while (word[n] && !strchr(ends, word[n]))
		n++;
	return n;
}

/* One of those between "/" is the word. */
static bool is_one_of(const char *words, const char *word, size_t length)
{
	size_t n;

	for (;; words += n + 1) {
		n = word_length(words, " /");
		if ((n == 1 && *words == '_') || (n == length && !memcmp(words, word, n)))
			return true;
		if (words[n] != '/')
			return false;
	}
}

/* What is behind the arguments that we read is as it likes. */
static bool begins_as(const char *found, const char *takes)
{
	size_t n;

	for (;;) {
		n = word_length(found, " ");
		if (!n || !is_one_of(takes, found, n))
			return false;
		takes += word_length(takes, " ");
		if (!*takes)
			return true;
		takes++;
		found += n;
		if (!*found)
			return false;
		found++;
	}
}

/* Of a name's first four letters; each that is looked for has more. */
static unsigned char bucket_of(u32 letters)
{
	return (letters * 0x9e3779b1u) >> 24;
}

/* Of a function that is there, once all types are known. */
static void compare_prototype(const struct btf_view *v, u32 proto, struct epitaph_prototype *p)
{
	char text[EPITAPH_BTF_TEXT];

	if (p->is_known)
		return;
	write_arguments(v, text, proto);
	p->is_there = true;
	p->is_known = begins_as(text, p->takes);
	memcpy(p->found, text, sizeof(text));
}

struct found {
	u32 proto;
	u32 prototype;
};

/* On a stack, which may have no frames above 1 KiB. */
struct btf_search {
	u32 wanted[NR_BUCKETS / 32];	/* a bit for each */
	struct epitaph_prototype *prototypes;
	unsigned int nr;
	struct found found[MOST_FOUND];
	unsigned int nr_found;
};

static void note_wanted(struct btf_search *s, u32 bucket)
{
	s->wanted[bucket / 32] |= 1U << bucket % 32;
}

static bool is_wanted(const struct btf_search *s, u32 bucket)
{
	return s->wanted[bucket / 32] >> bucket % 32 & 1;
}

static void look_for(struct btf_search *s, const struct btf_view *v, const struct btf_type *function)
{
	const char *name = v->strings + function->name_off;
	unsigned int i;

	if (function->name_off + 4ULL > v->strings_size || !is_wanted(s, bucket_of(plat_load32(name))))
		return;
	for (i = 0; i < s->nr && s->nr_found < MOST_FOUND; i++)
		if (!strcmp(s->prototypes[i].function, name))
			s->found[s->nr_found++] = (struct found){ function->type, i };
}

/* All types, once: they have no index.  There are 100 000 and more, hence the copies of what is in @v. */
static bool walk(struct btf_view *v, struct btf_search *s)
{
	const char *types = v->types, *at = types, *end = types + v->types_size;
	u32 nr = 1, kind, *place = v->at;
	const struct btf_type *type;

	for (; at + sizeof(*type) <= end; nr++) {
		type = (const void *)at;
		kind = btf_kind_of(type);
		if (kind >= NR_KINDS)
			return false;
		place[nr] = at - types;
		at += sizeof(*type) + more_bytes[kind] +
		      (size_t)member_bytes[kind] * BTF_INFO_VLEN(type->info);
		if (kind == KIND_FUNC)
			look_for(s, v, type);
	}
	v->nr = nr;
	return at == end;
}

bool epitaph_btf_read(const void *btf, size_t size, u32 *at, struct epitaph_prototype *prototypes,
		      unsigned int nr)
{
	struct btf_search s = { .prototypes = prototypes, .nr = nr };
	struct btf_view v;
	unsigned int i;

	if (!open_btf(&v, btf, size))
		return false;
	v.at = at;
	for (i = 0; i < nr; i++)
		note_wanted(&s, bucket_of(plat_load32(prototypes[i].function)));
	if (!walk(&v, &s))
		return false;
	for (i = 0; i < s.nr_found; i++)
		compare_prototype(&v, s.found[i].proto, &prototypes[s.found[i].prototype]);
	return true;
}
