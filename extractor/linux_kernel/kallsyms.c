// SPDX-License-Identifier: GPL-2.0-or-later
#include "kallsyms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "dump/vmcoreinfo.h"
#include "holed_bytes.h"
#include "kallsyms_names.h"
#include "kept_kernel.h"
#include "kallsyms_place.h"

#define LEARNED_MAX	48

enum encoding {
	ABSOLUTE_PERCPU,	/* from 0 on: the address itself; below: from the base on */
	RELATIVE,		/* unsigned, from the base on */
	PLACE_RELATIVE,		/* signed, from the place of the number itself on */
	NR_ENCODINGS,
};

static const char * const encoding_names[] = {
	[ABSOLUTE_PERCPU] = "absolute-percpu",
	[RELATIVE] = "relative",
	[PLACE_RELATIVE] = "place-relative",
};

/**
 * struct kallsyms - the table
 * @names: and how many there are
 * @addr: of each; a lost one has that of the one before
 * @offsets: the addresses as the kernel encodes them; a symbol's is lost if it is in a hole
 * @nr_lost: addresses that are lost
 * @lost: what is, in words; empty: nothing
 * @sorted: addresses ascend, so that one can be looked up
 * @first: where the kernel begins; what is below are numbers and offsets of per-CPU variables
 * @end: address of the last symbol
 * @learned: which are not in the table
 */
struct kallsyms {
	const struct kept_symbols *kept;	/* instead of all others */
	struct kallsyms_names names;
	u64 *addr;
	struct holed_bytes offsets;
	u32 nr_lost;
	char lost[512];
	bool sorted;
	u64 base;
	enum encoding encoding;
	u64 first;
	u64 end;
	struct {
		char name[32];
		u64 addr;
	} learned[LEARNED_MAX];
	u32 nr_learned;
	const struct kallsyms_guide *guide;	/* of kallsyms_open() alone */
	struct kallsyms_place place;		/* where nothing else says where it is */
};

/* --- reading ------------------------------------------------------------- */

static bool knows(const struct kallsyms *k, struct vmem *vmem, const char *name, u64 *ret)
{
	return vmcoreinfo_symbol(vmem_input(vmem), name, ret) ||
	       (k->guide && k->guide->address(k->guide->priv, name, ret)) ||
	       kallsyms_place_of(&k->place, name, ret);
}

static int locate(const struct kallsyms *k, struct vmem *vmem, const char *name, u64 *ret,
		  struct err *err)
{
	if (knows(k, vmem, name, ret))
		return 0;
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "VMCOREINFO has no SYMBOL(%s), and no table of symbols was found: kernels tell where theirs is from 6.0 on; of an older one its debuginfo does (--debug-dir)",
		       name);
}

/* Where its page is missing, the number of symbols is found with their names. */
static int read_nr(struct kallsyms *k, struct vmem *vmem, struct err *err)
{
	u64 va;
	int ret = locate(k, vmem, "kallsyms_num_syms", &va, err);

	if (ret)
		return ret;
	if (!vmem_u32(vmem, va, &k->names.nr))
		k->names.nr = 0;
	if (k->names.nr > KALLSYMS_MAX)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the kernel says it has %u symbols", k->names.nr);
	return 0;
}

static int read_kallsyms_names(struct kallsyms *k, struct vmem *vmem, struct err *err)
{
	u64 table, index, names;
	int ret = locate(k, vmem, "kallsyms_token_table", &table, err);

	if (!ret)
		ret = locate(k, vmem, "kallsyms_token_index", &index, err);
	if (!ret)
		ret = locate(k, vmem, "kallsyms_names", &names, err);
	return ret ? ret : kallsyms_names_read(&k->names, vmem, table, index, names, err);
}

/* --- addresses ----------------------------------------------------------- */

static bool has_address(const struct kallsyms *k, u32 i)
{
	return holed_bytes_has(&k->offsets, 4ULL * i, 4);
}

static s32 offset_of(const struct kallsyms *k, u32 i, enum byte_order order)
{
	struct bytes b = bytes_of(k->offsets.data, k->offsets.size, order);

	return bytes_u32(&b, 4ULL * i);
}

static u64 decode(const struct kallsyms *k, enum encoding encoding, u32 i, s32 offset)
{
	switch (encoding) {
	case ABSOLUTE_PERCPU:
		return offset >= 0 ? (u64)offset : k->base - 1 - (s64)offset;
	case RELATIVE:
		return k->base + (u32)offset;
	default:
		return k->offsets.va + 4ULL * i + (s64)offset;
	}
}

/* Symbols whose addresses VMCOREINFO has as well. */
static const char * const anchors[] = {
	"_stext", "init_uts_ns", "node_online_map", "mem_section", "prb", "clear_seq",
	"swapper_pg_dir", "init_top_pgt", "printk_rb_static", "node_data", "vmap_area_list",
};

