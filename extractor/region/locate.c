// SPDX-License-Identifier: GPL-2.0-or-later
#include "locate.h"

#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/checksum.h"
#include "base/text.h"
#include "dump/page_heads.h"
#include "dump/page_magic.h"
#include "dump/vmcoreinfo.h"
#include "os/progress.h"
#include "generation.h"
#include "parity.h"

#define MAX_TABLE_PAGES	64	/* of a header with a section table that parity brings back */
#define MAX_REPAIRS	256	/* headers in one search that parity may bring back */
#define LAST_PAGES	64	/* of a segment, where the copy may begin */
#define LIKELY_ALIGN	(2ULL << 20)	/* a large page: memmap= and free memory mostly begin at one */
#define MAX_HOMES	(1 + MAX_OTHER_REGIONS)
#define MAX_AHEAD_NS	(24 * 3600 * 1000000000ULL)	/* of a recorder's clock, before ours */
#define MAX_REPORTED	3	/* unusable headers that the message lists */

static void header_to_host(struct epitaph_header *h)
{
#define HOST16(f) (h->f = le16toh(h->f))
#define HOST32(f) (h->f = le32toh(h->f))
#define HOST64(f) (h->f = le64toh(h->f))
	HOST64(magic), HOST16(major), HOST16(minor), HOST32(header_size);
	HOST64(incompat), HOST64(compat), HOST64(region_size), HOST64(gen_size);
	HOST32(gen_index), HOST32(nr_gens), HOST64(self_off), HOST64(copy_off);
	HOST32(table_size), HOST32(nr_sections), HOST32(section_size);
	HOST32(machine), HOST32(nr_cpus), HOST32(clock_khz), HOST64(phys_addr);
	HOST64(kaslr_offset), HOST64(salt), HOST64(start_clock);
	HOST64(start_mono_ns), HOST64(start_real_ns), HOST64(number);
	HOST64(lost_number), HOST32(lost_gens), HOST32(memory);
	HOST64(types_addr), HOST64(types_size), HOST64(types_check), HOST64(check);
#undef HOST16
#undef HOST32
#undef HOST64
}

__attribute__((format(printf, 3, 4)))
static enum find_verdict verdict(struct find_header *found, enum find_verdict v,
				 const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(found->why, sizeof(found->why), fmt, ap);
	va_end(ap);
	found->verdict = v;
	return v;
}

static bool table_holds(struct find_header *found)
{
	memset(found->table + offsetof(struct epitaph_header, check), 0, 8);
	return checksum_ok(checksum(0, found->table, found->hdr.table_size), found->hdr.check);
}

/* Reads header and table and verifies their check. */
static enum find_verdict read_table(struct find_header *found, struct dump *in,
				    u64 addr)
{
	u32 size = found->hdr.table_size;
	ssize_t n;

	if (size < sizeof(struct epitaph_header) || size > GENERATION_MAX_TABLE)
		return verdict(found, FIND_DAMAGED,
			       "table_size is %u, between %zu and %u is possible",
			       size, sizeof(struct epitaph_header), GENERATION_MAX_TABLE);
	found->table = malloc(size);
	n = found->table ? dump_read(in, addr, found->table, size, NULL) : 0;
	if (n != (ssize_t)size)
		return verdict(found, FIND_DAMAGED,
			       "%zd of the %u bytes of header and table are there",
			       n < 0 ? 0 : n, size);
	if (!table_holds(found))
		return verdict(found, FIND_DAMAGED, "the check does not hold");
	return FIND_GOOD;
}

/* The check holds: verifies the version, each number, and that the generation fits its place. */
static enum find_verdict check_header(struct find_header *found, u64 addr)
{
	const struct epitaph_header *h = &found->hdr;
	u64 unknown = h->incompat & ~EPITAPH_INCOMPAT_KNOWN, all, end;

