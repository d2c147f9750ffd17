// SPDX-License-Identifier: GPL-2.0-or-later
#include "parity.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "dump/page_magic.h"

#define CACHED_PAGES	64	/* rings are read in turns */

/* @nr: of the page, plus 1; 0: none. @corrected: by its parity; else @bytes are unknown. */
struct cached_page {
	u64 nr;
	bool corrected;
	u8 bytes[EPITAPH_PAGE];
};

/*
 * The parity of a generation.
 * @places: offsets plus 1 of entries that it brought back, a hash table of @room places
 */
struct parity {
	struct epitaph_gf gf;
	struct section sec;
	struct cached_page pages[CACHED_PAGES];
	u64 *places;
	u32 nr_places;
	u32 room;
};

int parity_open(struct generation *generation, struct err *err)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_PARITY);

	/* What changes while it is read would get the parity of its past. */
	if (!sec || sec->unit < EPITAPH_PARITY_SIZE || dump_changes(generation->in))
		return 0;
	generation->parity = calloc(1, sizeof(*generation->parity));
	if (!generation->parity)
		return err_sys(err, "memory for pages that parity corrects");
	epitaph_gf_init(&generation->parity->gf);
	generation->parity->sec = *sec;
	return 0;
}

void parity_close(struct parity *parity)
{
	if (parity)
		free(parity->places);
	free(parity);
}

static bool correct_page(const struct epitaph_gf *gf, u8 *page, u8 *parity)
{
	unsigned int nr_failed;

	return epitaph_parity_decode(gf, page, parity, &nr_failed) > 0;
}

static const struct cached_page *corrected_page(const struct generation *generation, u64 nr)
{
	struct parity *parity = generation->parity;
	struct cached_page *page = &parity->pages[nr % CACHED_PAGES];
	u8 entry[EPITAPH_PARITY_SIZE];

	if (page->nr == nr + 1)
		return page;
	page->nr = nr + 1;
	page->corrected = nr < parity->sec.size / parity->sec.unit &&
			  generation_read(generation, nr * EPITAPH_PAGE, page->bytes, sizeof(page->bytes),
					  NULL) == sizeof(page->bytes) &&
			  generation_read(generation, parity->sec.off + nr * parity->sec.unit, entry,
					  sizeof(entry), NULL) == sizeof(entry) &&
			  correct_page(&parity->gf, page->bytes, entry);
	return page;
}

bool generation_repair(const struct generation *generation, u64 off, void *buf, size_t size)
{
	bool changed = false;
	u8 *to = buf;
	size_t n;

	for (; generation->parity && size; off += n, to += n, size -= n) {
		const struct cached_page *page = corrected_page(generation, off / EPITAPH_PAGE);
		u32 at = off % EPITAPH_PAGE;

		n = EPITAPH_PAGE - at < size ? EPITAPH_PAGE - at : size;
		if (!page->corrected || !memcmp(to, page->bytes + at, n))
			continue;
		memcpy(to, page->bytes + at, n);
		changed = true;
	}
	return changed;
}

/* Adds to a table that has room. False: it was there. */
static bool add_place(struct parity *parity, u64 place)
{
	u32 at = place * EPITAPH_MIX_MUL >> 32 & (parity->room - 1);

	for (; parity->places[at]; at = (at + 1) & (parity->room - 1))
		if (parity->places[at] == place)
			return false;
	parity->places[at] = place;
	return true;
}

static bool grow_places(struct parity *parity)
{
	u64 *old = parity->places;
	u32 n = parity->room, i;

	parity->places = calloc(n ? 2 * n : 64, sizeof(*parity->places));
	if (!parity->places) {
		parity->places = old;
		return false;
	}
	parity->room = n ? 2 * n : 64;
	for (i = 0; i < n; i++)
		if (old[i])
			add_place(parity, old[i]);
	free(old);
	return true;
}

void generation_count_repaired(const struct generation *generation, u64 off)
{
	struct parity *parity = generation->parity;

	if (2 * parity->nr_places < parity->room || grow_places(parity))
		parity->nr_places += add_place(parity, off + 1);
}

u32 generation_nr_repaired(const struct generation *generation)
{
	return generation->parity ? generation->parity->nr_places : 0;
}

/* Reads page @nr of a table and corrects it; @size: of the table. */
static bool read_table_page(const struct epitaph_gf *gf, struct dump *in, u64 addr, u32 size, u32 nr,
			    u8 *page)
{
	u8 entry[EPITAPH_PARITY_SIZE];

	if (dump_read(in, addr + nr * EPITAPH_PAGE, page, EPITAPH_PAGE, NULL) != EPITAPH_PAGE ||
	    dump_read(in, addr + size + nr * sizeof(entry), entry, sizeof(entry), NULL) !=
	    (ssize_t)sizeof(entry))
		return false;
	correct_page(gf, page, entry);
	return true;
}

u8 *parity_read_table(const struct epitaph_gf *gf, struct dump *in, u64 addr, u32 size)
{
	u8 first[EPITAPH_PAGE], *table;
	struct epitaph_header hdr;
	u32 k;

	if (!read_table_page(gf, in, addr, size, 0, first))
		return NULL;
	memcpy(&hdr, first, sizeof(hdr));
	if (le64toh(hdr.magic) != page_magic_region() || le32toh(hdr.table_size) != size)
		return NULL;
	table = malloc(size);
	if (!table)
		return NULL;
	memcpy(table, first, sizeof(first));
	for (k = 1; k < size / EPITAPH_PAGE; k++)
		if (!read_table_page(gf, in, addr, size, k, table + k * EPITAPH_PAGE)) {
			free(table);
			return NULL;
		}
	return table;
}
