// SPDX-License-Identifier: GPL-2.0-only
/* The generations that a region holds. */
#include <epitaph/check.h>
#include <epitaph/generation.h>

/* Read at run time, so that the compiler does not invert it into the code. */
static const volatile u64 magic_inverted = EPITAPH_MAGIC_INVERTED;

#define MAX_TABLE	(4 << 20)	/* header and entries of 32768 rings */
#define SEARCH_FACTOR	2

const u8 epitaph_gen_unreadable[EPITAPH_PAGE] __aligned(8);

bool epitaph_is_readable(const u8 *bad, u64 off, u64 size)
{
	u64 page;

	if (!bad || !size)
		return true;
	for (page = off / EPITAPH_PAGE; page <= (off + size - 1) / EPITAPH_PAGE; page++)
		if (bad[page / 8] & 1 << page % 8)
			return false;
	return true;
}

static bool table_fits(u64 off, u64 size, u64 room)
{
	return off <= room && size <= room - off;
}

/* Numbers that are used as offsets: the table lies in @room bytes. */
static bool is_table_sane(const struct epitaph_header *header, u64 room)
{
	u64 table_size = le32_to_cpu(header->table_size);
	u64 header_size = le32_to_cpu(header->header_size);
	u64 section_size = le32_to_cpu(header->section_size);
	u64 nr = le32_to_cpu(header->nr_sections);

	return table_size <= room && table_size <= MAX_TABLE &&
	       table_size % EPITAPH_PAGE == 0 &&
	       header_size >= sizeof(*header) && header_size % 8 == 0 &&
	       section_size >= sizeof(struct epitaph_section) && section_size % 8 == 0 &&
	       header_size <= table_size &&
	       nr <= (table_size - header_size) / section_size;
}

static bool is_extent_sane(const struct epitaph_header *header)
{
	u64 gen_size = le64_to_cpu(header->gen_size);
	u64 copy_off = le64_to_cpu(header->copy_off);
	u64 self_off = le64_to_cpu(header->self_off);
	u64 table_size = le32_to_cpu(header->table_size);

	return gen_size % EPITAPH_PAGE == 0 && gen_size >= 2 * table_size &&
	       copy_off == gen_size - table_size &&
	       (!self_off || self_off == copy_off);
}

static u64 table_check(const struct epitaph_header *header)
{
	u32 size = le32_to_cpu(header->table_size);
	const u8 *p = (const u8 *)header;
	u64 h = size;
	u32 i;

	for (i = 0; i < size; i += 8)
		h = epitaph_mix(h, i == offsetof(struct epitaph_header, check) ?
				0 : get_unaligned_le64(p + i));
	return h ^ h >> 32;
}

/*
 * Tables that are checked in one search, in bytes: those of generations, which do not overlap, are
 * no more than the region.  Who filled it with headers that claim large tables shall not make each
 * boot take minutes.
 */
static bool may_check(u64 *budget, u64 table_size)
{
	if (table_size > *budget)
		return false;
	*budget -= table_size;
	return true;
}

static bool has_magic(const void *base, u64 off, const u8 *bad)
{
	const struct epitaph_header *header = base + off;

	return epitaph_is_readable(bad, off, EPITAPH_PAGE) && le64_to_cpu(header->magic) == ~magic_inverted;
}

/* order:table is after the end: no generation is written to while one is looked for. */
bool epitaph_is_header(const void *base, u64 size, u64 off, const u8 *bad, u64 *budget)
{
	const struct epitaph_header *header = base + off;

	return has_magic(base, off, bad) &&
	       le16_to_cpu(header->major) == EPITAPH_MAJOR &&
	       is_table_sane(header, size - off) && is_extent_sane(header) &&
	       epitaph_is_readable(bad, off, le32_to_cpu(header->table_size)) &&
	       may_check(budget, le32_to_cpu(header->table_size)) &&
	       le64_to_cpu(header->check) == table_check(header);
}

