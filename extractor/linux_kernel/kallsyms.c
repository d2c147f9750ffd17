// SPDX-License-Identifier: GPL-2.0-or-later
#include "kallsyms.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "dump/vmcoreinfo.h"
#include "kallsyms_names.h"

#define LEARNED_MAX	32

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
 * @addr: of each
 * @sorted: addresses ascend, so that one can be looked up
 * @offsets_va: where the kernel has the addresses, encoded
 * @first: where the kernel begins; what is below are numbers and offsets of per-CPU variables
 * @end: address of the last symbol
 * @learned: which are not in the table
 */
struct kallsyms {
	struct kallsyms_names names;
	u64 *addr;
	bool sorted;
	u64 offsets_va;
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
};

/* --- reading ------------------------------------------------------------- */

static bool knows(const struct kallsyms *k, struct vmem *vmem, const char *name, u64 *ret)
{
	return vmcoreinfo_symbol(vmem_input(vmem), name, ret) ||
	       (k->guide && k->guide->address(k->guide->priv, name, ret));
}

static int locate(const struct kallsyms *k, struct vmem *vmem, const char *name, u64 *ret,
		  struct err *err)
{
	if (knows(k, vmem, name, ret))
		return 0;
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "VMCOREINFO has no SYMBOL(%s): kernels tell where their symbols are from 6.0 on; of an older one its debuginfo does (--debug-dir)",
		       name);
}

static int read_nr(struct kallsyms *k, struct vmem *vmem, struct err *err)
{
	u64 va;
	int ret = locate(k, vmem, "kallsyms_num_syms", &va, err);

	if (ret)
		return ret;
	if (!vmem_u32(vmem, va, &k->names.nr))
		return kallsyms_names_lack(vmem, "number of symbols", err);
	if (!k->names.nr || k->names.nr > KALLSYMS_MAX)
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

static u64 decode(const struct kallsyms *k, enum encoding encoding, u32 i, s32 offset)
{
	switch (encoding) {
	case ABSOLUTE_PERCPU:
		return offset >= 0 ? (u64)offset : k->base - 1 - (s64)offset;
	case RELATIVE:
		return k->base + (u32)offset;
	default:
		return k->offsets_va + 4ULL * i + (s64)offset;
	}
}

/* Only one gives _stext its address; kernels with a base do not use the last one. */
static int find_encoding(struct kallsyms *k, struct vmem *vmem, const s32 *offsets,
			 struct err *err)
{
	u64 stext, va;
	u32 i, e = PLACE_RELATIVE;

	if (!kallsyms_names_find(&k->names, "_stext", &i) ||
	    !vmcoreinfo_symbol(vmem_input(vmem), "_stext", &stext))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "the kernel's symbol table has no _stext to check it by");
	if (knows(k, vmem, "kallsyms_relative_base", &va)) {
		if (!vmem_u64(vmem, va, &k->base))
			return kallsyms_names_lack(vmem, "base address", err);
		e = ABSOLUTE_PERCPU;
	}
	for (; e < NR_ENCODINGS; e++) {
		if (decode(k, e, i, offsets[i]) == stext) {
			k->encoding = e;
			k->first = stext;
			return 0;
		}
	}
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
		       "the kernel's symbol table is encoded as none that is known, or damaged: it does not have _stext at %#llx",
		       stext);
}

static int read_addresses(struct kallsyms *k, struct vmem *vmem, struct err *err)
{
	int ret = locate(k, vmem, "kallsyms_offsets", &k->offsets_va, err);
	u32 i, nr = k->names.nr;
	struct bytes b;
	s32 *offsets;

	if (ret)
		return ret;
	offsets = calloc(nr, sizeof(*offsets));
	k->addr = calloc(nr, sizeof(*k->addr));
	if (!offsets || !k->addr)
		ret = err_sys(err, "memory for %u symbols", nr);
	else if (!vmem_get(vmem, k->offsets_va, offsets, nr * sizeof(*offsets)))
		ret = kallsyms_names_lack(vmem, "addresses", err);
	b = bytes_of(offsets, nr * sizeof(*offsets), dump_byte_order(vmem_input(vmem)));
	for (i = 0; i < nr && !ret; i++)
		offsets[i] = bytes_u32(&b, i * 4ULL);
	if (!ret)
		ret = find_encoding(k, vmem, offsets, err);
	k->sorted = true;
	for (i = 0; i < nr && !ret; i++) {
		k->addr[i] = decode(k, k->encoding, i, offsets[i]);
		k->sorted &= !i || k->addr[i] >= k->addr[i - 1];
		k->end = k->addr[i];
	}
	free(offsets);
	return ret;
}

int kallsyms_open(struct kallsyms **ret, struct vmem *vmem, const struct kallsyms_guide *guide,
		  struct err *err)
{
	struct kallsyms *k = calloc(1, sizeof(*k));
	int res;

	if (!k)
		return err_sys(err, "memory for the kernel's symbols");
	k->guide = guide;
	res = read_nr(k, vmem, err);
	if (!res)
		res = read_kallsyms_names(k, vmem, err);
	if (!res)
		res = read_addresses(k, vmem, err);
	k->guide = NULL;
	if (res)
		kallsyms_close(k);
	else
		*ret = k;
	return res;
}

void kallsyms_close(struct kallsyms *k)
{
	if (!k)
		return;
	kallsyms_names_free(&k->names);
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

bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	u32 i;

	if (!k)
		return false;
	if (!kallsyms_names_find(&k->names, name, &i))
		return find_learned(k, name, ret);
	*ret = k->addr[i];
	return true;
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

/* Of several symbols at one address the kernel prints the first. */
bool kallsyms_find(const struct kallsyms *k, u64 addr, struct ksym *ret)
{
	u32 next;
	char type;

	if (!k || !k->sorted || addr < k->first || addr < k->addr[0] || addr >= k->end)
		return false;
	next = first_from(k, addr + 1);
	ret->size = k->addr[next] - k->addr[next - 1];
	kallsyms_symbol(k, first_from(k, k->addr[next - 1]), &ret->start, &type, ret->name);
	return true;
}
