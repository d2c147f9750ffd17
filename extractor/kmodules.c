// SPDX-License-Identifier: GPL-2.0-or-later
#include "kmodules.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

#define UNFORMED	3	/* a module's state while it is not yet one */
#define SYM_SIZE	24	/* of an Elf64_Sym */

struct symbol {
	u64 addr;
	u32 name;		/* in the module's string table */
	u32 number;
};

/**
 * struct kmodule_symbols - those with a name, by address
 * @strings: address of the string table
 * @types: of the characters that nm(1) would print, by number
 */
struct kmodule_symbols {
	u64 strings;
	u64 types;
	u32 nr;
	struct symbol list[];
};

/* --- a module ------------------------------------------------------------ */

/* Where the members of a struct module are; ranges in one of two ways. */
struct layout {
	u32 list;
	struct kmember name, state, build_id;
	bool has_state, has_build_id;
};

static bool find_layout(struct layout *at, const struct ktypes *kt)
{
	at->has_state = ktypes_member(kt, "module", "state", &at->state);
	at->has_build_id = ktypes_member(kt, "module", "build_id", &at->build_id);
	return ktypes_offset(kt, "module", "list", KKIND_STRUCT, &at->list) &&
	       ktypes_member(kt, "module", "name", &at->name) && at->name.kind == KKIND_ARRAY;
}

static bool number(const struct kmodules *m, const char *type, const char *path, u64 va, u64 *ret)
{
	struct kmember member;

	return ktypes_member(m->ktypes, type, path, &member) &&
	       vmem_number(m->vmem, va + member.offset, member.size, ret);
}

static void add_range(struct kmodule *module, u64 start, u64 size, u64 text_size, bool is_init)
{
	if (!start || !size || start + size < start || module->nr_ranges == KMODULE_MAX_RANGES)
		return;
	module->ranges[module->nr_ranges++] = (struct kmodule_range){
		.start = start, .size = size, .is_init = is_init,
		.text_size = text_size < size ? text_size : size,
	};
}

/* Since 6.4: one piece of memory for each purpose. */
static bool read_pieces(const struct kmodules *m, struct kmodule *module)
{
	static const char * const kinds[] = {
		"MOD_TEXT", "MOD_DATA", "MOD_RODATA", "MOD_RO_AFTER_INIT",
		"MOD_INIT_TEXT", "MOD_INIT_DATA", "MOD_INIT_RODATA",
	};
	struct kmember mem;

	if (!ktypes_member(m->ktypes, "module", "mem", &mem) || mem.kind != KKIND_ARRAY || !mem.nr)
		return false;
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++) {
		u64 start, size, at = module->va + mem.offset;
		s64 kind;

		if (!ktypes_enum_value(m->ktypes, "mod_mem_type", kinds[i], &kind) || kind < 0 ||
		    kind >= mem.nr)
			continue;
		at += (u64)kind * (mem.size / mem.nr);
		if (number(m, "module_memory", "base", at, &start) &&
		    number(m, "module_memory", "size", at, &size))
			add_range(module, start, size, strstr(kinds[i], "TEXT") ? size : 0,
				  strstr(kinds[i], "INIT_") != NULL);
	}
	return true;
}

/* Before: two, code first. */
static void read_layout(const struct kmodules *m, struct kmodule *module, const char *name,
			bool is_init)
{
	struct kmember layout;
	u64 at, start, size, text;

	if (!ktypes_member(m->ktypes, "module", name, &layout))
		return;
	at = module->va + layout.offset;
	if (number(m, "module_layout", "base", at, &start) &&
	    number(m, "module_layout", "size", at, &size) &&
	    number(m, "module_layout", "text_size", at, &text))
		add_range(module, start, size, text, is_init);
}

static void read_build_id(const struct kmodules *m, const struct layout *at,
			  struct kmodule *module)
{
	static const char hex[] = "0123456789abcdef";
	u8 raw[(sizeof(module->build_id) - 1) / 2], any = 0;
	u32 n = at->build_id.size;