/* The generation whose header, or its copy, is at @off. */
static bool gen_at(struct epitaph_gen *gen, const void *base, u64 size, u64 off, const u8 *bad,
		   u64 *budget)
{
	const struct epitaph_header *header = base + off;
	u64 self_off;

	if (!epitaph_is_header(base, size, off, bad, budget))
		return false;
	self_off = le64_to_cpu(header->self_off);
	memset(gen, 0, sizeof(*gen));
	if (self_off > off)
		return false;
	gen->off = off - self_off;
	gen->size = le64_to_cpu(header->gen_size);
	/* The region was larger: what is left of it is evidence, too. */
	if (gen->size > size - gen->off)
		gen->size = size - gen->off;
	gen->number = le64_to_cpu(header->number);
	gen->salt = le64_to_cpu(header->salt);
	gen->table = header;
	gen->bad = bad;
	gen->from_copy = self_off != 0;
	return true;
}

static bool is_older(const struct epitaph_gen *gen, const struct epitaph_gen *than)
{
	if (gen->number != than->number)
		return gen->number < than->number;
	return le64_to_cpu(gen->table->start_real_ns) <
	       le64_to_cpu(than->table->start_real_ns);
}

/* A header comes before its copy, and is there already when that is found. */
static bool generation_is_known(const struct epitaph_gens *gens, const struct epitaph_gen *gen)
{
	unsigned int i;

	for (i = 0; i < gens->nr; i++)
		if (gens->gen[i].off == gen->off && gens->gen[i].size == gen->size &&
		    gens->gen[i].salt == gen->salt)
			return true;
	return false;
}

static void remove_at(struct epitaph_gens *gens, unsigned int i)
{
	gens->nr--;
	memmove(&gens->gen[i], &gens->gen[i + 1], (gens->nr - i) * sizeof(gens->gen[0]));
}

static bool overlaps_later(const struct epitaph_gens *gens, unsigned int i)
{
	const struct epitaph_gen *gen = &gens->gen[i];

	while (++i < gens->nr)
		if (epitaph_gen_overlaps(&gens->gen[i], gen->off, gen->size))
			return true;
	return false;
}

/* From the newest on: what overlaps one that was dropped itself may stay. */
static void drop_overlapped(struct epitaph_gens *gens)
{
	unsigned int i;

	for (i = gens->nr; i--;)
		if (overlaps_later(gens, i))
			remove_at(gens, i);
}

void epitaph_gens_drop(struct epitaph_gens *gens, u64 off, u64 size)
{
	unsigned int i;

	for (i = gens->nr; i--;)
		if (epitaph_gen_overlaps(&gens->gen[i], off, size))
			remove_at(gens, i);
}

const struct epitaph_section *epitaph_gen_next(const struct epitaph_gen *gen,
					       u32 type, u32 *i)
{
	const void *entries = (const void *)gen->table + le32_to_cpu(gen->table->header_size);
	u32 entry_size = le32_to_cpu(gen->table->section_size);
	const struct epitaph_section *entry;

	while (*i < le32_to_cpu(gen->table->nr_sections)) {
		entry = entries + (size_t)(*i)++ * entry_size;
		if (le32_to_cpu(entry->type) == type)
			return entry;
	}
	return NULL;
}

static const struct epitaph_section *find_entry(const struct epitaph_gen *gen, u32 type)
{
	const struct epitaph_section *entry;
	u32 i = 0;

	entry = epitaph_gen_next(gen, type, &i);
	if (!entry || le64_to_cpu(entry->off) % 8 ||
	    !table_fits(le64_to_cpu(entry->off), le64_to_cpu(entry->size), gen->size))
		return NULL;
	return entry;
}

const void *epitaph_gen_section(const struct epitaph_gen *gen, const void *base,
				u32 type, u64 *size)
{
	const struct epitaph_section *entry = find_entry(gen, type);

	if (!entry || !epitaph_is_readable(gen->bad, gen->off + le64_to_cpu(entry->off),
					   le64_to_cpu(entry->size)))
		return NULL;
	*size = le64_to_cpu(entry->size);
	return base + gen->off + le64_to_cpu(entry->off);
}

const void *epitaph_gen_entry(const struct epitaph_gen *gen, const void *base,
			      u32 type, u64 i, u32 known)
{
	const struct epitaph_section *section = find_entry(gen, type);
	u64 off;
	u32 unit;

	if (!section)
		return NULL;
	unit = le32_to_cpu(section->unit);
	if (unit < known || unit % 8 || i >= le64_to_cpu(section->size) / unit)
		return NULL;
	off = gen->off + le64_to_cpu(section->off) + i * unit;
	if (epitaph_is_readable(gen->bad, off, unit))
		return base + off;
	return known <= sizeof(epitaph_gen_unreadable) ? epitaph_gen_unreadable : NULL;
}

