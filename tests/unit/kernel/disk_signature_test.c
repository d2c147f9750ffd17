// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory that is a disk with something on it is known by the signature there, and read no further than it
 * goes; memory of noise and of zeros is none.
 *
 * build: -I tests/lib/kernel -I kernel -include kernel/include/epitaph/plat.h kernel/crash/disk_signature.c
 */
#include <stdlib.h>
#include <string.h>

#include "crash/disk_signature.h"
#include "tap.h"

#define SIZE	(128 << 10)

static u8 memory[SIZE];
static u64 readable = SIZE;
static u64 bad_page = SIZE;

static size_t read_memory(void *to, u64 off, size_t size)
{
	if (off + size > readable)
		abort();
	if (off + size > bad_page && off < bad_page + 4096)
		return 0;
	memcpy(to, memory + off, size);
	return size;
}

static void fill_with_noise(unsigned int seed)
{
	size_t i;

	srandom(seed);
	for (i = 0; i < SIZE; i++)
		memory[i] = random() >> 8;
}

static bool is_found(const char *bytes, size_t length, u64 off, const char *what)
{
	const char *found;

	fill_with_noise(off + length);
	memcpy(memory + off, bytes, length);
	found = epitaph_disk_signature(read_memory, SIZE);
	return found && strstr(found, what);
}

static void put_ext(void)
{
	memset(memory + 1024, 0, 1024);
	memcpy(memory + 1024 + 0x38, "\x53\xef", 2);
	memory[1024 + 0x18] = 2;
	memory[1024 + 0x4c] = 1;
}

static void disk_signature__noise_and_zeros_have_none(void)
{
	unsigned int seed;

	memset(memory, 0, SIZE);
	CHECK(!epitaph_disk_signature(read_memory, SIZE), "zeros");
	for (seed = 0; seed < 200; seed++) {
		fill_with_noise(seed);
		CHECK(!epitaph_disk_signature(read_memory, SIZE), "seed %u", seed);
	}
}

static void disk_signature__what_has_one_is_named(void)
{
	CHECK(is_found("XFSB", 4, 0, "XFS"), "at 0");
	CHECK(is_found("_BHRfS_M", 8, 65600, "btrfs"), "at 64 KiB");
	CHECK(is_found("FAT32   ", 8, 82, "FAT"), "at 82");
	CHECK(is_found("\x10\x20\xf5\xf2", 4, 1024, "F2FS"), "at 1024");
	CHECK(is_found("LUKS\xba\xbe", 6, 0, "LUKS"), "at 0");
	CHECK(is_found("LABELONE", 8, 512, "LVM"), "at 512");
	CHECK(is_found("SWAPSPACE2", 10, 4086, "swap"), "at the end of a page");
	CHECK(is_found("EFI PART", 8, 512, "GPT"), "at 512");
	CHECK(is_found("\xfc\x4e\x2b\xa9", 4, 4096, "RAID"), "at 4096");
	CHECK(is_found("NVDIMM_PFN_INFO", 16, 4096, "nvdimm"), "at 4096");
}

static void disk_signature__ext_is_more_than_its_two_bytes(void)
{
	fill_with_noise(1);
	put_ext();
	CHECK(epitaph_disk_signature(read_memory, SIZE), "revision 1");
	memory[1024 + 0x4c] = 2;
	CHECK(!epitaph_disk_signature(read_memory, SIZE), "revision 2");
}

static void disk_signature__a_partition_table_is_more_than_its_two_bytes(void)
{
	fill_with_noise(2);
	memset(memory + 446, 0, 64);
	memcpy(memory + 510, "\x55\xaa", 2);
	CHECK(!epitaph_disk_signature(read_memory, SIZE), "no partition");
	memory[446 + 16 + 4] = 0x83;
	CHECK(epitaph_disk_signature(read_memory, SIZE), "one of Linux");
	memory[446] = 0x80;
	CHECK(epitaph_disk_signature(read_memory, SIZE), "another one is active");
	memory[446 + 48] = 0x81;
	CHECK(!epitaph_disk_signature(read_memory, SIZE), "an entry is neither active nor not");
}

static void disk_signature__what_cannot_be_read_has_none(void)
{
	put_ext();
	bad_page = 0;
	CHECK(!epitaph_disk_signature(read_memory, SIZE), "its page is bad");
	bad_page = SIZE;
	CHECK(epitaph_disk_signature(read_memory, SIZE), "its page is good");
}

/* read_memory() ends the test of a read behind the end. */
static void disk_signature__nothing_is_read_behind_the_end(void)
{
	put_ext();
	for (readable = 0; readable < 8192; readable++)
		CHECK(!!epitaph_disk_signature(read_memory, readable) == (readable >= 1024 + 80), "%llu bytes",
		      (unsigned long long)readable);
	readable = SIZE;
}

int main(void)
{
	TAP_RUN(disk_signature__noise_and_zeros_have_none);
	TAP_RUN(disk_signature__what_has_one_is_named);
	TAP_RUN(disk_signature__ext_is_more_than_its_two_bytes);
	TAP_RUN(disk_signature__a_partition_table_is_more_than_its_two_bytes);
	TAP_RUN(disk_signature__what_cannot_be_read_has_none);
	TAP_RUN(disk_signature__nothing_is_read_behind_the_end);
	return tap_done();
}