	if (!at->has_build_id || n > sizeof(raw) ||
	    !vmem_get(m->vmem, module->va + at->build_id.offset, raw, n))
		return;
	for (u32 i = 0; i < n; i++) {
		module->build_id[2 * i] = hex[raw[i] >> 4];
		module->build_id[2 * i + 1] = hex[raw[i] & 15];
		any |= raw[i];
	}
	if (!any)
		module->build_id[0] = '\0';
}

static bool read_module(const struct kmodules *m, const struct layout *at, u64 va,
			struct kmodule *module)
{
	u64 state = 0;
	u32 room = at->name.size < KMODULE_NAME_MAX ? at->name.size : KMODULE_NAME_MAX - 1;

	memset(module, 0, sizeof(*module));
	module->va = va;
	if (!vmem_get(m->vmem, va + at->name.offset, module->name, room))
		return false;
	if (at->has_state && !vmem_number(m->vmem, va + at->state.offset, at->state.size, &state))
		return false;
	module->state = state;
	if (!read_pieces(m, module)) {
		read_layout(m, module, "core_layout", false);
		read_layout(m, module, "init_layout", true);
	}
	read_build_id(m, at, module);
	return true;
}

/* --- the list ------------------------------------------------------------ */

static bool is_known(const struct kmodules *m, u64 va)
{
	for (u32 i = 0; i < m->nr; i++)
		if (m->list[i].va == va)
			return true;
	return false;
}

static void walk(struct kmodules *m, const struct layout *at, u64 head, struct notes *notes)
{
	u32 looked_at = 0;
	u64 next;

	if (!vmem_u64(m->vmem, head, &next)) {
		notes_add(notes, NOTE_NOWHERE, "the list of modules cannot be read: %s",
			  vmem_why(m->vmem));
		return;
	}
	/* Those that are not taken count too: a circle of them would have no end. */
	while (next != head && looked_at++ < KMODULES_MAX && !is_known(m, next - at->list)) {
		struct kmodule *module = &m->list[m->nr];

		if (!read_module(m, at, next - at->list, module) ||
		    !vmem_u64(m->vmem, next, &next)) {
			notes_add(notes, NOTE_NOWHERE, "the list of modules breaks off behind %u: %s",
				  m->nr, vmem_why(m->vmem));
			return;
		}
		if (module->state != UNFORMED)
			m->nr++;
	}
	if (next != head)
		notes_add(notes, NOTE_NOWHERE, "the list of modules is damaged behind %u of them",
			  m->nr);
}

int kmodules_open(struct kmodules **ret, struct vmem *vmem, struct kallsyms *kallsyms,
		  const struct ktypes *ktypes, struct notes *notes, struct err *err)
{
	struct layout at;
	struct kmodules *m;
	u64 head;

	if (!kallsyms_address(kallsyms, "modules", &head) || !find_layout(&at, ktypes))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "modules cannot be found without the kernel's symbols and types");
	m = calloc(1, sizeof(*m));
	if (m)
		m->list = calloc(KMODULES_MAX, sizeof(*m->list));
	if (!m || !m->list) {
		kmodules_close(m);
		return err_sys(err, "memory for modules");
	}
	m->vmem = vmem;
	m->ktypes = ktypes;
	walk(m, &at, head, notes);
	*ret = m;
	return 0;
}

void kmodules_close(struct kmodules *m)
{
	if (!m)
		return;
	for (u32 i = 0; m->list && i < m->nr; i++)
		free(m->list[i].symbols);
	free(m->list);
	free(m);
}

static const struct kmodule_range *range_at(const struct kmodule *module, u64 addr)
{
	for (u32 i = 0; i < module->nr_ranges; i++)
		if (addr - module->ranges[i].start < module->ranges[i].size)
			return &module->ranges[i];
	return NULL;
}

const struct kmodule *kmodules_at(const struct kmodules *m, u64 addr)
{
	for (u32 i = 0; m && i < m->nr; i++)
		if (range_at(&m->list[i], addr))
			return &m->list[i];
	return NULL;
}

/* --- symbols ------------------------------------------------------------- */