	if (h->major != EPITAPH_MAJOR)
		return verdict(found, FIND_FOREIGN,
			       "the format is version %u.%u, this reads %u.x",
			       h->major, h->minor, EPITAPH_MAJOR);
	if (unknown)
		return verdict(found, FIND_FOREIGN,
			       "incompat has the bits 0x%llx that this does not know", unknown);
	if (h->header_size < sizeof(*h) || h->header_size > h->table_size)
		return verdict(found, FIND_ABSURD, "header_size is %u, between %zu and %u is possible",
			       h->header_size, sizeof(*h), h->table_size);
	if (h->section_size < sizeof(struct epitaph_section) ||
	    h->section_size > h->table_size)
		return verdict(found, FIND_ABSURD, "section_size is %u, %zu or more is possible",
			       h->section_size, sizeof(struct epitaph_section));
	if (h->gen_size % EPITAPH_PAGE || h->gen_size < 2ULL * h->table_size ||
	    h->copy_off != h->gen_size - h->table_size)
		return verdict(found, FIND_ABSURD, "gen_size is %llu with a table of %u and a copy at %llu",
			       h->gen_size, h->table_size, h->copy_off);
	if (h->gen_index >= h->nr_gens || !mul_fits(h->nr_gens, h->gen_size, &all))
		return verdict(found, FIND_ABSURD, "generation %u of %u, %llu bytes each",
			       h->gen_index, h->nr_gens, h->gen_size);
	if (h->self_off && h->self_off != h->copy_off)
		return verdict(found, FIND_ABSURD, "self_off is %llu, 0 or %llu is possible",
			       h->self_off, h->copy_off);
	if (h->clock_shift > 63)
		return verdict(found, FIND_ABSURD, "clock_shift is %u, up to 63 is possible",
			       h->clock_shift);
	if (h->self_off > addr)
		return verdict(found, FIND_ABSURD,
			       "it says that 0x%llx bytes of the generation lie before it",
			       (u64)h->self_off);
	found->base = addr - h->self_off;
	if (!add_fits(found->base, (u64)(h->nr_gens - h->gen_index) * h->gen_size, &end))
		return verdict(found, FIND_ABSURD,
			       "%u generations of %llu bytes do not fit behind it",
			       h->nr_gens, h->gen_size);
	found->is_copy = h->self_off != 0;
	return FIND_GOOD;
}

enum find_verdict find_header_at(struct find_header *found, struct dump *in,
				 u64 addr)
{
	enum find_verdict v;

	memset(found, 0, sizeof(*found));
	found->base = addr;
	if (dump_read(in, addr, &found->hdr, sizeof(found->hdr), NULL) !=
	    (ssize_t)sizeof(found->hdr))
		return FIND_NOTHING;
	header_to_host(&found->hdr);
	if (found->hdr.magic == __builtin_bswap64(page_magic_region()))
		return verdict(found, FIND_SWAPPED,
			       "the magic is byte-swapped: a writer in the other byte order");
	if (found->hdr.magic != page_magic_region())
		return FIND_NOTHING;
	v = read_table(found, in, addr);
	if (v == FIND_GOOD)
		v = check_header(found, addr);
	found->verdict = v;
	return v;
}

static bool repair_header(struct find_header *found, struct dump *in, u64 addr)
{
	struct epitaph_gf gf;
	u32 n;

	epitaph_gf_init(&gf);
	for (n = 1; n <= MAX_TABLE_PAGES; n++) {
		memset(found, 0, sizeof(*found));
		found->base = addr;
		found->table = parity_read_table(&gf, in, addr, n * EPITAPH_PAGE);
		if (!found->table)
			continue;
		memcpy(&found->hdr, found->table, sizeof(found->hdr));
		header_to_host(&found->hdr);
		if (table_holds(found) && check_header(found, addr) == FIND_GOOD && !found->is_copy) {
			found->is_repaired = true;
			found->verdict = FIND_GOOD;
			return true;
		}
		find_header_free(found);
	}
	return false;
}

enum find_verdict find_header_repaired(struct find_header *found, struct dump *in, u64 addr)
{
	struct find_header repaired;

	find_header_at(found, in, addr);
	if ((found->verdict == FIND_NOTHING || found->verdict == FIND_DAMAGED) && find_magic_at(in, addr) &&
	    repair_header(&repaired, in, addr)) {
		find_header_free(found);
		*found = repaired;
	}
	return found->verdict;
}

void find_header_free(struct find_header *found)
{
	free(found->table);
	found->table = NULL;
}

u64 header_region_size(const struct epitaph_header *h)
{
	u64 all = (u64)h->nr_gens * h->gen_size;

	return h->region_size > all && h->region_size <= GENERATION_MAX_SIZE ? h->region_size : all;
}

/*
 * A region that lies where its header says.
 * @header: a good one of it
 * @is_of_kernel: the kernel that the dump is of recorded there
 * @start_real_ns: of its newest generation
 * @is_too_late: that is behind the dump itself
 */