/* Checks of entries are their last word; an entry of zeroes is none. */
static bool is_whole(const struct epitaph_gen *gen, const void *entry, u32 check_off)
{
	u64 check = get_unaligned_le64(entry + check_off);

	return check && check == epitaph_check(gen->salt, entry, check_off);
}

static bool has_crash_stamp(const struct epitaph_gen *gen, const void *base)
{
	const void *crash = epitaph_gen_entry(gen, base, EPITAPH_SEC_CRASH, 0,
					      sizeof(struct epitaph_crash));

	return crash && is_whole(gen, crash, offsetof(struct epitaph_crash, check));
}

static bool is_last_mark_end(const struct epitaph_gen *gen, const void *base)
{
	const struct epitaph_mark *mark;
	bool is_end = false;
	u64 last = 0, i = 0;

	while ((mark = epitaph_gen_entry(gen, base, EPITAPH_SEC_MARKS, i++,
					 sizeof(*mark)))) {
		if (le64_to_cpu(mark->seq) <= last ||
		    !is_whole(gen, mark, offsetof(struct epitaph_mark, check)))
			continue;
		last = le64_to_cpu(mark->seq);
		is_end = le32_to_cpu(mark->type) == EPITAPH_MARK_END;
	}
	return is_end;
}

static bool is_taken(const struct epitaph_gen *gen, const void *base, u32 how)
{
	const void *taken = epitaph_gen_entry(gen, base, EPITAPH_SEC_TAKEN, how,
					      sizeof(struct epitaph_taken));

	return taken && is_whole(gen, taken, offsetof(struct epitaph_taken, check));
}

/* Of a format of tomorrow as well: docs/format.md keeps these three sections as they are. */
static void judge(struct epitaph_gen *gen, const void *base)
{
	u32 how;

	gen->crashed = has_crash_stamp(gen, base);
	gen->ended = !gen->crashed && is_last_mark_end(gen, base);
	for (how = 0; how < EPITAPH_NR_TAKEN; how++)
		gen->taken[how] = is_taken(gen, base, how);
}

/*
 * Behind the first page of a sub-buffer that is one: what begins a page there is of an event, whose
 * fields are as their writer likes.  A later generation clears its place before it writes a header.
 * @rings: of @nr times @size bytes, in @gen
 */
static bool lies_in_sub(const struct epitaph_gen *gen, const void *base, u64 rings, u64 nr, u64 size,
			u64 unit, u64 off)
{
	u64 at = off - gen->off - rings, start;
	const struct epitaph_sub *sub;

	if (unit <= EPITAPH_PAGE || (rings | size | unit) % EPITAPH_PAGE || !size || at / size >= nr ||
	    off - gen->off >= gen->size)
		return false;
	start = at % size - at % size % unit;
	off -= at % size - start;
	sub = base + off;
	return epitaph_is_readable(gen->bad, off, sizeof(*sub)) && sub->check &&
	       le64_to_cpu(sub->check) == epitaph_check(gen->salt ^ start, sub, offsetof(struct epitaph_sub, check));
}

static bool is_in_ring(const struct epitaph_gen *gen, const void *base, u64 off)
{
	const struct epitaph_section *ring;
	u32 i = 0;

	while ((ring = epitaph_gen_next(gen, EPITAPH_SEC_RING, &i)))
		if (lies_in_sub(gen, base, le64_to_cpu(ring->off), 1, le64_to_cpu(ring->size),
				le32_to_cpu(ring->unit), off))
			return true;
	return false;
}

/* A program writes to the slot of its ring what it likes, and that may be a header. */
static bool is_in_channel(const struct epitaph_gen *gen, const void *base, u64 off)
{
	const struct epitaph_added *added;
	u64 i = 0, begin, nr, size;

	while ((added = epitaph_gen_entry(gen, base, EPITAPH_SEC_ADDED, i++, sizeof(*added)))) {
		if (!is_whole(gen, added, offsetof(struct epitaph_added, check)))
			continue;
		begin = le64_to_cpu(added->off);
		nr = le32_to_cpu(added->nr_rings);
		size = le64_to_cpu(added->ring_size);
		if (le32_to_cpu(added->mode) != EPITAPH_RINGS) {
			if (lies_in_sub(gen, base, begin, nr, size, le32_to_cpu(added->unit), off))
				return true;
			continue;
		}
		size *= nr;
		/* Slots beyond its own memory are a claim on another generation's. */
		if (begin <= gen->size && size <= gen->size - begin && off - gen->off - begin < size)
			return true;
	}
	return false;
}

