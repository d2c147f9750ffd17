// SPDX-License-Identifier: GPL-2.0-or-later
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "modules.h"

#define SYM_SIZE	24	/* of an Elf64_Sym */

struct module_symbol {
	u64 addr;
	u32 name;		/* in the module's string table */
	u32 number;
};

/**
 * struct kernel_module_symbols - symbols of a module that have a name, by address
 * @strings: address of the string table
 * @types: address of the table of type characters, as in nm(1), by symbol number
 */
struct kernel_module_symbols {
	u64 strings;
	u64 types;
	u32 nr;
	struct module_symbol list[];
};

static int compare_module_symbols(const void *a, const void *b)
{
	const struct module_symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Leave out symbols without a name, local labels, and the mapping symbols of ARM. */
static bool is_listed_name(const struct kernel_modules *m, u64 name)
{
	char c[2] = { 0 };

	if (vmem_read(m->vmem, name, c, sizeof(c)) < 1 || !c[0])
		return false;
	return !(c[0] == '.' && c[1] == 'L') &&
	       !(c[0] == '$' && c[1] && strchr("axtd", c[1]));
}

static void take_symbols(const struct kernel_modules *m, struct kernel_module_symbols *symbols,
			 const u8 *raw, u32 nr)
{
	struct bytes b = bytes_of(raw, (size_t)nr * SYM_SIZE, dump_byte_order(vmem_input(m->vmem)));

	for (u32 i = 1; i < nr; i++) {
		struct module_symbol *s = &symbols->list[symbols->nr];

		s->name = bytes_u32(&b, (u64)i * SYM_SIZE);
		s->addr = bytes_u64(&b, (u64)i * SYM_SIZE + 8);
		s->number = i;
		if (bytes_u16(&b, (u64)i * SYM_SIZE + 6) != SHN_UNDEF &&
		    is_listed_name(m, symbols->strings + s->name))
			symbols->nr++;
	}
	qsort(symbols->list, symbols->nr, sizeof(*symbols->list), compare_module_symbols);
}

static bool module_member(const struct kernel_modules *m, enum kernel_module_member which, u64 va,
			  u64 *ret)
{
	const struct btf_member_place *at = &m->at[which];

	return at->size && vmem_number(m->vmem, va + at->offset, at->size, ret);
}

/* While a module initialises, module->kallsyms has the symbols of its init code too. */
static struct kernel_module_symbols *read_symbols(const struct kernel_modules *m,
						  const struct kernel_module *module)
{
	struct kernel_module_symbols *symbols;
	u64 table_of, table, nr, strings, types = 0;
	u8 *raw;

	if (!module_member(m, KMODULE_KALLSYMS, module->va, &table_of) ||
	    !module_member(m, KMODULE_SYMTAB, table_of, &table) ||
	    !module_member(m, KMODULE_NUM_SYMTAB, table_of, &nr) ||
	    !module_member(m, KMODULE_STRTAB, table_of, &strings) || nr > KMODULE_MAX_SYMBOLS)
		nr = 0;
	else
		module_member(m, KMODULE_TYPETAB, table_of, &types);
	symbols = calloc(1, sizeof(*symbols) + nr * sizeof(symbols->list[0]));
	raw = malloc(nr ? nr * SYM_SIZE : 1);
	if (symbols && raw && nr && vmem_get(m->vmem, table, raw, nr * SYM_SIZE)) {
		symbols->strings = strings;
		symbols->types = types;
		take_symbols(m, symbols, raw, nr);
	}
	free(raw);
	return symbols;
}

/* NULL: no memory. If the symbols cannot be read, there are none. */
static const struct kernel_module_symbols *symbols_of(const struct kernel_modules *m,
						      const struct kernel_module *module)
{
	struct kernel_module *own = &m->list[module - m->list];

	if (!own->symbols)
		own->symbols = read_symbols(m, module);
	return own->symbols;
}

/* The first symbol after @addr. */
static u32 first_symbol_after(const struct kernel_module_symbols *symbols, u64 addr)
{
	u32 low = 0, high = symbols->nr;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (symbols->list[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

bool kernel_modules_find(const struct kernel_modules *m, const struct kernel_module *module,
			 u64 addr, struct ksym *ret)
{
	const struct kernel_module_symbols *symbols = symbols_of(m, module);
	const struct kernel_module_range *range = kernel_module_range_at(module, addr);
	u32 i, next;
	u64 start, end;

	if (!symbols || !range)
		return false;
	next = first_symbol_after(symbols, addr);
	if (!next)
		return false;
	start = symbols->list[next - 1].addr;
	i = start ? first_symbol_after(symbols, start - 1) : 0;
	/* The last symbol reaches to the end of the code. */
	end = 0;
	for (u32 k = module->nr_ranges; k--; )
		if (module->ranges[k].text_size && module->ranges[k].is_init == range->is_init)
			end = module->ranges[k].start + module->ranges[k].text_size;
	if (next < symbols->nr && (symbols->list[next].addr < end || end <= addr))
		end = symbols->list[next].addr;
	ret->start = start;
	ret->size = end > start ? end - start : 0;
	return vmem_string(m->vmem, symbols->strings + symbols->list[i].name, ret->name,
			   sizeof(ret->name)) > 0;
}

bool kernel_modules_symbol(const struct kernel_modules *m, const struct kernel_module *module,
			   u32 i, u64 *addr, char *type, char *name)
{
	const struct kernel_module_symbols *symbols = symbols_of(m, module);
	u64 c;

	if (!symbols || i >= symbols->nr)
		return false;
	*addr = symbols->list[i].addr;
	*type = '?';
	if (symbols->types &&
	    vmem_number(m->vmem, symbols->types + symbols->list[i].number, 1, &c))
		*type = c;
	if (vmem_string(m->vmem, symbols->strings + symbols->list[i].name, name,
			KALLSYMS_NAME_MAX) < 0)
		name[0] = '\0';
	return true;
}

bool kernel_modules_address(const struct kernel_modules *m, const char *name, u64 *ret)
{
	char found[KALLSYMS_NAME_MAX], type;

	for (u32 k = 0; m && k < m->nr; k++)
		for (u32 i = 0; kernel_modules_symbol(m, &m->list[k], i, ret, &type, found); i++)
			if (!strcmp(found, name))
				return true;
	return false;
}
