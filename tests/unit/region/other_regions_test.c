// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory in which several recorders left their regions: it is read by the newest, wherever it lies,
 * and the others are named.
 *
 * build: @extractor
 */
#include <elf.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/checksum.h"
#include "region/generation.h"
#include "tap.h"

#define SIZE		(1U << 20)	/* of a generation */
#define TABLE_SIZE	4096U
#define MAX_REGIONS	12

static int fd;

static u64 place(u32 i)
{
	return (2ULL << 20) * (i + 1);
}

static void write_header(u64 base, u32 index, u64 start_real_ns)
{
	static u8 table[TABLE_SIZE];
	struct epitaph_header *h = (void *)table;
	u64 self[] = { 0, SIZE - TABLE_SIZE };
	u32 i;

	for (i = 0; i < 2; i++) {
		*h = (struct epitaph_header){
			.magic = htole64(~EPITAPH_MAGIC_INVERTED), .major = htole16(EPITAPH_MAJOR),
			.header_size = htole32(sizeof(*h)), .section_size = htole32(sizeof(struct epitaph_section)),
			.region_size = htole64(2 * SIZE), .gen_size = htole64(SIZE),
			.gen_index = htole32(index), .nr_gens = htole32(2), .number = htole64(index + 1),
			.self_off = htole64(self[i]), .copy_off = htole64(SIZE - TABLE_SIZE),
			.table_size = htole32(TABLE_SIZE), .salt = htole64(base + index + 77), .clock_khz = htole32(1000),
			.phys_addr = htole64(base), .start_real_ns = htole64(start_real_ns),
		};
		h->check = htole64(checksum(0, h, TABLE_SIZE));
		if (pwrite(fd, table, sizeof(table), base + (u64)index * SIZE + self[i]) != sizeof(table))
			abort();
	}
}

/* Regions whose first generations began at 1, and whose second ones at @starts. */
static void write_regions(const u64 *starts, u32 nr)
{
	u32 i;

	if (ftruncate(fd, 0) || ftruncate(fd, place(nr + 1)))
		abort();
	for (i = 0; i < nr; i++) {
		write_header(place(i), 0, 1);
		write_header(place(i), 1, starts[i]);
	}
}

static bool says(struct generation_set *set, const char *words)
{
	const struct damage_notes *notes = &generation_set_newest(set)->notes;
	u32 i;

	for (i = 0; i < notes->kept; i++)
		if (strstr(notes->list[i].text, words))
			return true;
	return false;
}

static void check_region(const u64 *starts, u32 nr, u32 wanted)
{
	struct generation_set *set = NULL;
	struct dump *in = NULL;
	u32 i, nr_named;

	write_regions(starts, nr);
	if (dump_open_fd(&in, dup(fd), NULL) || generation_set_find(&set, in, NULL))
		abort();
	CHECK(set->start == place(wanted) && set->nr == 2, "%u generations at 0x%llx", set->nr, set->start);
	CHECK(set->others.nr == nr - 1, "%u others", set->others.nr);
	CHECK(says(set, "regions would do: only its date says") == (nr > 1), "of %u", nr);
	nr_named = nr - 1 < MAX_OTHER_REGIONS ? nr - 1 : MAX_OTHER_REGIONS;
	for (i = 0; i < nr_named; i++) {
		u64 at = set->others.region[i].addr, start = set->others.region[i].start_real_ns;

		CHECK(at != place(wanted) && start == starts[at / place(0) - 1], "0x%llx began at %llu", at, start);
	}
	generation_set_free(set);
	dump_close(in);
}

static void other_regions__the_newest_is_read_wherever_it_lies(void)
{
	check_region((u64[]){ 10 }, 1, 0);
	check_region((u64[]){ 10, 20 }, 2, 1);
	check_region((u64[]){ 20, 10 }, 2, 0);
	check_region((u64[]){ 10, 30, 20 }, 3, 1);
}

