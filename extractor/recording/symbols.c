// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct recorded_symbol {
	u64 addr;
	char name[112 + 1];
};

struct symbols {
	struct recorded_symbol *list;	/* by addr */
	u32 nr;
};

static int compare_symbol_addr(const void *a, const void *b)
{
	const struct recorded_symbol *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static const struct recorded_symbol *find_symbol(const struct symbols *symbols, u64 addr)
{
	const struct recorded_symbol key = { .addr = addr };

	if (!symbols->nr)
		return NULL;
	return bsearch(&key, symbols->list, symbols->nr, sizeof(key), compare_symbol_addr);
}

const char *symbols_name(const struct symbols *symbols, u64 addr)
{
	const struct recorded_symbol *symbol = find_symbol(symbols, addr);

	return symbol ? symbol->name : NULL;
}

/* "function [module]", with the offset behind it where the format asks for one. */
static bool name_address(void *priv, u64 addr, bool has_offset, char buf[PRINT_NAME_MAX])
{
	const struct symbols *symbols = priv;
	const struct recorded_symbol *symbol = find_symbol(symbols, addr);
	const char *plus, *bracket;
	u64 off = 0;

	if (symbol_is_cgroup(addr))
		return snprintf(buf, PRINT_NAME_MAX, "%s", symbol ? symbol->name : "?");
	if (!symbol)
		return false;
	plus = strchrnul(symbol->name, '+');
	bracket = strstr(plus, " [");
	if (!strncmp(plus, "+0x", 3))
		off = strtoull(plus + 3, NULL, 16);
	snprintf(buf, PRINT_NAME_MAX, has_offset ? "%.*s%s+0x%llx" : "%.*s%s",
		 (int)(plus - symbol->name), symbol->name, bracket ? bracket : "", off);
	return true;
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
		struct recorded_symbol *list = symbols->list;
		struct epitaph_symbol raw;
		int good = section_entry(generation, sec, i, &raw, sizeof(raw));

		if (good == -2)
			break;
		if (good == -1)
			damage_notes_add(&generation->notes, sec->off + i * sec->unit,
					 "symbol %llu is damaged", i);
		if (good != 1)
			continue;
		if ((symbols->nr & (symbols->nr + 1)) == 0)
			list = realloc(list, (symbols->nr + 1) * 2 * sizeof(*list));
		if (!list)
			continue;
		symbols->list = list;
		list += symbols->nr++;
		list->addr = le64toh(raw.addr);
		memcpy(list->name, raw.name, sizeof(raw.name));
		list->name[sizeof(raw.name)] = 0;
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

const char *symbols_at(const struct symbols *symbols, u32 i, u64 *ret_addr)
{
	*ret_addr = symbols->list[i].addr;
	return symbols->list[i].name;
}
