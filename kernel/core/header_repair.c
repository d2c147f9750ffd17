// SPDX-License-Identifier: GPL-2.0-only
/*
 * Headers with flipped bits.  Without a header a generation is not found, and the next one goes over
 * it.  The parity of its first page lies behind the table, whose size only the header says: all
 * sizes are tried, and the check of the whole table decides.
 */
#include <epitaph/generation.h>
#include <epitaph/header_repair.h>

/* Read at run time, so that the compiler does not invert it into the code. */
static const volatile u64 magic_inverted = EPITAPH_MAGIC_INVERTED;

#define MAX_WRONG_BITS	8	/* of the magic: one of 10^9 other words is as near */
#define MAX_TRIED	64	/* pages; who fills a region with magics shall not hold the boot up */

static unsigned int nr_bits(u64 word)
{
	unsigned int n = 0;

	for (; word; word &= word - 1)
		n++;
	return n;
}

/* Copies the table of @nr pages at @off, and corrects it.  Returns false if it cannot be corrected. */
static bool correct_table(struct epitaph_header_repair *work, const void *base, u64 off, u32 nr)
{
	const void *parity = base + off + (u64)nr * EPITAPH_PAGE;
	unsigned int failed;
	u32 i;

	work->nr_wrong = 0;
	for (i = 0; i < nr; i++) {
		u8 *page = work->table + (u64)i * EPITAPH_PAGE;
		u8 *entry = work->parity + (u64)i * EPITAPH_PARITY_SIZE;

		memcpy(page, base + off + (u64)i * EPITAPH_PAGE, EPITAPH_PAGE);
		memcpy(entry, parity + (u64)i * EPITAPH_PARITY_SIZE, EPITAPH_PARITY_SIZE);
		work->nr_wrong += epitaph_parity_decode(&work->gf, page, entry, &failed);
		if (failed)
			return false;
	}
	return true;
}

static bool header_is_as_large(const struct epitaph_header_repair *work, u32 nr, u64 room)
{
	const struct epitaph_header *header = (const void *)work->table;
	u64 budget = sizeof(work->table);

	return le32_to_cpu(header->table_size) == nr * EPITAPH_PAGE && !header->self_off &&
	       epitaph_is_header(work->table, sizeof(work->table), 0, NULL, &budget) &&
	       le64_to_cpu(header->gen_size) <= room;
}

static bool repair_at(struct epitaph_header_repair *work, void *base, u64 size, u64 off, const u8 *bad)
{
	u64 whole;
	u32 nr;

	for (nr = 1; nr <= EPITAPH_REPAIR_PAGES; nr++) {
		whole = (u64)nr * (EPITAPH_PAGE + EPITAPH_PARITY_SIZE);
		if (whole > size - off || !epitaph_is_readable(bad, off, whole))
			return false;
		if (!correct_table(work, base, off, nr) || !header_is_as_large(work, nr, size - off))
			continue;
		memcpy(base + off, work->table, (u64)nr * EPITAPH_PAGE);
		return true;
	}
	return false;
}

bool epitaph_header_repair(struct epitaph_header_repair *work, void *base, u64 size, const u8 *bad)
{
	for (; work->next + EPITAPH_PAGE <= size; work->next += EPITAPH_PAGE) {
		u64 off = work->next, budget = size - off;

		plat_relax_at(off);
		if (!epitaph_is_readable(bad, off, EPITAPH_PAGE) ||
		    nr_bits(get_unaligned_le64(base + off) ^ ~magic_inverted) > MAX_WRONG_BITS ||
		    epitaph_is_header(base, size, off, bad, &budget))
			continue;
		if (work->nr_tried++ >= MAX_TRIED)
			return false;
		if (repair_at(work, base, size, off, bad)) {
			work->found = off;
			work->next += EPITAPH_PAGE;
			return true;
		}
	}
	return false;
}
