// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTION_MAX	(1ULL << 24)	/* bytes; a name that says more is damaged or hostile */
#define NEIGHBOURS	8		/* names at one place, of modules that came and went */

/* @since, @until: the times, as events have them, when its module came and went */
struct recorded_symbol {
	u64 addr;
	u64 since;
	u64 until;
	char name[112 + 1];
};

struct symbols {
	struct recorded_symbol *list;	/* by addr, then by until */
	u32 nr;
	symbols_more_fn *more;		/* NULL: nothing else has names */
	void *more_priv;
};

/* Which bytes of its function lie around an address, by the name that was recorded there. */
struct symbol_range {
	u64 start;
	u64 size;	/* 0: the name does not say */
};

static int compare_symbol_addr(const void *a, const void *b)
{
	const struct recorded_symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->until < y->until ? -1 : x->until > y->until;
}

/* Before 1.4 a name may be as long as to reach into what is the time now. */
static void add_recorded_symbol(struct symbols *symbols, const struct generation *generation,
				const struct epitaph_symbol *raw)
{
	bool has_times = generation->hdr.minor >= 4;
	u64 until = has_times ? le64toh(raw->until) : 0;
	struct recorded_symbol *list = symbols->list;

	if ((symbols->nr & (symbols->nr + 1)) == 0)
		list = realloc(list, (symbols->nr + 1) * 2 * sizeof(*list));
	if (!list)
		return;
	symbols->list = list;
	list += symbols->nr++;
	list->addr = le64toh(raw->addr);
	list->since = has_times ? le64toh(raw->since) >> generation->hdr.clock_shift : 0;
	list->until = until ? until >> generation->hdr.clock_shift : ~0ULL;
	memset(list->name, 0, sizeof(list->name));
	memcpy(list->name, (const char *)raw + offsetof(struct epitaph_symbol, name),
	       (has_times ? offsetof(struct epitaph_symbol, since) :
			    offsetof(struct epitaph_symbol, check)) -
	       offsetof(struct epitaph_symbol, name));
}

