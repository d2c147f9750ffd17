// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A directory of hostile parts: each file is what lies between two lengths of
 * the input, behind the magic of a part.  Checks all hold in this build.
 */
#include <fcntl.h>
#include <stdio.h>

#include "input_fuzz.h"

#include <epitaph/format.h>

#include "region.h"

#define FILES	16

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static int open_dir(void)
{
	static char path[] = "/tmp/epitaph-parts-XXXXXX";
	static int dir = -1;

	if (dir < 0) {
		MUST(mkdtemp(path));
		dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		MUST(dir >= 0);
		/* Nobody needs its name any more; files come and go below it. */
	}
	return dir;
}

static void write_file(int dir, int nr, const u8 *data, size_t size)
{
	u64 magic = ~EPITAPH_PART_MAGIC_INVERTED;
	char name[16];
	int fd;

	snprintf(name, sizeof(name), "%d", nr);
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	MUST(fd >= 0 && write(fd, &magic, sizeof(magic)) == sizeof(magic));
	MUST(write(fd, data, size) == (ssize_t)size);
	close(fd);
}

static int fill(int dir, const u8 *data, size_t size)
{
	int nr = 0;

	for (; size > 2 && nr < FILES; nr++) {
		size_t n = data[0] | data[1] << 8;

		data += 2;
		size -= 2;
		if (n > size)
			n = size;
		write_file(dir, nr, data, n);
		data += n;
		size -= n;
	}
	return nr;
}

static void empty(int dir, int nr)
{
	char name[16];

	while (nr--) {
		snprintf(name, sizeof(name), "%d", nr);
		unlinkat(dir, name, 0);
	}
}

static void read_it(struct input *in)
{
	struct regions *regions = NULL;
	struct err err = ERR_INIT;

	fuzz_segments(in);
	fuzz_walk(in);
	if (!region_find(&regions, in, &err))
		MUST(regions->nr);
	regions_free(regions);
	for (size_t i = 0; input_damage(in, i); i++)
		MUST(*input_damage(in, i));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	int dir = open_dir(), nr = fill(dir, data, size);
	struct err err = ERR_INIT;
	struct input *in = NULL;

	if (!input_open_fd(&in, dup(dir), &err))
		read_it(in);
	else
		MUST(*err.msg && err.code != ERR_IO);
	input_close(in);
	empty(dir, nr);
	return 0;
}
