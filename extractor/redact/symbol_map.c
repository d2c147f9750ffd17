// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions, which stay in one piece: an address in a function becomes the pseudonym of where the
 * function begins, plus as much as it was behind that. So "function+0x12" stays right.
 */
#include <stdlib.h>
#include <string.h>

#include "redact_impl.h"

#define LOW_HALF	(1ULL << 46)	/* of the pseudonyms: a function ends behind its beginning */
#define MAX_FUNCTION	(1ULL << 24)	/* bytes; a name that says more is not believed */

struct function_range {
	u64 begin;
	u64 end;
};

/* Sorted by where they begin. */
struct symbol_map {
	struct function_range *list;
	u32 nr;
};

static int compare_ranges(const void *a, const void *b)
{
	const struct function_range *x = a, *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Of "function+0x12/0x20 [module]" at @addr; false: it has no such ending. */
static bool range_of_symbol(const char *name, u64 addr, struct function_range *ret)
{
	const char *plus = strstr(name, "+0x");
	char *end = NULL;
	u64 off = plus ? strtoull(plus + 3, &end, 16) : 0;
	u64 size = end && !strncmp(end, "/0x", 3) ? strtoull(end + 3, NULL, 16) : 0;

	if (off > addr || off >= size || size > MAX_FUNCTION)
		return false;
	*ret = (struct function_range){ addr - off, addr - off + size };
	return true;
}

struct symbol_map *symbol_map_new(const struct symbols *symbols)
{
	struct symbol_map *map = calloc(1, sizeof(*map));
	u32 i, nr = symbols ? symbols_nr(symbols) : 0;
	u64 addr;

	if (!map)
		return NULL;
	map->list = calloc(nr + 1, sizeof(*map->list));
	if (!map->list) {
		free(map);
		return NULL;
	}
	for (i = 0; i < nr; i++) {
		const char *name = symbols_at(symbols, i, &addr);

		if (!symbol_is_number(addr) && range_of_symbol(name, addr, &map->list[map->nr]))
			map->nr++;
	}
	qsort(map->list, map->nr, sizeof(*map->list), compare_ranges);
	return map;
}

void symbol_map_free(struct symbol_map *map)
{
	if (!map)
		return;
	free(map->list);
	free(map);
}

/* The last function that begins at or before @addr. */
static const struct function_range *range_at(const struct symbol_map *map, u64 addr)
{
	u32 lo = 0, hi = map->nr;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (map->list[mid].begin <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && addr < map->list[lo - 1].end ? &map->list[lo - 1] : NULL;
}

u64 symbol_map_address(const struct redaction *r, u64 addr)
{
	const struct function_range *range = range_at(r->symbols, addr);

	if (!range)
		return pseudonym_address(r->names, addr);
	return (pseudonym_address(r->names, range->begin) & ~LOW_HALF & ~0xfULL) + addr - range->begin;
}

/* --- names ------------------------------------------------------------------ */

static size_t span_of_name(const char *s, size_t n)
{
	static const char chars[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";
	size_t i = 0;

	if (n && strchr("0123456789", s[0]))
		return 0;
	while (i < n && s[i] && strchr(chars, s[i]))
		i++;
	return i;
}

static size_t span_of_hex(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] && strchr("0123456789abcdef", s[i]))
		i++;
	return i;
}

/* "+0x12/0x20" at the beginning; 0: there is none. */
static size_t span_of_offset(const char *s, size_t n)
{
	size_t at = 3, digits;

	if (n < 3 || memcmp(s, "+0x", 3))
		return 0;
	digits = span_of_hex(s + at, n - at);
	at += digits;
	if (!digits || n - at < 3 || memcmp(s + at, "/0x", 3))
		return 0;
	digits = span_of_hex(s + at + 3, n - at - 3);
	return digits ? at + 3 + digits : 0;
}

size_t symbol_span(const char *s, size_t n)
{
	size_t name = span_of_name(s, n), off = span_of_offset(s + name, n - name);
	size_t at = name + off;
	const char *bracket = NULL;

	if (!name || !off)
		return 0;
	if (n - at > 2 && !memcmp(s + at, " [", 2))
		bracket = memchr(s + at, ']', n - at);
	return bracket ? (size_t)(bracket + 1 - s) : at;
}

/* A program of BPF bears the name that its author gave it: "bpf_prog_6deef7357e7b4530_name". */
static bool is_bpf_program(const char *name, size_t n)
{
	return n >= 25 && !memcmp(name, "bpf_prog_", 9) && span_of_hex(name + 9, 16) == 16;
}

/* Its pseudonym; @is_short: not longer than it was. */
static bool append_pseudonym(const struct redaction *r, struct bounded_text *out, const char *text,
			     size_t n, bool is_short)
{
	char name[PSEUDONYM_TEXT + 1];

	pseudonym_text(r->names, name, is_short && n < PSEUDONYM_TEXT ? n + 1 : sizeof(name), text, n);
	return redact_append(out, name, strlen(name));
}

size_t redact_symbol_name(struct redaction *r, struct bounded_text *out, const char *text, size_t n,
			  bool is_short)
{
	size_t name = span_of_name(text, n), off = span_of_offset(text + name, n - name);
	size_t at = name + off, module = 0, all = at, before = out->len;
	const char *bracket;
	bool stays, fits, has_module;

	if (!name || (off == 0 && at < n && text[at] != ' '))
		return 0;
	/* The module, and the id of its build, which goes. */
	has_module = n - at >= 2 && !memcmp(text + at, " [", 2);
	if (has_module) {
		bracket = memchr(text + at, ']', n - at);
		module = bracket ? strcspn(text + at + 2, " ]") : 0;
		if (bracket)
			all = bracket + 1 - text;
	}
	/* Of a module whose name is cut off nothing is known. */
	stays = redact_fate(r, CLASS_SYMBOL) == FATE_KEEP || (has_module ?
		classes_has_module(r->classes, text + at + 2, module) : !is_bpf_program(text, name));
	if (stays)
		fits = redact_append(out, text, at);
	else
		fits = append_pseudonym(r, out, text, name, is_short) &&
		       redact_append(out, text + name, off);
	if (fits && module) {
		fits = redact_append(out, " [", 2) &&
		       (stays ? redact_append(out, text + at + 2, module) :
				append_pseudonym(r, out, text + at + 2, module, is_short)) &&
		       redact_append(out, "]", 1);
	}
	if (!fits)
		out->len = before;
	return fits ? all : 0;
}