/* Where in the list the names of @addr begin that had not ended at @raw, or would. */
static u32 first_at_or_behind(const struct symbols *symbols, u64 addr, u64 raw)
{
	const struct recorded_symbol key = { .addr = addr, .until = raw };
	u32 lo = 0, hi = symbols->nr;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (compare_symbol_addr(&symbols->list[mid], &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Its name at @raw, a time as events have it: the first of those that had not ended then. */
static const struct recorded_symbol *find_symbol(const struct symbols *symbols, u64 addr, u64 raw)
{
	u32 i = first_at_or_behind(symbols, addr, raw);

	return i < symbols->nr && symbols->list[i].addr == addr && symbols->list[i].since <= raw ?
	       &symbols->list[i] : NULL;
}

/* "function+0x1/0x2" says where the function begins and ends. */
static struct symbol_range range_of(const struct recorded_symbol *symbol)
{
	const char *plus = strstr(symbol->name, "+0x"), *slash = plus ? strchr(plus, '/') : NULL;
	u64 off = plus ? strtoull(plus + 1, NULL, 16) : 0;
	u64 size = slash ? strtoull(slash + 1, NULL, 16) : 0;
	bool is_good = off < size && size <= FUNCTION_MAX && off <= symbol->addr;

	return is_good ? (struct symbol_range){ symbol->addr - off, size } : (struct symbol_range){ 0 };
}

static bool lies_in_function(const struct recorded_symbol *symbol, u64 addr, u64 raw)
{
	struct symbol_range range = range_of(symbol);

	return symbol->since <= raw && symbol->until >= raw && addr >= range.start &&
	       addr - range.start < range.size;
}

/* Who knows its name now would name what has come to its place since @raw. */
static bool had_not_come(const struct symbols *symbols, u64 addr, u64 raw)
{
	u32 i = first_at_or_behind(symbols, addr, raw);

	return i < symbols->nr && symbols->list[i].addr == addr && symbols->list[i].since > raw;
}

/* The name of another place in the same function: the nearest one that had not ended at @raw. */
static const struct recorded_symbol *find_function(const struct symbols *symbols, u64 addr, u64 raw)
{
	u32 above = first_at_or_behind(symbols, addr, raw), below = above;

	if (symbol_is_number(addr))
		return NULL;
	for (u32 n = 0; n < NEIGHBOURS && below; n++)
		if (lies_in_function(&symbols->list[--below], addr, raw))
			return &symbols->list[below];
	for (u32 n = 0; n < NEIGHBOURS && above < symbols->nr; n++, above++)
		if (lies_in_function(&symbols->list[above], addr, raw))
			return &symbols->list[above];
	return NULL;
}

/* As the name that is recorded for @symbol, for @addr in the same function. */
static void name_neighbour(const struct recorded_symbol *symbol, u64 addr, char buf[PRINT_NAME_MAX])
{
	struct symbol_range range = range_of(symbol);
	const char *plus = strchrnul(symbol->name, '+'), *bracket = strstr(plus, " [");

	snprintf(buf, PRINT_NAME_MAX, "%.*s+0x%llx/0x%llx%s", (int)(plus - symbol->name), symbol->name,
		 addr - range.start, range.size, bracket ? bracket : "");
}

/*
 * "function+0x1/0x2 [module]": as recorded there, in the same function, or as others know it; of the
 * last two @buf has it. NULL: it has no name.
 */
static const char *name_at(const struct symbols *symbols, u64 addr, u64 raw, char buf[PRINT_NAME_MAX])
{
	const struct recorded_symbol *symbol = find_symbol(symbols, addr, raw);

	if (symbol)
		return symbol->name;
	symbol = find_function(symbols, addr, raw);
	if (symbol)
		name_neighbour(symbol, addr, buf);
	return symbol || (symbols->more && !had_not_come(symbols, addr, raw) &&
			  symbols->more(symbols->more_priv, addr, buf)) ? buf : NULL;
}

bool symbols_name_at(const struct symbols *symbols, u64 addr, u64 raw, char buf[PRINT_NAME_MAX])
{
	const char *name = name_at(symbols, addr, raw, buf);

	if (name && name != buf)
		snprintf(buf, PRINT_NAME_MAX, "%s", name);
	return name;
}

const char *symbols_name(const struct symbols *symbols, u64 addr)
{
	u32 behind = addr == ~0ULL ? 0 : first_at_or_behind(symbols, addr + 1, 0);
	const char *name = NULL;

	/* It may have ended, with its module. What is called there after that has a number for its name. */
	for (u32 i = behind; i && symbols->list[i - 1].addr == addr; i--) {
		if (!name || !strncmp(name, "0x", 2))
			name = symbols->list[i - 1].name;
	}
	return name;
}

bool symbols_device(const struct symbols *symbols, u32 dev, u64 raw, char buf[PRINT_NAME_MAX])
{
	const struct recorded_symbol *symbol = find_symbol(symbols, SYMBOLS_DEVICE + dev, raw);

	if (symbol)
		snprintf(buf, PRINT_NAME_MAX, "%s", symbol->name);
	return symbol || (symbols->more && symbols->more(symbols->more_priv, SYMBOLS_DEVICE + dev, buf));
}

/* "function [module]", with the offset behind it where the format asks for one. */
static bool name_address(void *priv, u64 addr, u64 raw, bool has_offset, char buf[PRINT_NAME_MAX])
{
	const struct symbols *symbols = priv;
	const struct recorded_symbol *symbol;
	char buf_full[PRINT_NAME_MAX];
	const char *full, *plus, *bracket;
	u64 off = 0;

	if (symbol_is_number(addr)) {
		symbol = find_symbol(symbols, addr, raw);
		return snprintf(buf, PRINT_NAME_MAX, "%s", symbol ? symbol->name : "?");
	}
	full = name_at(symbols, addr, raw, buf_full);
	if (!full)
		return false;
	plus = strchrnul(full, '+');
	bracket = strstr(plus, " [");
	/* Most formats have "%ps", and most functions are the kernel's own. */
	if (!has_offset && !bracket && plus - full < PRINT_NAME_MAX) {
		*(char *)mempcpy(buf, full, plus - full) = '\0';
		return true;
	}
	if (!strncmp(plus, "+0x", 3))
		off = strtoull(plus + 3, NULL, 16);
	snprintf(buf, PRINT_NAME_MAX, has_offset ? "%.*s%s+0x%llx" : "%.*s%s",
		 (int)(plus - full), full, bracket ? bracket : "", off);
	return true;
}

void symbols_use_more(struct symbols *symbols, symbols_more_fn *more, void *priv)
{
	symbols->more = more;
	symbols->more_priv = priv;
}

int symbols_read(struct symbols **ret, struct generation *generation, struct formats *formats,
		 struct err *err)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_SYMBOLS);
	u64 i, n = section_entries(sec, sizeof(struct epitaph_symbol));
	struct symbols *symbols = calloc(1, sizeof(*symbols));

	if (!symbols)
		return err_sys(err, "memory for symbols");
	for (i = 0; i < n && symbols->nr < SYMBOLS_MAX; i++) {
		struct epitaph_symbol raw;
		int good = section_entry(generation, sec, i, &raw, sizeof(raw));

		if (good == -2)
			break;
		if (good == 1)
			add_recorded_symbol(symbols, generation, &raw);
		else if (good == -1)
			damage_notes_add(&generation->notes, sec->off + i * sec->unit,
					 "symbol %llu is damaged", i);
	}
	if (symbols->nr)
		qsort(symbols->list, symbols->nr, sizeof(*symbols->list), compare_symbol_addr);
	formats_use_names(formats, &(struct print_names){ .symbol = name_address, .priv = symbols });
	*ret = symbols;
	return 0;
}

void symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->list);
	free(symbols);
}

u32 symbols_nr(const struct symbols *symbols)
{
	return symbols->nr;
}

/* How many bytes from @symbol's address its function still has; 1: not known. */
static u64 bytes_behind(const struct recorded_symbol *symbol)
{
	struct symbol_range range = range_of(symbol);

	return range.size ? range.start + range.size - symbol->addr : 1;
}

bool symbols_is_shared(const struct symbols *symbols, u32 i)
{
	const struct recorded_symbol *a = &symbols->list[i], *b;
	u64 end = a->addr + bytes_behind(a);

	if (symbol_is_number(a->addr))
		return false;
	if (i && (a[-1].until != ~0ULL || a->until != ~0ULL) &&
	    a[-1].addr + bytes_behind(a - 1) > a->addr && a[-1].until != a->until)
		return true;
	for (b = a + 1; b < symbols->list + symbols->nr && b->addr < end; b++)
		if (b->until != a->until)
			return true;
	return false;
}

const char *symbols_at(const struct symbols *symbols, u32 i, u64 *ret_addr)
{
	*ret_addr = symbols->list[i].addr;
	return symbols->list[i].name;
}
