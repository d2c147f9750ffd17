// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes what the fuzzers of inputs start from: seeds TARGET DIRECTORY. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "dump_make.h"
#include "ftrace_seed.h"
#include "kernel_seed.h"
#include "persistent_seed.h"
#include "seeds.h"

#define ARRAY_LEN(a) (sizeof(a) / sizeof(*(a)))
#define SEED_MAX 20480			/* some of the pages; larger is slower */

void seed_save(const char *dir, int nr, const void *data, size_t size)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/seed-%02d", dir, nr);
	f = fopen(path, "w");
	if (f && fwrite(data, size, 1, f) != 1)
		perror(path);
	if (f)
		fclose(f);
}

/* Without the magic of @skip bytes, which the target puts in front. */
static void save_up_to(size_t max, const char *dir, int nr, struct image image, size_t skip)
{
	size_t size = image.size < max ? image.size : max;

	seed_save(dir, nr, image.data + skip, size - skip);
	image_free(&image);
}

static void save(const char *dir, int nr, struct image image, size_t skip)
{
	save_up_to(SEED_MAX, dir, nr, image, skip);
}

static void save_kdump(const char *dir)
{
	static const enum make_method methods[] = {
		MAKE_RAW, MAKE_ZLIB, MAKE_LZO, MAKE_SNAPPY, MAKE_ZSTD,
	};

	for (int i = 0; i < 10; i++)
		save(dir, i, make_kdump(&(struct make){
			.method = methods[i % 5], .big = i / 5, .version = 1 + i % 6 }), 8);
	save(dir, 10, make_kdump(&(struct make){ .one_bitmap = true }), 8);
	save(dir, 11, make_kdump(&(struct make){ .split = true, .first = 30, .end = 61 }), 8);
}

static void save_elf(const char *dir)
{
	for (int i = 0; i < 8; i++)
		save(dir, i, make_elf(&(struct make){
			.big = i & 1, .xnum = i & 2, .again = i & 4, .odd_offset = i }), 4);
}

static void save_raw(const char *dir)
{
	save(dir, 0, make_kdump(&(struct make){ 0 }), 0);
	save(dir, 1, make_elf(&(struct make){ 0 }), 0);
	save(dir, 2, make_elf(&(struct make){ 0 }), 4096);
}

/* In many small pieces, of which the fuzzer moves some. */
static void save_flat(const char *dir)
{
	for (int i = 0; i < 12; i++) {
		struct image image = i & 1 ? make_elf(&(struct make){ .big = i & 2 }) :
			make_kdump(&(struct make){ .method = i & 2 ? MAKE_LZO : MAKE_ZLIB });
		struct flatten how = { .piece = 512 << i / 4, .no_zeroes = true, .backwards = i / 4 == 2 };

		image.size = image.size < SEED_MAX ? image.size : SEED_MAX;
		save(dir, i, make_flat(&image, &how), 4096);
		image_free(&image);
	}
}

static size_t put_stretch(unsigned char *out, unsigned long long first, size_t size)
{
	unsigned long long last = first + size - 1;
	size_t i;

	memset(out, 0, 32);
	memcpy(out, "EMiL\1", 5);
	for (i = 0; i < 8; i++) {
		out[8 + i] = first >> 8 * i;
		out[16 + i] = last >> 8 * i;
	}
	for (i = 0; i < size; i++)
		out[32 + i] = i / 8;
	return 32 + size;
}

/* Stretches in order and not, one of less than a page, and one that overlaps. */
static void save_lime(const char *dir)
{
	static const struct { unsigned long long first; size_t size; } stretches[] = {
		{ 0x1000, 4096 }, { 0x40000000, 8192 }, { 0x100000000, 100 }, { 0x3000, 2048 }, { 0x40001000, 512 },
	};
	unsigned char image[SEED_MAX];
	size_t i, size = 0;

	for (i = 0; i < ARRAY_LEN(stretches); i++) {
		size += put_stretch(image + size, stretches[i].first, stretches[i].size);
		seed_save(dir, i, image + 8, size - 8);
	}
	seed_save(dir, i, image + 8, size - 108);
}