static int by_addr(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Where the names of unnamed symbols and of ARM's mapping symbols begin is not worth telling. */
static bool is_told(const struct kmodules *m, u64 name)
{
	char c[2] = { 0 };

	if (vmem_read(m->vmem, name, c, sizeof(c)) < 1 || !c[0])
		return false;
	return !(c[0] == '.' && c[1] == 'L') &&
	       !(c[0] == '$' && c[1] && strchr("axtd", c[1]));
}

static void take_symbols(const struct kmodules *m, struct kmodule_symbols *symbols,
			 const u8 *raw, u32 nr)
{
	struct bytes b = bytes_of(raw, (size_t)nr * SYM_SIZE, input_byte_order(vmem_input(m->vmem)));

	for (u32 i = 1; i < nr; i++) {
		struct symbol *s = &symbols->list[symbols->nr];

		s->name = bytes_u32(&b, (u64)i * SYM_SIZE);
		s->addr = bytes_u64(&b, (u64)i * SYM_SIZE + 8);
		s->number = i;
		if (bytes_u16(&b, (u64)i * SYM_SIZE + 6) != SHN_UNDEF &&
		    is_told(m, symbols->strings + s->name))
			symbols->nr++;
	}
	qsort(symbols->list, symbols->nr, sizeof(*symbols->list), by_addr);
}

/* module->kallsyms has those of the initialisation too, while it lasts. */
static struct kmodule_symbols *read_symbols(const struct kmodules *m, const struct kmodule *module)
{
	struct kmodule_symbols *symbols;
	u64 at, table, nr, strings, types = 0;
	u8 *raw;

	if (!number(m, "module", "kallsyms", module->va, &at) ||
	    !number(m, "mod_kallsyms", "symtab", at, &table) ||
	    !number(m, "mod_kallsyms", "num_symtab", at, &nr) ||
	    !number(m, "mod_kallsyms", "strtab", at, &strings) || nr > KMODULE_MAX_SYMBOLS)
		nr = 0;
	else
		number(m, "mod_kallsyms", "typetab", at, &types);
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

/* NULL without memory; none where they cannot be read. */
static const struct kmodule_symbols *symbols_of(const struct kmodules *m,
						const struct kmodule *module)
{
	struct kmodule *own = &m->list[module - m->list];

	if (!own->symbols)
		own->symbols = read_symbols(m, module);
	return own->symbols;
}

/* How far the last symbol reaches: to the end of the code, as the kernel has it. */
static u64 end_of_code(const struct kmodule *module, bool is_init)
{
	for (u32 i = 0; i < module->nr_ranges; i++) {
		const struct kmodule_range *r = &module->ranges[i];

		if (r->text_size && r->is_init == is_init)
			return r->start + r->text_size;
	}
	return 0;
}

/* The first of those behind @addr. */
static u32 first_behind(const struct kmodule_symbols *symbols, u64 addr)
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

bool kmodules_find(const struct kmodules *m, const struct kmodule *module, u64 addr,
		   struct ksym *ret)
{
	const struct kmodule_symbols *symbols = symbols_of(m, module);
	const struct kmodule_range *range = range_at(module, addr);
	u32 i, next;
	u64 start, end;

	if (!symbols || !range)
		return false;
	next = first_behind(symbols, addr);
	if (!next)
		return false;
	start = symbols->list[next - 1].addr;
	i = start ? first_behind(symbols, start - 1) : 0;
	end = end_of_code(module, range->is_init);
	if (next < symbols->nr && (symbols->list[next].addr < end || end <= addr))
		end = symbols->list[next].addr;
	ret->start = start;
	ret->size = end > start ? end - start : 0;
	return vmem_string(m->vmem, symbols->strings + symbols->list[i].name, ret->name,
			   sizeof(ret->name)) > 0;
}

bool kmodules_symbol(const struct kmodules *m, const struct kmodule *module, u32 i, u64 *addr,
		     char *type, char *name)
{
	const struct kmodule_symbols *symbols = symbols_of(m, module);
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

bool kmodules_address(const struct kmodules *m, const char *name, u64 *ret)
{
	char found[KALLSYMS_NAME_MAX], type;

	for (u32 k = 0; m && k < m->nr; k++)
		for (u32 i = 0; kmodules_symbol(m, &m->list[k], i, ret, &type, found); i++)
			if (!strcmp(found, name))
				return true;
	return false;
}
