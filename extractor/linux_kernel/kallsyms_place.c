// SPDX-License-Identifier: GPL-2.0-or-later
#include "kallsyms_place.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "dump/vmcoreinfo.h"
#include "kallsyms.h"
#include "kallsyms_names.h"

#define STEP		(64U << 10)
#define INDEX_SIZE	(2 * KNAMES_TOKENS)
#define SEARCH_MOST	(256ULL << 20)	/* of a kernel's text and constants */
#define SEARCH_BLIND	(64ULL << 20)	/* where nothing says how far they reach */
#define EACH_MARKER	256		/* symbols */
#define TOKEN_LONGEST	512
#define NAMES_MOST	(32U << 20)	/* bytes; Debian's 5.10 has 1.5 MiB */
#define MOST_TRIES	512		/* what looks like an index, or like a number of symbols, in all */

static u64 round_up_8(u64 value)
{
	return (value + 7) & ~7ULL;
}

/* --- tokens -------------------------------------------------------------- */

static bool is_index(const u8 *at, enum byte_order order)
{
	struct bytes b = bytes_of(at, INDEX_SIZE, order);
	u32 before = 0, now;

	for (u32 i = 0; i < KNAMES_TOKENS; i++, before = now) {
		now = bytes_u16(&b, 2 * i);
		if (i ? now <= before || now - before > TOKEN_LONGEST : now)
			return false;
	}
	return before < KNAMES_TOKENS_MAX;
}

/* Each token ends where the next one begins, and behind the last one are zeros up to the index. */
static bool is_table(const char *table, u32 size, struct bytes *index)
{
	u32 at = 0;

	for (u32 i = 0; i < KNAMES_TOKENS; i++) {
		if (at != bytes_u16(index, 2 * i))
			return false;
		at += strnlen(table + at, size - at) + 1;
		if (at > size)
			return false;
	}
	if (size - at >= 8)
		return false;
	while (at < size)
		if (table[at++])
			return false;
	return true;
}

/* The table that @index, of address @va, belongs to. */
static bool find_token_table(struct vmem *vmem, const u8 *index, u64 va, u64 *ret)
{
	struct bytes b = bytes_of(index, INDEX_SIZE, dump_byte_order(vmem_input(vmem)));
	u32 least = round_up_8(bytes_u16(&b, INDEX_SIZE - 2) + 1), size;
	char table[KNAMES_TOKENS_MAX + TOKEN_LONGEST];

	for (size = least; size < least + TOKEN_LONGEST && size <= sizeof(table); size += 8) {
		if (!vmem_get(vmem, va - size, table, size))
			return false;
		if (!is_table(table, size, &b))
			continue;
		*ret = va - size;
		return true;
	}
	return false;
}

/* --- markers and names --------------------------------------------------- */

/**
 * struct markers - behind the names
 * @width: bytes of each
 * @at: nr of them, in the order of the names
 * @va: of the first
 */
struct markers {
	u32 width;
	u32 nr;
	u64 va;
	u32 at[KALLSYMS_MAX / EACH_MARKER];
};

/* Backwards from @end: they ascend from 0 on, and one of 4 bytes may be followed by a gap. */
static bool read_markers(struct markers *m, struct vmem *vmem, u64 end, u32 width)
{
	u64 va = end - width, value, next = 1ULL << 32;
	u32 most = ARRAY_SIZE(m->at), nr = 0;

	if (vmem_number(vmem, va, width, &value) && !value && width == 4)
		va -= width;
	for (; nr < most && vmem_number(vmem, va, width, &value) && value < next; va -= width) {
		m->at[most - ++nr] = value;
		next = value;
		if (value)
			continue;
		m->width = width;
		m->nr = nr;
		m->va = va;
		memmove(m->at, m->at + most - nr, nr * sizeof(m->at[0]));
		return va % 8 == 0 && nr > 1;
	}
	return false;
}

/* Do the lengths of names lead from each marker to the next, and the last ones to the end? */
static bool leads_along(const struct markers *m, const u8 *names, u32 size, u32 nr_symbols)
{
	u32 at = 0;

	for (u32 i = 0; i < nr_symbols; i++) {
		if (i % EACH_MARKER == 0 && at != m->at[i / EACH_MARKER])
			return false;
		if (at >= size || !names[at])
			return false;
		at += 1 + names[at];
	}
	return at <= size && size - at < 8;
}