static void put_be64(unsigned char *out, unsigned long long n)
{
	for (size_t i = 0; i < 8; i++)
		out[i] = n >> (56 - 8 * i);
}

/* One in each form: 64 KiB of memory, of which the extended one has two pages. */
static void save_s390(const char *dir)
{
	static unsigned char image[0x1000 + 0x10000 + 16];
	const size_t end = 0x1000 + 2 * 0x2000;

	put_be64(image, 0xa8190173618f23fd);
	put_be64(image + 0x18, 0x10000);
	image[0x4b] = 2;
	image[0x5e] = 2;
	image[0x802] = 0x20;
	image[0x806] = 0x40;
	memcpy(image + sizeof(image) - 16, "DUMP_END", 8);
	seed_save(dir, 0, image + 7, sizeof(image) - 7);
	image[7] = 0xfe;
	put_be64(image + 0x1000, 0x2000);
	put_be64(image + 0x1008, 0x1000);
	put_be64(image + 0x3000, 0x5000);
	put_be64(image + 0x3008, 0x1000);
	put_be64(image + 0x3010, 1);
	memcpy(image + end, "DUMP_END", 8);
	seed_save(dir, 1, image + 7, end + 16 - 7);
}

/* Two frames and a smaller one, whole and cut; the fuzzer puts the magic of the first in front. */
static void save_zstd(const char *dir)
{
	static unsigned char content[2500], image[SEED_MAX];
	size_t i, size = 0;

	for (i = 0; i < sizeof(content); i++)
		content[i] = i % 7 * i;
	for (i = 0; i < sizeof(content); i += 1000)
		size += ZSTD_compress(image + size, sizeof(image) - size, content + i, i < 2000 ? 1000 : 500, 3);
	seed_save(dir, 0, image + 4, size - 4);
	seed_save(dir, 1, image + 4, size - 100);
}

/* Two parts in one seed, behind the size of the first. */
static void save_split(const char *dir)
{
	for (int i = 0; i < 8; i++) {
		struct make make = { .method = i & 1 ? MAKE_LZO : MAKE_RAW, .version = 2 + i % 5,
				     .big = i & 4, .split = true, .end = 30 };
		struct image first = make_kdump(&make), both = { 0 };
		size_t size = first.size < SEED_MAX / 2 ? first.size : SEED_MAX / 2;
		struct image second;

		make.first = 30;
		make.end = 61;
		second = make_kdump(&make);
		image_put(&both, 0, size - 8, 2, false);
		for (size_t k = 8; k < size; k++)
			image_put(&both, both.size, first.data[k], 1, false);
		for (size_t k = 8; k < second.size; k++)
			image_put(&both, both.size, second.data[k], 1, false);
		save(dir, i, both, 0);
		image_free(&first);
		image_free(&second);
	}
}

