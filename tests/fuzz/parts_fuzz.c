// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A directory of hostile parts: each file is what lies between two lengths of
 * the input, behind the magic of a part.  Checks all hold in this build.
 */
#include "input_fuzz.h"

#include <epitaph/format.h>

#include "region/generation.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static int fill(const u8 *data, size_t size)
{
	static const u64 magic = ~EPITAPH_PART_MAGIC_INVERTED;
	int nr = 0;

	for (; size > 2 && nr < MEMORY_FILES; nr++) {
		size_t n = data[0] | data[1] << 8;

		data += 2;
		size -= 2;
		if (n > size)
			n = size;
		memory_file(nr, &magic, sizeof(magic), data, n);
		data += n;
		size -= n;
	}
	return nr;
}

static void read_it(struct dump *in)
{
	struct generation_set *generations = NULL;
	struct err err = ERR_INIT;

	fuzz_segments(in);
	fuzz_walk(in);
	if (!generation_set_find(&generations, in, &err))
		MUST(generations->nr);
	generation_set_free(generations);
	for (size_t i = 0; dump_damage(in, i); i++)
		MUST(*dump_damage(in, i));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	if (!dump_open_fd(&in, memory_directory(fill(data, size), NULL, "%d"), &err))
		read_it(in);
	else
		MUST(*err.msg && err.code != ERR_IO);
	dump_close(in);
	return 0;
}