struct home {
	struct find_header header;
	u64 begin;
	u64 end;
	bool is_of_kernel;
	u64 start_real_ns;
	bool is_too_late;
};

/*
 * The state of a search.
 * @homes: where there are more, the best of them
 * @nr_homes: all that were found
 * @elsewhere: a good header, but not at the address that it records
 * @unusable: descriptions of the first headers that cannot be used
 * @nr_untried: headers with a wrong check, behind MAX_REPAIRS others
 * @foreign: where the first header lies that is not of this machine's memory; valid with @has_foreign
 */
struct header_search {
	struct dump *in;
	struct home homes[MAX_HOMES];
	u32 nr_homes;
	struct find_header elsewhere;
	char unusable[512];
	u32 nr_unusable;
	u32 nr_repairs;
	u32 nr_untried;
	u64 first_unusable;
	bool has_foreign;
	u64 foreign;
};

bool find_magic_at(struct dump *in, u64 addr)
{
	u8 first[8];

	return addr % EPITAPH_PAGE == 0 && dump_peek(in, addr, first) && page_magic_is_region(first);
}

static bool has_memory_at(const struct dump *in, u64 addr)
{
	for (size_t i = 0; i < dump_nr_segments(in); i++)
		if (addr - dump_segment(in, i).paddr < dump_segment(in, i).size)
			return true;
	return false;
}

/*
 * A machine that has memory where the region was recorded has another one's region here: a virtual
 * machine's, or a copy in a file that was read. A virtual machine's device is in no RAM.
 */
static bool is_foreign(const struct header_search *search, const struct find_header *found, bool at_home)
{
	const struct epitaph_header *h = &found->hdr;

	return found->verdict == FIND_GOOD && !at_home && dump_has_addresses(search->in) &&
	       (h->memory == EPITAPH_MEMORY_DEVICE || has_memory_at(search->in, h->phys_addr));
}

/* By what VMCOREINFO says, of which a kernel that was started anew has most likely another offset. */
static bool is_of_kernel(const struct dump *in, const struct epitaph_header *h)
{
	char theirs[2 * sizeof(h->build_id) + 1], ours[sizeof(theirs)];
	u64 kaslr;

	if (!vmcoreinfo_hex(in, "KERNELOFFSET", &kaslr) || kaslr != h->kaslr_offset)
		return false;
	if (!h->build_id_size || h->build_id_size > sizeof(h->build_id) ||
	    !vmcoreinfo_text(in, "BUILD-ID", theirs, sizeof(theirs)))
		return true;
	text_hex(ours, sizeof(ours), h->build_id, h->build_id_size);
	return !strcmp(ours, theirs);
}

static void look_into_generation(struct home *home, const struct dump *in, const struct find_header *found)
{
	home->is_of_kernel |= is_of_kernel(in, &found->hdr);
	if (found->hdr.start_real_ns > home->start_real_ns)
		home->start_real_ns = found->hdr.start_real_ns;
}

static void look_into_region(struct home *home, struct dump *in)
{
	const struct epitaph_header *h = &home->header.hdr;
	struct find_header found;
	u32 i;

	home->begin = h->phys_addr;
	home->end = home->begin + header_region_size(h);
	look_into_generation(home, in, &home->header);
	for (i = 0; i < h->nr_gens && i < MAX_GENERATIONS; i++) {
		u64 addr = home->begin + i * h->gen_size;

		if (find_header_at(&found, in, addr) == FIND_GOOD && found.base == addr)
			look_into_generation(home, in, &found);
		find_header_free(&found);
	}
	/* Clocks of two machines differ. */
	home->is_too_late = home->start_real_ns > dump_made_ns(in) + MAX_AHEAD_NS;
}

static bool is_better(const struct home *a, const struct home *b)
{
	if (a->is_of_kernel != b->is_of_kernel)
		return a->is_of_kernel;
	if (a->is_too_late != b->is_too_late)
		return b->is_too_late;
	return a->start_real_ns > b->start_real_ns;
}

static u32 homes_kept(const struct header_search *search)
{
	return search->nr_homes < MAX_HOMES ? search->nr_homes : MAX_HOMES;
}

static bool is_known_home(const struct header_search *search, u64 addr)
{
	u32 i;

	for (i = 0; i < homes_kept(search); i++)
		if (addr >= search->homes[i].begin && addr < search->homes[i].end)
			return true;
	return false;
}

/*
 * A region that was enlarged since: a header of the kernel that the dump is of lies behind its end.
 * Any other could be a program's.  Takes over @found.
 */