static void other_regions__more_than_are_kept(void)
{
	u64 starts[MAX_REGIONS];
	u32 i;

	for (i = 0; i < MAX_REGIONS; i++)
		starts[i] = 100 + i;
	check_region(starts, MAX_REGIONS, MAX_REGIONS - 1);
	for (i = 0; i < MAX_REGIONS; i++)
		starts[i] = 100 - i;
	check_region(starts, MAX_REGIONS, 0);
}

/* Those of a program's, which has planted them, are of tomorrow and the day after it. */
static void other_regions__none_is_of_a_time_behind_the_dump(void)
{
	u64 now = (u64)time(NULL) * 1000000000, day = 24 * 3600 * 1000000000ULL;

	check_region((u64[]){ now, now + 2 * day }, 2, 0);
	check_region((u64[]){ now + 3 * day, now - day, now + 2 * day, now }, 4, 3);
	/* The machine's clock was wrong. */
	check_region((u64[]){ now + 2 * day, now + 3 * day }, 2, 1);
	check_region((u64[]){ now, now + day / 2 }, 2, 1);
}

/* Headers that a program has planted, whose checks do not hold, before a region with a damaged one. */
static void other_regions__headers_that_are_not_tried_are_counted(void)
{
	u32 nr = 300, i;
	u64 magic = htole64(~EPITAPH_MAGIC_INVERTED);
	u64 starts[301];
	struct generation_set *set = NULL;
	struct dump *in = NULL;
	struct err err = { 0 };

	for (i = 0; i <= nr; i++)
		starts[i] = i;
	write_regions(starts, nr + 1);
	for (i = 0; i < nr; i++) {
		u64 none[TABLE_SIZE / 8] = { 0 };

		none[0] = magic;
		if (pwrite(fd, none, sizeof(none), place(i)) != sizeof(none) ||
		    pwrite(fd, none, sizeof(none), place(i) + SIZE - TABLE_SIZE) != sizeof(none) ||
		    pwrite(fd, none, sizeof(none), place(i) + SIZE) != sizeof(none) ||
		    pwrite(fd, none, sizeof(none), place(i) + 2 * SIZE - TABLE_SIZE) != sizeof(none))
			abort();
	}
	if (dump_open_fd(&in, dup(fd), NULL) || generation_set_find(&set, in, NULL))
		abort();
	CHECK(set->start == place(nr) && says(set, "44 headers elsewhere in the dump"), "0x%llx, %llu notes", set->start,
	      generation_set_newest(set)->notes.nr);
	generation_set_free(set);
	dump_close(in);
	for (i = 0; i < 4; i++)
		if (pwrite(fd, &magic, sizeof(magic), place(nr) + i * SIZE / 2 + 100) != sizeof(magic) ||
		    pwrite(fd, &magic, sizeof(magic), place(nr) + (i + 1) * SIZE - TABLE_SIZE + 100) != sizeof(magic))
			abort();
	if (pwrite(fd, &magic, sizeof(magic), place(nr) + SIZE + 100) != sizeof(magic) ||
	    dump_open_fd(&in, dup(fd), NULL))
		abort();
	set = NULL;
	CHECK(generation_set_find(&set, in, &err) && strstr(err.msg, "were not tried with their parity"), "%s", err.msg);
	generation_set_free(set);
	dump_close(in);
}