/* The number of symbols in front of the names: a word of 4 or 8 bytes. */
static u32 nr_symbols_of(const u8 *word, enum byte_order order, u32 *off)
{
	struct bytes b = bytes_of(word, 8, order);

	*off = bytes_u32(&b, 0) ? 0 : 4;
	return bytes_u32(&b, 4 - *off) ? 0 : bytes_u32(&b, *off);
}

/* Names begin where they lead along the markers; how many the last marker has behind it is not known. */
static bool find_names(struct kallsyms_place *place, struct vmem *vmem, const struct markers *m, u32 *tries)
{
	enum byte_order order = dump_byte_order(vmem_input(vmem));
	u32 most = m->at[m->nr - 1] + EACH_MARKER * 256 + 8, nr, off;
	u8 *bytes = m->at[m->nr - 1] < NAMES_MOST ? malloc(most) : NULL;
	bool found = false;

	for (u32 size = round_up_8(m->at[m->nr - 1]); bytes && size + 8 <= most && *tries && !found; size += 8) {
		if (!vmem_get(vmem, m->va - size - 8, bytes, 8))
			break;
		nr = nr_symbols_of(bytes, order, &off);
		if (!nr || nr > KALLSYMS_MAX || (nr + EACH_MARKER - 1) / EACH_MARKER != m->nr)
			continue;
		--*tries;
		if (!vmem_get(vmem, m->va - size, bytes, size) || !leads_along(m, bytes, size, nr))
			continue;
		place->names = m->va - size;
		place->num_syms = place->names - 8 + off;
		place->relative_base = place->names - 16;
		place->offsets = place->relative_base - round_up_8(4ULL * nr);
		found = true;
	}
	free(bytes);
	return found;
}

/* --- all ----------------------------------------------------------------- */

static bool table_agrees(struct kallsyms_place *place, struct vmem *vmem, const u8 *index, u64 va, u32 *tries)
{
	struct markers *m;
	bool found = false;

	--*tries;
	if (!find_token_table(vmem, index, va, &place->token_table))
		return false;
	place->token_index = va;
	m = malloc(sizeof(*m));
	if (m)
		found = (read_markers(m, vmem, place->token_table, 4) && find_names(place, vmem, m, tries)) ||
			(read_markers(m, vmem, place->token_table, 8) && find_names(place, vmem, m, tries));
	free(m);
	return found;
}

/* As much as there is at @va, and where to go on. */
static ssize_t read_constants(struct vmem *vmem, u64 va, u8 *piece, u64 *next)
{
	u64 page = vmem_page_size(vmem);
	ssize_t got = vmem_read(vmem, va, piece, STEP + INDEX_SIZE);

	*next = got < STEP + INDEX_SIZE ? (va + (got > 0 ? got : 0) + page) & ~(page - 1) : va + STEP;
	return got;
}

bool kallsyms_place_find(struct kallsyms_place *place, struct vmem *vmem)
{
	enum byte_order order = dump_byte_order(vmem_input(vmem));
	u8 *piece = malloc(STEP + INDEX_SIZE);
	u64 va, next, end;
	u32 tries = MOST_TRIES;
	bool found = false;

	*place = (struct kallsyms_place){ 0 };
	if (!piece || !vmcoreinfo_symbol(vmem_input(vmem), "_stext", &va)) {
		free(piece);
		return false;
	}
	va &= ~7ULL;
	if (!vmcoreinfo_symbol(vmem_input(vmem), "init_uts_ns", &end) || end < va || end - va > SEARCH_MOST)
		end = va + SEARCH_BLIND;
	for (; va < end && tries && !found; va = next) {
		ssize_t got = read_constants(vmem, va, piece, &next);

		for (ssize_t at = 0; at + INDEX_SIZE <= got && tries && !found; at += 8)
			found = is_index(piece + at, order) && table_agrees(place, vmem, piece + at, va + at, &tries);
	}
	free(piece);
	return found;
}

bool kallsyms_place_of(const struct kallsyms_place *place, const char *name, u64 *ret)
{
	const struct {
		const char *name;
		u64 va;
	} parts[] = {
		{ "kallsyms_offsets", place->offsets }, { "kallsyms_relative_base", place->relative_base },
		{ "kallsyms_num_syms", place->num_syms }, { "kallsyms_names", place->names },
		{ "kallsyms_token_table", place->token_table }, { "kallsyms_token_index", place->token_index },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (!strcmp(name, parts[i].name) && parts[i].va) {
			*ret = parts[i].va;
			return true;
		}
	return false;
}
