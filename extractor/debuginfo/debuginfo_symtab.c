// SPDX-License-Identifier: GPL-2.0-or-later
#include "debuginfo_symtab.h"

#ifndef EPITAPH_NO_DWARF

#include <stdlib.h>
#include <string.h>

static int compare_debug_symbols(const void *a, const void *b)
{
	const struct debug_symbol *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* About the symbols that the kernel has in kallsyms. */
static bool is_listed_symbol(const GElf_Sym *sym, const char *name)
{
	u8 type = GELF_ST_TYPE(sym->st_info);

	return name && *name && strncmp(name, ".L", 2) && sym->st_shndx != SHN_UNDEF &&
	       (sym->st_shndx < SHN_LORESERVE || sym->st_shndx == SHN_XINDEX) &&
	       (type == STT_FUNC || type == STT_NOTYPE || type == STT_OBJECT);
}

static int alloc_symbols(struct debug_symbols *symbols, u64 nr, struct err *err)
{
	if (!nr || nr > DEBUG_SYMBOLS_MAX)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, nr ? "says that it has %llu symbols" :
			       "is stripped: it has no symbols", nr);
	symbols->list = calloc(nr, sizeof(*symbols->list));
	return symbols->list ? 0 : err_sys(err, "memory for %llu symbols", nr);
}

static int sort_and_index(struct debug_symbols *symbols, struct err *err)
{
	int ret;

	qsort(symbols->list, symbols->nr, sizeof(*symbols->list), compare_debug_symbols);
	ret = hash_index_make(&symbols->index, symbols->nr ? symbols->nr : 1, err);
	for (u32 i = symbols->nr; i-- && !ret; )
		hash_index_add(&symbols->index, hash_name(symbols->list[i].name), i);
	return ret;
}

/* The symbol table; NULL: there is none. */
static Elf_Data *find_table(Elf *elf, GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, shdr) && shdr->sh_type == SHT_SYMTAB)
			return elf_getdata(scn, NULL);
	return NULL;
}

int debug_symbols_of_kernel(struct debug_symbols *symbols, Elf *elf, struct err *err)
{
	GElf_Shdr shdr;
	Elf_Data *data = find_table(elf, &shdr);
	u64 nr = data ? data->d_size / sizeof(Elf64_Sym) : 0;
	int ret = alloc_symbols(symbols, nr, err);

	for (u64 i = 0; i < nr && !ret; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, i, &sym))
			continue;
		name = elf_strptr(elf, shdr.sh_link, sym.st_name);
		if (is_listed_symbol(&sym, name))
			symbols->list[symbols->nr++] = (struct debug_symbol){ sym.st_value, name };
	}
	return ret ? ret : sort_and_index(symbols, err);
}

int debug_symbols_of_module(struct debug_symbols *symbols, Dwfl_Module *module, struct err *err)
{
	int nr = dwfl_module_getsymtab(module);
	int ret = alloc_symbols(symbols, nr > 0 ? nr : 0, err);

	for (int i = 0; i < nr && !ret; i++) {
		GElf_Addr addr;
		GElf_Sym sym;
		const char *name = dwfl_module_getsym_info(module, i, &sym, &addr, NULL, NULL, NULL);

		if (is_listed_symbol(&sym, name))
			symbols->list[symbols->nr++] = (struct debug_symbol){ addr, name };
	}
	return ret ? ret : sort_and_index(symbols, err);
}

void debug_symbols_free(struct debug_symbols *symbols)
{
	hash_index_free(&symbols->index);
	free(symbols->list);
	*symbols = (struct debug_symbols){ 0 };
}

/* The size of a symbol: up to the next symbol at another address. */
static u64 debug_symbol_size(const struct debug_symbols *symbols, u32 i)
{
	u64 addr = symbols->list[i].addr;

	for (u32 next = i + 1; next < symbols->nr; next++)
		if (symbols->list[next].addr != addr)
			return symbols->list[next].addr - addr;
	return 0;
}

bool debug_symbols_find(const struct debug_symbols *symbols, const char *name, size_t len,
			u64 size, u64 *ret)
{
	u32 i, steps, nr = 0, nr_of_size = 0, hash = NAME_HASH;
	u64 any = 0, of_size = 0;

	for (i = 0; i < len; i++)
		hash = hash_name_add(hash, name[i]);
	hash_index_each(&symbols->index, hash, i, steps) {
		const struct debug_symbol *symbol = &symbols->list[i];

		if (strncmp(symbol->name, name, len) || symbol->name[len])
			continue;
		nr += !nr || symbol->addr != any;
		any = symbol->addr;
		if (!size || debug_symbol_size(symbols, i) != size)
			continue;
		nr_of_size++;
		of_size = symbol->addr;
	}
	*ret = nr == 1 ? any : of_size;
	return nr == 1 || nr_of_size == 1;
}

#endif