/* The ring of the first generation, with a sub-buffer of two pages that has a header on the second one. */
static void plant_event(bool holds)
{
	u64 ring = place(0) + 16 * TABLE_SIZE, sub_at = ring + 3 * 2 * TABLE_SIZE, self[] = { 0, SIZE - TABLE_SIZE };
	static u8 table[TABLE_SIZE];
	struct epitaph_header *h = (void *)table;
	struct epitaph_sub sub = { .seq = htole64(4) };
	struct epitaph_section section = {
		.type = htole32(EPITAPH_SEC_RING), .off = htole64(ring - place(0)),
		.size = htole64(16 * 2 * TABLE_SIZE), .unit = htole32(2 * TABLE_SIZE),
	};
	u32 i;

	write_regions((u64[]){ 10 }, 1);
	for (i = 0; i < 2; i++) {
		if (pread(fd, table, sizeof(table), place(0) + self[i]) != sizeof(table))
			abort();
		h->nr_sections = htole32(1);
		memcpy(h + 1, &section, sizeof(section));
		h->check = 0;
		h->check = htole64(checksum(0, h, TABLE_SIZE));
		if (pwrite(fd, table, sizeof(table), place(0) + self[i]) != sizeof(table))
			abort();
	}
	sub.check = htole64(checksum(le64toh(h->salt) ^ (sub_at - ring), &sub, offsetof(struct epitaph_sub, check)) ^ !holds);
	memset(h + 1, 0, sizeof(section));
	h->nr_sections = h->self_off = h->check = 0;
	h->number = htole64(~0ULL - 1);
	h->phys_addr = htole64(sub_at + TABLE_SIZE);
	h->check = htole64(checksum(0, h, TABLE_SIZE));
	if (pwrite(fd, &sub, sizeof(sub), sub_at) != sizeof(sub) ||
	    pwrite(fd, table, sizeof(table), sub_at + TABLE_SIZE) != sizeof(table))
		abort();
}

static void other_regions__what_an_event_has_is_no_header(void)
{
	struct generation_set *set;
	struct dump *in;
	u32 holds;

	for (holds = 0; holds < 2; holds++) {
		plant_event(holds);
		in = NULL;
		set = NULL;
		if (dump_open_fd(&in, dup(fd), NULL) || generation_set_find(&set, in, NULL))
			abort();
		CHECK(set->start == place(0) && (generation_set_newest(set)->hdr.number == 2) == holds && set->nr == 1 + holds,
		      "%u: %u generations at 0x%llx, the newest %llu", holds, set->nr, set->start,
		      generation_set_newest(set)->hdr.number);
		generation_set_free(set);
		dump_close(in);
	}
}

/* An ELF vmcore of the memory, whose kernel was moved by @kaslr. */
static int make_vmcore(u64 size, u64 kaslr)
{
	static const char name[12] = "VMCOREINFO";
	char info[64] = "";
	Elf64_Nhdr note = { .n_namesz = 11, .n_descsz = sprintf(info, "OSRELEASE=6.1\nKERNELOFFSET=%llx\n", kaslr) };
	Elf64_Ehdr head = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_CORE, .e_machine = EM_X86_64, .e_version = EV_CURRENT, .e_phoff = sizeof(head),
		.e_ehsize = sizeof(head), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 2,
	};
	Elf64_Phdr phdr[2] = {
		{ .p_type = PT_NOTE, .p_offset = 4096, .p_filesz = sizeof(note) + sizeof(name) + sizeof(info) },
		{ .p_type = PT_LOAD, .p_offset = 65536, .p_filesz = size, .p_memsz = size },
	};
	int core = memfd_create("vmcore", 0);
	u8 *memory = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (core < 0 || memory == MAP_FAILED || pwrite(core, &head, sizeof(head), 0) < 0 ||
	    pwrite(core, phdr, sizeof(phdr), sizeof(head)) < 0 || pwrite(core, &note, sizeof(note), 4096) < 0 ||
	    pwrite(core, name, sizeof(name), 4096 + sizeof(note)) < 0 ||
	    pwrite(core, info, sizeof(info), 4096 + sizeof(note) + sizeof(name)) < 0 ||
	    pwrite(core, memory, size, 65536) < 0)
		abort();
	munmap(memory, size);
	return core;
}

