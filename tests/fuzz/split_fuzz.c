// SPDX-License-Identifier: GPL-2.0-or-later
#include "input_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void fill(int nr, const u8 *data, size_t size)
{
	memory_file(nr, "KDUMP   ", 8, data, size);
}

/* Two parts of a split dump; the first two bytes are the size of the first one. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *path[] = { memory_file_path(0), memory_file_path(1) };
	struct dump_files files = { path, 2 };
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	size_t first;
	int ret;

	if (size < 2)
		return 0;
	first = data[0] | data[1] << 8;
	if (first > size - 2)
		first = size - 2;
	fill(0, data + 2, first);
	fill(1, data + 2 + first, size - 2 - first);
	MUST(dump_take_files(path, 2).nr >= 1);
	ret = dump_open_files(&in, &files, &err);
	MUST(!ret || (ret == -(int)err.code && *err.msg && err.code != ERR_IO));
	if (!ret)
		fuzz_opened(in);
	return 0;
}
