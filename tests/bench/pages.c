// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pages METHOD MEMORY DUMP: write MEMORY as a kdump-compressed dump, and say how many
 * seconds the library of METHOD needs to decompress its pages, one after the other and
 * from memory.  The layout is in docs/containers.md; nothing is shared with the reader.
 */
#include <lzo/lzo1x.h>
#include <snappy-c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>
#include <zstd.h>

#define PAGE	4096
#define ROOM	8192
#define RUNS	5

struct method {
	const char *name;
	uint32_t flag;
	size_t (*pack)(const uint8_t *page, uint8_t *to);	/* 0: it does not get smaller */
	int (*unpack)(const uint8_t *from, size_t size, uint8_t *page);
};

static size_t pack_zlib(const uint8_t *page, uint8_t *to)
{
	uLongf n = ROOM;

	return compress2(to, &n, page, PAGE, 1) ? 0 : n;
}

static int unpack_zlib(const uint8_t *from, size_t size, uint8_t *page)
{
	uLongf n = PAGE;

	return uncompress(page, &n, from, size);
}

static size_t pack_lzo(const uint8_t *page, uint8_t *to)
{
	static uint8_t work[LZO1X_1_MEM_COMPRESS];
	lzo_uint n = 0;

	return lzo1x_1_compress(page, PAGE, to, &n, work) ? 0 : n;
}

static int unpack_lzo(const uint8_t *from, size_t size, uint8_t *page)
{
	lzo_uint n = PAGE;

	return lzo1x_decompress_safe(from, size, page, &n, NULL);
}

static size_t pack_snappy(const uint8_t *page, uint8_t *to)
{
	size_t n = ROOM;

	return snappy_compress((const char *)page, PAGE, (char *)to, &n) ? 0 : n;
}

static int unpack_snappy(const uint8_t *from, size_t size, uint8_t *page)
{
	size_t n = PAGE;

	return snappy_uncompress((const char *)from, size, (char *)page, &n);
}

static size_t pack_zstd(const uint8_t *page, uint8_t *to)
{
	size_t n = ZSTD_compress(to, ROOM, page, PAGE, 1);

	return ZSTD_isError(n) ? 0 : n;
}

static int unpack_zstd(const uint8_t *from, size_t size, uint8_t *page)
{
	static ZSTD_DCtx *context;

	if (!context)
		context = ZSTD_createDCtx();
	return ZSTD_decompressDCtx(context, page, PAGE, from, size) != PAGE;
}

static size_t pack_not(const uint8_t *page, uint8_t *to)
{
	(void)page, (void)to;
	return 0;
}

static const struct method methods[] = {
	{ "none", 0, pack_not, NULL },
	{ "zlib", 1, pack_zlib, unpack_zlib },
	{ "lzo", 2, pack_lzo, unpack_lzo },
	{ "snappy", 4, pack_snappy, unpack_snappy },
	{ "zstd", 0x20, pack_zstd, unpack_zstd },
};

struct desc {
	uint64_t off;
	uint32_t size;
	uint32_t flags;
	uint64_t page_flags;
};

struct dump {
	const struct method *method;
	uint64_t nr;
	struct desc *desc;
	uint8_t *data;		/* as in the file, from @start on */
	uint64_t start;
	uint64_t size;
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void *get(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		die("memory");
	return p;
}

static uint8_t *load(const char *path, uint64_t *nr)
{
	FILE *f = fopen(path, "r");
	uint8_t *memory;

	if (!f || fseek(f, 0, SEEK_END))
		die(path);
	*nr = ftell(f) / PAGE;
	rewind(f);
	memory = get(*nr * PAGE);
	if (fread(memory, PAGE, *nr, f) != *nr)
		die(path);
	fclose(f);
	return memory;
}

static void pack(struct dump *d, const uint8_t *memory)
{
	uint8_t packed[ROOM];

	d->desc = get(d->nr * sizeof(*d->desc));
	d->data = get(d->nr * PAGE);
	for (uint64_t i = 0; i < d->nr; i++) {
		const uint8_t *page = memory + i * PAGE;
		size_t n = d->method->pack(page, packed);
		int fits = n && n < PAGE;

		d->desc[i] = (struct desc){ d->start + d->size, fits ? n : PAGE,
					    fits ? d->method->flag : 0, 0 };
		memcpy(d->data + d->size, fits ? packed : page, d->desc[i].size);
		d->size += d->desc[i].size;
	}
}

static void put_header(FILE *f, uint64_t nr, uint32_t bitmap_blocks)
{
	uint8_t block[2 * PAGE] = "KDUMP   ";
	uint32_t fields[] = { 0, PAGE, 1, bitmap_blocks, nr };
	uint32_t version = 6;

	memcpy(block + 8, &version, 4);
	memcpy(block + 424, fields, sizeof(fields));
	memcpy(block + PAGE + 96, &nr, 8);
	fwrite(block, sizeof(block), 1, f);
}

static void save(const struct dump *d, const char *path, uint32_t bitmap_blocks)
{
	FILE *f = fopen(path, "w");
	uint8_t *bitmap = get(bitmap_blocks / 2 * PAGE);

	if (!f)
		die(path);
	for (uint64_t i = 0; i < d->nr; i++)
		bitmap[i / 8] |= 1 << i % 8;
	put_header(f, d->nr, bitmap_blocks);
	fwrite(bitmap, PAGE, bitmap_blocks / 2, f);
	fwrite(bitmap, PAGE, bitmap_blocks / 2, f);
	fwrite(d->desc, sizeof(*d->desc), d->nr, f);
	fwrite(d->data, 1, d->size, f);
	if (fclose(f))
		die(path);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static double unpack_all(const struct dump *d)
{
	double start = now();
	uint8_t page[PAGE];

	for (uint64_t i = 0; i < d->nr; i++) {
		const struct desc *desc = &d->desc[i];
		const uint8_t *from = d->data + (desc->off - d->start);

		if (!desc->flags)
			memcpy(page, from, PAGE);
		else if (d->method->unpack(from, desc->size, page))
			die("unpack");
		__asm__ volatile("" : : "r"(page) : "memory");
	}
	return now() - start;
}

int main(int argc, char **argv)
{
	struct dump d = { 0 };
	uint32_t bitmap_blocks;
	uint8_t *memory;
	double best = 1e9;

	for (size_t i = 0; argc == 4 && i < sizeof(methods) / sizeof(methods[0]); i++)
		if (!strcmp(argv[1], methods[i].name))
			d.method = &methods[i];
	if (!d.method) {
		fputs("usage: pages none|zlib|lzo|snappy|zstd MEMORY DUMP\n", stderr);
		return 2;
	}
	memory = load(argv[2], &d.nr);
	bitmap_blocks = 2 * ((d.nr + 8 * PAGE - 1) / (8 * PAGE));
	d.start = (2 + bitmap_blocks) * PAGE + d.nr * sizeof(*d.desc);
	pack(&d, memory);
	save(&d, argv[3], bitmap_blocks);
	for (int i = 0; i < RUNS; i++) {
		double seconds = unpack_all(&d);

		best = seconds < best ? seconds : best;
	}
	printf("%.6f\n", best);
	return 0;
}