static bool join_home(struct header_search *search, struct find_header *found)
{
	struct home *home = search->homes, *end = home + homes_kept(search);
	const struct epitaph_header *h = &found->hdr;

	while (home < end && home->begin != h->phys_addr)
		home++;
	if (home == end || !is_of_kernel(search->in, h) || h->phys_addr + header_region_size(h) <= home->end)
		return false;
	find_header_free(&home->header);
	home->header = *found;
	look_into_region(home, search->in);
	return true;
}

/* Takes over @found. */
static void add_home(struct header_search *search, const struct find_header *found)
{
	struct home home = { .header = *found }, *worst = &search->homes[0];
	u32 i;

	look_into_region(&home, search->in);
	if (search->nr_homes++ < MAX_HOMES) {
		search->homes[search->nr_homes - 1] = home;
		return;
	}
	for (i = 1; i < MAX_HOMES; i++)
		if (is_better(worst, &search->homes[i]))
			worst = &search->homes[i];
	if (is_better(&home, worst)) {
		find_header_free(&worst->header);
		*worst = home;
	} else {
		find_header_free(&home.header);
	}
}

/* Examines one page.  Return: a region was found that lies where it says. */
static bool try_header(struct header_search *search, u64 addr)
{
	struct find_header found;
	bool at_home;

	if (!find_magic_at(search->in, addr) || is_known_home(search, addr))
		return false;
	if (find_header_at(&found, search->in, addr) != FIND_GOOD) {
		if (search->nr_repairs++ < MAX_REPAIRS) {
			find_header_free(&found);
			find_header_repaired(&found, search->in, addr);
		} else {
			search->nr_untried++;
		}
	}
	/* Does the generation lie at the address that it records? In a raw file it does not. */
	at_home = found.verdict == FIND_GOOD &&
		  found.base == found.hdr.phys_addr + found.hdr.gen_index * found.hdr.gen_size;
	if (is_foreign(search, &found, at_home)) {
		if (!search->has_foreign)
			search->foreign = addr;
		search->has_foreign = true;
		find_header_free(&found);
		return false;
	}
	if (at_home) {
		if (!join_home(search, &found))
			add_home(search, &found);
		return true;
	}
	if (found.verdict == FIND_GOOD && search->elsewhere.verdict != FIND_GOOD) {
		search->elsewhere = found;
		return false;
	}
	if (found.verdict > FIND_NOTHING && found.verdict != FIND_GOOD) {
		size_t n = strlen(search->unusable);

		if (!search->nr_unusable)
			search->first_unusable = addr;
		if (search->nr_unusable++ < MAX_REPORTED)
			snprintf(search->unusable + n, sizeof(search->unusable) - n,
				 "%sheader at 0x%llx: %s", n ? "; " : "", addr, found.why);
	}
	find_header_free(&found);
	return false;
}

static void try_segment_starts(struct header_search *search)
{
	size_t i;

	for (i = 0; i < dump_nr_segments(search->in); i++)
		try_header(search, dump_segment(search->in, i).paddr);
}

/*
 * The segments of a kdump file are runs of RAM, so that a region lies inside one. This examines
 * one page of 512, and keeps only headers at their recorded addresses: a better one may follow.
 */
static void try_large_pages(struct header_search *search)
{
	u64 addr = 0, next, len;

	while (dump_next_data(search->in, addr, &next, &len)) {
		addr = (next + LIKELY_ALIGN - 1) & ~(LIKELY_ALIGN - 1);
		for (; addr >= next && addr - next < len; addr += LIKELY_ALIGN)
			try_header(search, addr);
		if (addr < next)
			break;
	}
	find_header_free(&search->elsewhere);
	memset(&search->elsewhere, 0, sizeof(search->elsewhere));
}

/* The first address behind the segment that has @addr. */
static u64 segment_end(const struct dump *in, u64 addr)
{
	for (size_t i = 0; i < dump_nr_segments(in); i++) {
		struct dump_segment seg = dump_segment(in, i);

		if (addr - seg.paddr < seg.size)
			return seg.paddr + seg.size;
	}
	return addr;
}

/* Does a header at @addr say that its region is the one at @begin? */
static bool is_of_region_at(struct dump *in, u64 addr, u64 begin)
{
	struct find_header found;
	bool is;

	if (!find_magic_at(in, addr))
		return false;
	is = find_header_at(&found, in, addr) == FIND_GOOD && found.hdr.phys_addr == begin;
	find_header_free(&found);
	return is;
}