/* Is what begins the page at @off content of @gen, and no header? */
static bool is_content(const struct epitaph_gen *gen, const void *base, u64 off)
{
	return is_in_channel(gen, base, off) || is_in_ring(gen, base, off);
}

/* In the content of @of, which was found behind it: its first header is damaged. */
static void drop_planted_in(struct epitaph_gens *gens, const struct epitaph_gen *of,
			    const void *base)
{
	unsigned int i;

	for (i = gens->nr; i--;)
		if (is_content(of, base, (const u8 *)gens->gen[i].table - (const u8 *)base))
			remove_at(gens, i);
}

/* By age.  Where there is no room, what is planted goes, then the oldest. */
static void add_generation(struct epitaph_gens *gens, const struct epitaph_gen *gen,
			   const void *base)
{
	unsigned int i;

	if (gens->nr == EPITAPH_MAX_FOUND)
		drop_planted_in(gens, gen, base);
	if (gens->nr == EPITAPH_MAX_FOUND) {
		if (is_older(gen, &gens->gen[0]))
			return;
		remove_at(gens, 0);
	}
	for (i = gens->nr; i && is_older(gen, &gens->gen[i - 1]); i--)
		gens->gen[i] = gens->gen[i - 1];
	gens->gen[i] = *gen;
	gens->nr++;
}

static bool is_planted(const struct epitaph_gens *gens, const void *base, u64 off)
{
	unsigned int i;

	for (i = 0; i < gens->nr; i++)
		if (is_content(&gens->gen[i], base, off))
			return true;
	return false;
}

/* In the content of one that was found behind it: its first header is damaged. */
static void drop_planted(struct epitaph_gens *gens, const void *base)
{
	unsigned int i;

	for (i = gens->nr; i--;)
		if (is_planted(gens, base, (const u8 *)gens->gen[i].table - (const u8 *)base))
			remove_at(gens, i);
}

void epitaph_gens_find(struct epitaph_gens *gens, const void *base, u64 size, const u8 *bad)
{
	struct epitaph_gen gen;
	u64 off, budget = SEARCH_FACTOR * size;
	unsigned int i;

	gens->nr = 0;
	gens->bad = bad;
	for (off = 0; table_fits(off, EPITAPH_PAGE, size); off += EPITAPH_PAGE) {
		plat_relax_at(off);
		if (has_magic(base, off, bad) && !is_planted(gens, base, off) &&
		    gen_at(&gen, base, size, off, bad, &budget) && !generation_is_known(gens, &gen))
			add_generation(gens, &gen, base);
	}
	drop_planted(gens, base);
	drop_overlapped(gens);
	for (i = 0; i < gens->nr; i++)
		judge(&gens->gen[i], base);
}

bool epitaph_gen_is_evidence(const struct epitaph_gen *gen)
{
	return !gen->taken[EPITAPH_TAKEN_HARVEST] && !gen->taken[EPITAPH_TAKEN_PSTORE] &&
	       !gen->ended;
}

static u64 any_of_8(const u64 *word)
{
	return word[0] | word[1] | word[2] | word[3] | word[4] | word[5] | word[6] | word[7];
}

static bool are_zero(const u64 *word)
{
	return !(any_of_8(word) | any_of_8(word + 8) | any_of_8(word + 16) | any_of_8(word + 24));
}

static u64 count_nonzero_words(const u64 *word, u64 size)
{
	u64 i, n = 0;

	for (i = 0; i < size / sizeof(*word); i++) {
		/* Mostly there is nothing: that is seen of 32 words at once. */
		while (i + 32 <= size / sizeof(*word) && are_zero(word + i))
			i += 32;
		if (i < size / sizeof(*word) && word[i])
			n += sizeof(*word);
	}
	return n;
}

u64 epitaph_count_nonzero(const void *base, u64 size)
{
	u64 off, n = 0;

	for (off = 0; off < size; off += PLAT_RELAX_BYTES) {
		plat_relax_at(off);
		n += count_nonzero_words(base + off, size - off < PLAT_RELAX_BYTES ? size - off : PLAT_RELAX_BYTES);
	}
	return n;
}
