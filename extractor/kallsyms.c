// SPDX-License-Identifier: GPL-2.0-or-later
#include "kallsyms.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "name_index.h"
#include "vmcoreinfo.h"

#define NAMES_STEP	(256U << 10)	/* bytes of names that are read at once */
#define NAMES_MAX	(32U << 20)
#define NR_TOKENS	256
#define TOKENS_MAX	4096		/* bytes of their table; the kernel's is about 900 */

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
 * @names: a length and as many tokens for each symbol
 * @at: where the name of each begins
 * @addr: of each
 * @sorted: addresses ascend, so that one can be looked up
 * @tokens: the table as it is, and one that says where each begins; of NULs where they lack
 * @offsets_va: where the kernel has the addresses, encoded
 * @first: where the kernel begins; what is below are numbers and offsets of per-CPU variables
 * @end: address of the last symbol
 */
struct kallsyms {
	u8 *names;
	u32 names_size;
	u32 nr;
	u32 *at;
	u64 *addr;
	bool sorted;
	char tokens[TOKENS_MAX + 1];
	u16 token_at[NR_TOKENS];
	u64 offsets_va;
	u64 base;
	enum encoding encoding;
	u64 first;
	u64 end;
	struct name_index index;
};

/* --- names --------------------------------------------------------------- */

/* The tokens of a name that begins at @at; 0: it does not fit. */
static u32 take_length(const struct kallsyms *k, u32 *at)
{
	u32 left = k->names_size - *at, len;

	if (!left)
		return 0;
	len = k->names[(*at)++];
	if (len & 0x80) {
		if (left < 2)
			return 0;
		len = (len & 0x7f) | (u32)k->names[(*at)++] << 7;
	}
	return len <= k->names_size - *at ? len : 0;
}

/* Write out the name at @at, with its type in front.  Return: its length with the type. */
static u32 expand(const struct kallsyms *k, u32 at, char *buf, u32 size)
{
	u32 len = take_length(k, &at), out = 0;

	while (len--) {
		const char *token = &k->tokens[k->token_at[k->names[at++]]];

		while (*token && out < size - 1)
			buf[out++] = *token++;
	}
	buf[out] = '\0';
	return out;
}

static int index_names(struct kallsyms *k)
{
	int ret = name_index_make(&k->index, k->nr, NULL);

	for (u32 i = k->nr; i-- && !ret; ) {
		char name[KALLSYMS_NAME_MAX + 1];
		u32 len = expand(k, k->at[i], name, sizeof(name));

		name_index_add(&k->index, name_hash(len ? name + 1 : name), i);
	}
	return ret;
}

static bool has_name(const struct kallsyms *k, u32 i, const char *name)
{
	char buf[KALLSYMS_NAME_MAX + 1];
	u32 len = expand(k, k->at[i], buf, sizeof(buf));

	return len > 1 && !strcmp(buf + 1, name);
}

static bool find_name(struct kallsyms *k, const char *name, u32 *ret)
{
	u32 i, steps;

	if (!k->index.heads && index_names(k))
		return false;
	name_index_each(&k->index, name_hash(name), i, steps) {
		if (has_name(k, i, name)) {
			*ret = i;
			return true;
		}
	}
	return false;
}

/* --- reading ------------------------------------------------------------- */

static int lacks(struct vmem *vmem, const char *what, struct err *err)
{
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the kernel's symbol table lacks its %s: %s",
		       what, vmem_why(vmem));
}

static int locate(struct vmem *vmem, const char *name, u64 *ret, struct err *err)
{
	if (vmcoreinfo_symbol(vmem_input(vmem), name, ret))
		return 0;
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
		       "VMCOREINFO has no SYMBOL(%s): kernels tell where their symbols are from 6.0 on",
		       name);
}

static int read_nr(struct kallsyms *k, struct vmem *vmem, struct err *err)
{
	u64 va;
	int ret = locate(vmem, "kallsyms_num_syms", &va, err);

	if (ret)
		return ret;
	if (!vmem_u32(vmem, va, &k->nr))
		return lacks(vmem, "number of symbols", err);
	if (!k->nr || k->nr > KALLSYMS_MAX)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the kernel says it has %u symbols", k->nr);
	return 0;
}

static int read_tokens(struct kallsyms *k, struct vmem *vmem, struct err *err)
{
	enum byte_order order = input_byte_order(vmem_input(vmem));
	u8 raw[2 * NR_TOKENS];
	struct bytes b = bytes_of(raw, sizeof(raw), order);
	u64 table, index;
	int ret = locate(vmem, "kallsyms_token_table", &table, err);

	if (!ret)
		ret = locate(vmem, "kallsyms_token_index", &index, err);
	if (ret)
		return ret;
	if (vmem_read(vmem, table, k->tokens, TOKENS_MAX) < 1)
		return lacks(vmem, "tokens", err);
	if (!vmem_get(vmem, index, raw, sizeof(raw)))
		return lacks(vmem, "token index", err);
	for (u32 i = 0; i < NR_TOKENS; i++) {
		k->token_at[i] = bytes_u16(&b, 2 * i);
		if (k->token_at[i] > TOKENS_MAX)
			k->token_at[i] = TOKENS_MAX;
	}
	return 0;
}