/* Where perhaps only kernels before recorded, the region may have been enlarged for the one of the dump. */
static void try_behind_homes(struct header_search *search)
{
	u64 kaslr = 0, begin, at, end, most;
	u32 i, nr = homes_kept(search);

	vmcoreinfo_hex(search->in, "KERNELOFFSET", &kaslr);
	for (i = 0; i < nr; i++) {
		const struct home *home = &search->homes[i];

		if (home->is_of_kernel && kaslr)
			continue;
		begin = home->begin;
		end = segment_end(search->in, begin);
		if (mul_fits(home->end - begin, REGION_MAX_LARGER, &most) && end - begin > most)
			end = begin + most;
		for (at = home->end; at < end; at += EPITAPH_PAGE)
			if (is_of_region_at(search->in, at, begin))
				try_header(search, at);
	}
}

/* The copy of the header lies at the end of a generation. */
static bool try_segment_ends(struct header_search *search)
{
	size_t i;
	u64 k;

	for (i = 0; i < dump_nr_segments(search->in); i++) {
		struct dump_segment seg = dump_segment(search->in, i);
		u64 pages = seg.size / EPITAPH_PAGE;
		u64 end = seg.paddr + pages * EPITAPH_PAGE;

		for (k = 1; k <= LAST_PAGES && k < pages; k++)
			if (try_header(search, end - k * EPITAPH_PAGE))
				return true;
	}
	return false;
}

/*
 * From the most to the least likely place.  The likely ones are all looked at, because a recorder
 * that was moved leaves its region where it was.  A good header that is not at its recorded address
 * ends the search as well, but only after its stage.
 */
static void search_headers(struct header_search *search)
{
	u64 addr;

	try_segment_starts(search);
	if (!search->nr_homes && search->elsewhere.verdict == FIND_GOOD)
		return;
	try_large_pages(search);
	try_behind_homes(search);
	if (search->nr_homes)
		return;
	if (try_segment_ends(search) || search->elsewhere.verdict == FIND_GOOD)
		return;
	search->nr_unusable = search->nr_untried = 0;
	search->unusable[0] = 0;
	for (addr = 0; heads_next(search->in, HEAD_REGION, "looking for the region", &addr);
	     addr += EPITAPH_PAGE)
		if (try_header(search, addr))
			break;
	progress_end();
}

static void take_others(struct other_regions *others, struct header_search *search, const struct home *best)
{
	u32 i, n = 0;

	others->nr = search->nr_homes - 1;
	for (i = 0; i < homes_kept(search); i++) {
		struct home *home = &search->homes[i];

		if (home == best)
			continue;
		others->region[n].addr = home->begin;
		others->region[n++].start_real_ns = home->start_real_ns;
		others->is_unsure |= home->is_of_kernel == best->is_of_kernel;
		find_header_free(&home->header);
	}
}

/* Return: there is one. */
static bool take_best(struct find_header *found, struct other_regions *others, struct header_search *search)
{
	struct home *best = search->nr_homes ? &search->homes[0] : NULL;
	u32 i;

	for (i = 1; i < homes_kept(search); i++)
		if (is_better(&search->homes[i], best))
			best = &search->homes[i];
	*found = best ? best->header : search->elsewhere;
	if (!best)
		return found->verdict == FIND_GOOD;
	find_header_free(&search->elsewhere);
	take_others(others, search, best);
	return true;
}

int find_region(struct find_header *found, struct other_regions *others, struct dump *in, struct err *err)
{
	struct header_search search = { .in = in };
	char untried[80] = "";
	const char *damage;

	search_headers(&search);
	others->nr_untried = search.nr_untried;
	if (search.nr_untried)
		snprintf(untried, sizeof(untried), "; %u of them were not tried with their parity", search.nr_untried);
	if (take_best(found, others, &search))
		return 0;
	damage = dump_damage(in, 0);
	if (search.has_foreign)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "no region of this machine's in this %s; the one at 0x%llx is a virtual machine's (epitaph info lists them), or a copy",
			       dump_kind(in), search.foreign);
	if (!search.nr_unusable)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "no region in this %s%s%s",
			       dump_kind(in), damage ? "; " : "", damage ? damage : "");
	return err_set(err, ERR_CORRUPT, search.first_unusable,
		       "no header can be used: %s%s%s", search.unusable,
		       search.nr_unusable > MAX_REPORTED ? "; and others" : "", untried);
}