/* An anchor from number *@next on whose name and address are in the table. */
static bool next_anchor(struct kallsyms *k, struct vmem *vmem, u32 *next, u32 *ret, u64 *ret_va)
{
	while (*next < ARRAY_SIZE(anchors)) {
		const char *name = anchors[(*next)++];

		if (vmcoreinfo_symbol(vmem_input(vmem), name, ret_va) &&
		    kallsyms_names_find(&k->names, name, ret) && has_address(k, *ret))
			return true;
	}
	return false;
}

/* Does any symbol have the address?  For a table that has lost its names. */
static bool any_is_at(const struct kallsyms *k, enum encoding encoding, enum byte_order order,
		      u64 va)
{
	for (u32 i = 0; i < k->names.nr; i++)
		if (has_address(k, i) && decode(k, encoding, i, offset_of(k, i, order)) == va)
			return true;
	return false;
}

static bool encoding_fits(struct kallsyms *k, struct vmem *vmem, enum encoding encoding, u64 stext)
{
	enum byte_order order = dump_byte_order(vmem_input(vmem));
	u32 next = 0, i;
	u64 va;

	if (next_anchor(k, vmem, &next, &i, &va))
		return decode(k, encoding, i, offset_of(k, i, order)) == va;
	return k->names.nr_lost && any_is_at(k, encoding, order, stext);
}

/* The base is lost: it follows from one anchor, and another one confirms it. */
static bool guess_base(struct kallsyms *k, struct vmem *vmem)
{
	enum byte_order order = dump_byte_order(vmem_input(vmem));
	u32 next = 0, first, second;
	u64 va, second_va;
	s32 offset;

	if (!next_anchor(k, vmem, &next, &first, &va))
		return false;
	offset = offset_of(k, first, order);
	k->encoding = offset < 0 ? ABSOLUTE_PERCPU : RELATIVE;
	k->base = offset < 0 ? va + 1 + (s64)offset : va - (u32)offset;
	if (k->base % 4096)
		return false;
	while (next_anchor(k, vmem, &next, &second, &second_va))
		if (second_va != va)
			return decode(k, k->encoding, second, offset_of(k, second, order)) == second_va;
	return false;
}

/* Only one gives _stext its address; kernels with a base do not use the last one. */
static int find_encoding(struct kallsyms *k, struct vmem *vmem, struct err *err)
{
	u64 stext, va;
	u32 i, e = PLACE_RELATIVE;

	if (!vmcoreinfo_symbol(vmem_input(vmem), "_stext", &stext) ||
	    (!k->names.nr_lost && !kallsyms_names_find(&k->names, "_stext", &i)))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "the kernel's symbol table has no _stext to check it by");
	k->first = stext;
	if (knows(k, vmem, "kallsyms_relative_base", &va)) {
		if (!vmem_u64(vmem, va, &k->base) || !k->base)
			return guess_base(k, vmem) ? 0 :
			       kallsyms_names_lack(vmem, "base address", err);
		e = ABSOLUTE_PERCPU;
	}
	for (; e < NR_ENCODINGS; e++) {
		if (encoding_fits(k, vmem, e, stext)) {
			k->encoding = e;
			return 0;
		}
	}
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
		       "the kernel's symbol table is encoded as none that is known, or damaged: it does not have _stext at %#llx",
		       stext);
}

static void decode_all(struct kallsyms *k, enum byte_order order)
{
	k->sorted = true;
	for (u32 i = 0; i < k->names.nr; i++) {
		if (has_address(k, i)) {
			k->addr[i] = decode(k, k->encoding, i, offset_of(k, i, order));
		} else {
			k->addr[i] = i ? k->addr[i - 1] : 0;
			k->nr_lost++;
		}
		if (i && k->addr[i] < k->addr[i - 1])
			k->sorted = false;
	}
	k->end = k->addr[k->names.nr - 1];
}

static int read_addresses(struct kallsyms *k, struct vmem *vmem, struct err *err)
{
	u64 va;
	int ret = locate(k, vmem, "kallsyms_offsets", &va, err);

	if (ret)
		return ret;
	ret = holed_bytes_read(&k->offsets, vmem, va, 4ULL * k->names.nr, err);
	if (ret)
		return ret;
	k->addr = calloc(k->names.nr, sizeof(*k->addr));
	if (!k->addr)
		return err_sys(err, "memory for %u symbols", k->names.nr);
	ret = find_encoding(k, vmem, err);
	if (!ret)
		decode_all(k, dump_byte_order(vmem_input(vmem)));
	return ret;
}

static void tell_lost(struct kallsyms *k)
{
	if (k->names.nr_lost || k->nr_lost)
		snprintf(k->lost, sizeof(k->lost),
			 "of the kernel's %u symbols, %u names and %u addresses are lost%s%s%s%s: what is there is shown as an address",
			 k->names.nr, k->names.nr_lost, k->nr_lost,
			 k->names.nr_lost ? ": " : "", k->names.nr_lost ? k->names.why : "",
			 k->nr_lost ? ": " : "", k->nr_lost ? k->offsets.why : "");
}

const char *kallsyms_lost(const struct kallsyms *k)
{
	return k && *k->lost ? k->lost : NULL;
}

int kallsyms_open(struct kallsyms **ret, struct vmem *vmem, const struct kallsyms_guide *guide,
		  struct err *err)
{
	struct kallsyms *k = calloc(1, sizeof(*k));
	u64 names;
	int res;