/* Where each name begins; false if there are not enough bytes for all. */
static bool split_names(struct kallsyms *k, u32 *done, u32 *at)
{
	while (*done < k->nr) {
		u32 next = *at, len = take_length(k, &next);

		if (!len)
			return false;
		k->at[(*done)++] = *at;
		*at = next + len;
	}
	return true;
}

/* How long the names are in all is nowhere said: read on until there are enough. */
static int read_names(struct kallsyms *k, struct vmem *vmem, struct err *err)
{
	u32 done = 0, at = 0;
	u64 va;
	int ret = locate(vmem, "kallsyms_names", &va, err);

	if (ret)
		return ret;
	k->at = calloc(k->nr, sizeof(*k->at));
	while (k->at && k->names_size < NAMES_MAX) {
		u8 *more = realloc(k->names, k->names_size + NAMES_STEP);
		ssize_t n;

		if (!more)
			break;
		k->names = more;
		n = vmem_read(vmem, va + k->names_size, more + k->names_size, NAMES_STEP);
		k->names_size += n;
		if (split_names(k, &done, &at))
			return 0;
		if (n < (ssize_t)NAMES_STEP)
			return lacks(vmem, "names", err);
	}
	if (k->names_size >= NAMES_MAX)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "the names of the kernel's symbols do not end: %u of %u in %u bytes",
			       done, k->nr, k->names_size);
	return err_sys(err, "memory for the names of %u symbols", k->nr);
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

	if (!find_name(k, "_stext", &i) ||
	    !vmcoreinfo_symbol(vmem_input(vmem), "_stext", &stext))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "the kernel's symbol table has no _stext to check it by");
	if (vmcoreinfo_symbol(vmem_input(vmem), "kallsyms_relative_base", &va)) {
		if (!vmem_u64(vmem, va, &k->base))
			return lacks(vmem, "base address", err);
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

static void decode_all(struct kallsyms *k, const s32 *offsets)
{
	k->sorted = true;
	for (u32 i = 0; i < k->nr; i++) {
		k->addr[i] = decode(k, k->encoding, i, offsets[i]);
		if (i && k->addr[i] < k->addr[i - 1])
			k->sorted = false;
	}
	k->end = k->addr[k->nr - 1];
}

static void swap_offsets(const struct kallsyms *k, s32 *offsets, enum byte_order order)
{
	for (u32 i = 0; i < k->nr; i++) {
		struct bytes b = bytes_of(&offsets[i], sizeof(*offsets), order);

		offsets[i] = bytes_u32(&b, 0);
	}
}

static int decode_offsets(struct kallsyms *k, struct vmem *vmem, s32 *offsets, struct err *err)
{
	int ret;

	if (!vmem_get(vmem, k->offsets_va, offsets, k->nr * sizeof(*offsets)))
		return lacks(vmem, "addresses", err);
	swap_offsets(k, offsets, input_byte_order(vmem_input(vmem)));
	ret = find_encoding(k, vmem, offsets, err);
	if (!ret)
		decode_all(k, offsets);
	return ret;
}

static int read_addresses(struct kallsyms *k, struct vmem *vmem, struct err *err)
{
	int ret = locate(vmem, "kallsyms_offsets", &k->offsets_va, err);
	s32 *offsets;

	if (ret)
		return ret;
	offsets = calloc(k->nr, sizeof(*offsets));
	k->addr = calloc(k->nr, sizeof(*k->addr));
	if (offsets && k->addr)
		ret = decode_offsets(k, vmem, offsets, err);
	else
		ret = err_sys(err, "memory for %u symbols", k->nr);
	free(offsets);
	return ret;
}

int kallsyms_open(struct kallsyms **ret, struct vmem *vmem, struct err *err)
{
	struct kallsyms *k = calloc(1, sizeof(*k));
	int res;

	if (!k)
		return err_sys(err, "memory for the kernel's symbols");
	res = read_nr(k, vmem, err);
	if (!res)
		res = read_tokens(k, vmem, err);
	if (!res)
		res = read_names(k, vmem, err);
	if (!res)
		res = read_addresses(k, vmem, err);
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
	name_index_free(&k->index);
	free(k->names);
	free(k->at);
	free(k->addr);
	free(k);
}

u32 kallsyms_nr(const struct kallsyms *k)
{
	return k->nr;
}

const char *kallsyms_encoding(const struct kallsyms *k)
{
	return encoding_names[k->encoding];
}

/* --- looking up ---------------------------------------------------------- */

bool kallsyms_address(struct kallsyms *k, const char *name, u64 *ret)
{
	u32 i;

	if (!k || !find_name(k, name, &i))
		return false;
	*ret = k->addr[i];
	return true;
}

bool kallsyms_symbol(const struct kallsyms *k, u32 i, u64 *addr, char *type, char *name)
{
	char buf[KALLSYMS_NAME_MAX + 1];
	u32 len;

	if (i >= k->nr)
		return false;
	len = expand(k, k->at[i], buf, sizeof(buf));
	*addr = k->addr[i];
	*type = buf[0];
	memcpy(name, len ? buf + 1 : buf, len ? len : 1);
	return true;
}

/* The first symbol at @addr or behind; the number of all: there is none. */
static u32 first_from(const struct kallsyms *k, u64 addr)
{
	u32 low = 0, high = k->nr;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (k->addr[mid] < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Of several at one address the kernel tells the first. */
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