/* A short event, a time, a long event, a discarded one, the rest unused; of which some was read. */
static void save_ftrace_page(const char *dir)
{
	static const unsigned char page[] = {
		0, 1, 2, 3, 4, 5, 6, 7, 8, 76, 0, 0, 0, 0, 0, 0, 0,
		0x22, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8,
		0x3e, 1, 0, 0, 9, 0, 0, 0,
		0x20, 0, 0, 0, 20, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
		0x3d, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0,
		0x3f, 1, 0, 0, 1, 0, 0, 0,
		0x1d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	struct image image = { .data = malloc(sizeof(page)), .size = sizeof(page) };

	if (!image.data)
		return;
	memcpy(image.data, page, sizeof(page));
	save(dir, 0, image, 0);
}

static void save_persistent(const char *dir)
{
	unsigned char seed[PERSISTENT_SEED];

	for (int i = 0; i < 2; i++) {
		persistent_seed(seed, i);
		seed_save(dir, i, seed, sizeof(seed));
	}
}

static void save_kernel(const char *dir)
{
	static const char * const sources[] = { "tsc", "kvm-clock", "arch_sys_counter", "tod", "timebase", "jiffies" };
	static unsigned char memory[SEED_ALL];
	size_t i;

	for (i = 0; i < ARRAY_LEN(sources); i++) {
		kernel_seed(memory, SEED_6_12);
		if (i)
			kernel_seed_clock(memory, sources[i]);
		seed_save(dir, i, memory, SEED_SIZE);
	}
	kernel_seed(memory, SEED_6_1);
	seed_save(dir, i, memory, SEED_SIZE);
}

/* With every clock; the last one was printed as it is. */
static size_t save_ftrace_clocks(const char *dir)
{
	static const char * const clocks[] = {
		"mono", "local", "global", "boot", "tai", "x86-tsc", "uptime", "counter", "mono_raw", "-\1",
	};
	static unsigned char memory[SEED_ALL];
	size_t i;

	kernel_seed(memory, SEED_6_12);
	for (i = 0; i < ARRAY_LEN(clocks); i++) {
		ftrace_seed_clock(memory, clocks[i]);
		seed_save(dir, i, memory, SEED_ALL);
	}
	return i;
}

static void other_machine(unsigned char *memory)
{
	kernel_seed_clock(memory, "jiffies");
	ftrace_seed_clock(memory, "local");
}

static void counting(unsigned char *memory)
{
	ftrace_seed_earlier(memory);
	ftrace_seed_clock(memory, "counter");
}

/* The last byte is what is wanted of it. */
static void save_ftrace(const char *dir)
{
	static const struct {
		enum seed_kernel kernel;
		void (*change)(unsigned char *memory);
	} seeds[] = {
		{ SEED_6_12, ftrace_seed_graph }, { SEED_6_12, ftrace_seed_probes }, { SEED_6_12, ftrace_seed_cut },
		{ SEED_6_12, ftrace_seed_large }, { SEED_6_12, ftrace_seed_lost }, { SEED_6_12, kernel_seed_functions },
		{ SEED_6_19, ftrace_seed }, { SEED_6_19, ftrace_seed_twice }, { SEED_6_19, ftrace_seed_earlier },
		{ SEED_6_12, ftrace_seed_endless }, { SEED_6_12, ftrace_seed_events_again },
		{ SEED_6_12, ftrace_seed_instances_again },
		{ SEED_6_19, counting }, { SEED_6_12, other_machine }, { SEED_6_12, ftrace_seed_snapshot },
	};
	static unsigned char memory[SEED_ALL];
	size_t nr = save_ftrace_clocks(dir);

	for (size_t i = 0; i < ARRAY_LEN(seeds); i++) {
		kernel_seed(memory, seeds[i].kernel);
		seeds[i].change(memory);
		memory[SEED_ALL - 1] = 38 * i;
		seed_save(dir, nr + i, memory, SEED_ALL);
	}
}

static const struct {
	const char *target;
	void (*save)(const char *dir);
} savers[] = {
	{ "kdump", save_kdump }, { "elf", save_elf }, { "ftrace_page", save_ftrace_page },
	{ "persistent", save_persistent }, { "kernel", save_kernel }, { "ftrace", save_ftrace },
	{ "format", save_formats }, { "vmem", save_vmems }, { "mce", save_mces }, { "text", save_texts },
	{ "raw", save_raw }, { "split", save_split }, { "flat", save_flat },
	{ "lime", save_lime }, { "s390", save_s390 }, { "zstd", save_zstd },
};

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	for (size_t i = 0; i < ARRAY_LEN(savers); i++)
		if (!strcmp(argv[1], savers[i].target))
			savers[i].save(argv[2]);
	return 0;
}