	if (!k)
		return err_sys(err, "memory for the kernel's symbols");
	k->guide = guide;
	if (!knows(k, vmem, "kallsyms_names", &names))
		kallsyms_place_find(&k->place, vmem);
	res = read_nr(k, vmem, err);
	if (!res)
		res = read_kallsyms_names(k, vmem, err);
	if (!res)
		res = read_addresses(k, vmem, err);
	if (!res)
		tell_lost(k);
	k->guide = NULL;
	if (res)
		kallsyms_close(k);
	else
		*ret = k;
	return res;
}

int kallsyms_open_kept(struct kallsyms **ret, const struct kept_symbols *symbols, struct err *err)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return err_sys(err, "memory for symbols");
	(*ret)->kept = symbols;
	return 0;
}

void kallsyms_close(struct kallsyms *k)
{
	if (!k)
		return;
	kallsyms_names_free(&k->names);
	holed_bytes_free(&k->offsets);
	free(k->addr);
	free(k);
}

u32 kallsyms_nr(const struct kallsyms *k)
{
	return k->names.nr;
}

const char *kallsyms_encoding(const struct kallsyms *k)
{
	return encoding_names[k->encoding];
}

/* --- looking up ---------------------------------------------------------- */

static bool find_learned(const struct kallsyms *k, const char *name, u64 *ret)
{
	for (u32 i = 0; i < k->nr_learned; i++) {
		if (!strcmp(k->learned[i].name, name)) {
			*ret = k->learned[i].addr;
			return true;
		}
	}
	return false;
}

/* The kernel's own: at @addr, or that has @name. */
static const struct kept_symbol *find_kept_symbol(const struct kallsyms *k, u64 addr, const char *name)
{
	for (u32 i = 0; i < k->kept->nr; i++) {
		const struct kept_symbol *symbol = &k->kept->list[i];

		if (!*symbol->module && (name ? !strcmp(symbol->name, name) : addr - symbol->start < symbol->size))
			return symbol;
	}
	return NULL;
}

bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	const struct kept_symbol *symbol;
	u32 i;

	if (!k)
		return false;
	if (k->kept) {
		symbol = find_kept_symbol(k, 0, name);
		if (symbol)
			*ret = symbol->start;
		return symbol;
	}
	if (!kallsyms_names_find(&k->names, name, &i) || !has_address(k, i))
		return find_learned(k, name, ret);
	*ret = k->addr[i];
	return true;
}

bool kallsyms_is_only(struct kallsyms *k, const char *name)
{
	return k && !k->kept && kallsyms_names_count(&k->names, name) == 1;
}

void kallsyms_learn(struct kallsyms *k, const char *name, u64 addr)
{
	u64 known;

	if (k->nr_learned == LEARNED_MAX || find_learned(k, name, &known) ||
	    strlen(name) >= sizeof(k->learned[0].name))
		return;
	strcpy(k->learned[k->nr_learned].name, name);
	k->learned[k->nr_learned++].addr = addr;
}

bool kallsyms_symbol(const struct kallsyms *k, u32 i, u64 *addr, char *type, char *name)
{
	char buf[KALLSYMS_NAME_MAX + 1];
	u32 len;

	if (i >= k->names.nr)
		return false;
	len = kallsyms_names_expand(&k->names, i, buf, sizeof(buf));
	*addr = k->addr[i];
	*type = buf[0];
	memcpy(name, len ? buf + 1 : buf, len ? len : 1);
	return true;
}

/* The first symbol at @addr or behind; the number of all: there is none. */
static u32 first_from(const struct kallsyms *k, u64 addr)
{
	u32 low = 0, high = k->names.nr;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (k->addr[mid] < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

bool kallsyms_begins(const struct kallsyms *k, u64 addr)
{
	u32 i;

	if (!k || !k->sorted || addr < k->first)
		return false;
	i = first_from(k, addr);
	return i < k->names.nr && has_address(k, i) && k->addr[i] == addr;
}

/*
 * Of several symbols at one address the kernel prints the first. Of an address beside a lost one it
 * is not known which symbol it is in, and of a lost name nothing is.
 */
bool kallsyms_find(const struct kallsyms *k, u64 addr, struct ksym *ret)
{
	const struct kept_symbol *symbol;
	u32 next, i;
	char type;

	if (k && k->kept) {
		symbol = find_kept_symbol(k, addr, NULL);
		if (!symbol)
			return false;
		ret->start = symbol->start;
		ret->size = symbol->size;
		memcpy(ret->name, symbol->name, sizeof(ret->name));
		return true;
	}
	if (!k || !k->sorted || addr < k->first || addr < k->addr[0] || addr >= k->end)
		return false;
	next = first_from(k, addr + 1);
	i = first_from(k, k->addr[next - 1]);
	if (!has_address(k, next) || !has_address(k, next - 1) || !has_address(k, i))
		return false;
	ret->size = k->addr[next] - k->addr[next - 1];
	kallsyms_symbol(k, i, &ret->start, &type, ret->name);
	return *ret->name;
}
