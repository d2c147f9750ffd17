// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The memory that the recorder kept, as a vmcore has it at the same addresses: by docs/format.md and
 * docs/kept-memory.md, and by libkdumpfile, without our own readers.
 *
 * usage: kept_oracle REGION VMCORE
 *
 * Prints "WHAT: N pieces, N bytes, N the same, N differ, N not in the vmcore", a line for each kind of piece. REGION is
 * one generation. Ends with 0 if the section could be read.
 */
#include <endian.h>
#include <fcntl.h>
#include <libkdumpfile/kdumpfile.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY	21
#define KINDS	5

struct count {
	unsigned long pieces, bytes, same, differ, absent;
};

static uint64_t number(const uint8_t *at, int bytes)
{
	uint64_t n = 0;

	while (bytes--)
		n = n << 8 | at[bytes];
	return n;
}

static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes;

	if (!f || fseek(f, 0, SEEK_END)) {
		perror(path);
		exit(2);
	}
	*size = ftell(f);
	bytes = malloc(*size);
	rewind(f);
	if (!bytes || fread(bytes, 1, *size, f) != *size) {
		perror(path);
		exit(2);
	}
	fclose(f);
	return bytes;
}

static void compare_piece(struct count *c, kdump_ctx_t *vmcore, uint64_t addr, const uint8_t *bytes, uint32_t size)
{
	c->pieces++;
	c->bytes += size;
	for (uint32_t i = 0; i < size; i++) {
		uint8_t theirs;
		size_t one = 1;

		if (kdump_read(vmcore, KDUMP_KVADDR, addr + i, &theirs, &one) != KDUMP_OK || one != 1)
			c->absent++;
		else if (theirs == bytes[i])
			c->same++;
		else
			c->differ++;
	}
}

int main(int argc, char **argv)
{
	static const char *const names[KINDS] = { "", "code", "stack", "data", "names" };
	struct count counts[KINDS] = { { 0 } };
	uint64_t table, off = 0, end = 0;
	uint8_t *region;
	size_t size;
	kdump_ctx_t *vmcore = kdump_new();

	if (argc != 3 || !vmcore)
		return 2;
	region = read_file(argv[1], &size);
	if (kdump_set_number_attr(vmcore, KDUMP_ATTR_FILE_FD, open(argv[2], O_RDONLY)) != KDUMP_OK ||
	    kdump_set_string_attr(vmcore, KDUMP_ATTR_OSTYPE, "linux") != KDUMP_OK) {
		printf("%s: %s\n", argv[2], kdump_get_err(vmcore));
		return 2;
	}
	table = number(region + 12, 4);
	for (uint32_t i = 0; i < number(region + 76, 4) && table + 64 <= size; i++, table += number(region + 80, 4)) {
		if (number(region + table, 4) != MEMORY)
			continue;
		off = number(region + table + 8, 8);
		end = off + number(region + table + 16, 8);
	}
	if (!end || end > size) {
		printf("no such section\n");
		return 1;
	}
	while (off + 128 <= end && number(region + off + 120, 8)) {
		uint32_t bytes = number(region + off + 8, 4), what = number(region + off + 12, 4);

		if (bytes > end - off - 128 || !what || what >= KINDS) {
			printf("damaged at %#llx\n", (unsigned long long)off);
			return 1;
		}
		compare_piece(&counts[what], vmcore, number(region + off, 8), region + off + 128, bytes);
		off += 128 + (bytes + 7) / 8 * 8;
	}
	for (int i = 1; i < KINDS; i++)
		printf("%s: %lu pieces, %lu bytes, %lu the same, %lu differ, %lu not in the vmcore\n", names[i], counts[i].pieces,
		       counts[i].bytes, counts[i].same, counts[i].differ, counts[i].absent);
	return 0;
}
