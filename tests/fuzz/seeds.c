// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes what the fuzzers of inputs start from: seeds TARGET DIRECTORY. */
#include <stdio.h>
#include <string.h>

#include "dump_make.h"

#define SEED_MAX 28672			/* some of the pages; larger is slower */

/* Without the magic of @skip bytes, which the target puts in front. */
static void save(const char *dir, int nr, struct image image, size_t skip)
{
	size_t size = image.size < SEED_MAX ? image.size : SEED_MAX;
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/seed-%02d", dir, nr);
	f = fopen(path, "w");
	if (f && fwrite(image.data + skip, size - skip, 1, f) != 1)
		perror(path);
	if (f)
		fclose(f);
	image_free(&image);
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
	save(dir, 11, make_kdump(&(struct make){ .split = 1 }), 8);
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

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	if (!strcmp(argv[1], "kdump"))
		save_kdump(argv[2]);
	if (!strcmp(argv[1], "elf"))
		save_elf(argv[2]);
	if (!strcmp(argv[1], "raw"))
		save_raw(argv[2]);
	return 0;
}