/* Its generations are of @gen_size, @nr of them: that of @index, @number, is of the kernel that was moved by 0x2000000. */
static void enlarge(u64 gen_size, u32 nr, u32 index, u64 number, u64 phys_addr)
{
	static u8 table[TABLE_SIZE];
	struct epitaph_header *h = (void *)table;
	u64 self[] = { 0, gen_size - TABLE_SIZE };

	if (pread(fd, table, sizeof(table), place(0)) != sizeof(table))
		abort();
	h->region_size = htole64(nr * gen_size);
	h->gen_size = htole64(gen_size);
	h->copy_off = htole64(gen_size - TABLE_SIZE);
	h->nr_gens = htole32(nr);
	h->gen_index = htole32(index);
	h->number = htole64(number);
	h->phys_addr = htole64(phys_addr);
	h->salt = htole64(99);
	h->kaslr_offset = htole64(0x2000000);
	h->start_real_ns = htole64(30);
	for (u32 i = 0; i < 2; i++) {
		h->self_off = htole64(self[i]);
		h->check = 0;
		h->check = htole64(checksum(0, h, TABLE_SIZE));
		if (pwrite(fd, table, sizeof(table), place(0) + index * gen_size + self[i]) != sizeof(table))
			abort();
	}
}

static void check_enlarged(u64 gen_size, u32 nr, bool is_vmcore)
{
	struct generation_set *set = NULL;
	struct dump *in = NULL;
	u64 end = place(4);

	write_regions((u64[]){ 20 }, 1);
	if (ftruncate(fd, end))
		abort();
	enlarge(gen_size, nr, nr - 1, 3, place(0));
	if (dump_open_fd(&in, is_vmcore ? make_vmcore(end, 0x2000000) : dup(fd), NULL) ||
	    generation_set_find(&set, in, NULL))
		abort();
	CHECK(generation_set_newest(set)->hdr.number == 3 && set->nr == 3 && set->start == place(0) &&
	      set->size == nr * gen_size, "%u generations of %llu bytes, the newest %llu", set->nr, set->size,
	      generation_set_newest(set)->hdr.number);
	CHECK(!is_vmcore || (!set->others.nr && !generation_set_newest(set)->notes.nr), "%u others", set->others.nr);
	generation_set_free(set);
	dump_close(in);
}

/* The first header that is found is of when the region was smaller. */
static void other_regions__one_that_was_enlarged_is_the_same(void)
{
	check_enlarged(SIZE, 4, true);
	check_enlarged(SIZE + 64 * TABLE_SIZE, 3, true);
	check_enlarged(2 * SIZE, 3, true);
	check_enlarged(SIZE, 4, false);
}

/* One of its generations is of when it was larger; what is behind it now is a program's. */
static void other_regions__what_is_behind_a_smaller_one_is_not_of_it(void)
{
	struct generation_set *set = NULL;
	struct dump *in = NULL;

	write_regions((u64[]){ 20 }, 1);
	if (ftruncate(fd, place(4)))
		abort();
	enlarge(SIZE, 4, 1, 1, place(0));
	enlarge(SIZE, 4, 3, 9, place(1));
	if (dump_open_fd(&in, make_vmcore(place(4), 0x2000000), NULL) || generation_set_find(&set, in, NULL))
		abort();
	for (u32 i = 0; i < set->nr; i++)
		CHECK(set->gen[i].hdr.number != 9, "%u of %u", i, set->nr);
	generation_set_free(set);
	dump_close(in);
}

int main(void)
{
	fd = memfd_create("memory", 0);
	if (fd < 0)
		return 99;
	TAP_RUN(other_regions__the_newest_is_read_wherever_it_lies);
	TAP_RUN(other_regions__more_than_are_kept);
	TAP_RUN(other_regions__none_is_of_a_time_behind_the_dump);
	TAP_RUN(other_regions__headers_that_are_not_tried_are_counted);
	TAP_RUN(other_regions__what_an_event_has_is_no_header);
	TAP_RUN(other_regions__one_that_was_enlarged_is_the_same);
	TAP_RUN(other_regions__what_is_behind_a_smaller_one_is_not_of_it);
	return tap_done();
}
