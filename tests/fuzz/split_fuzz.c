// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "input_fuzz.h"

#define NR_PARTS 2

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* The files of the parts, made once. */
static void fill(char path[64], int *fd, const u8 *data, size_t size)
{
	if (!*fd)
		*fd = memfd_create("fuzz", MFD_CLOEXEC);
	MUST(*fd > 0 && !ftruncate(*fd, 0));
	MUST(pwrite(*fd, "KDUMP   ", 8, 0) == 8);
	MUST(pwrite(*fd, data, size, 8) == (ssize_t)size);
	snprintf(path, 64, "/proc/self/fd/%d", *fd);
}

/* Two parts of a split dump; the first two bytes are the size of the first one. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static int fd[NR_PARTS];
	char name[NR_PARTS][64], *path[NR_PARTS] = { name[0], name[1] };
	struct input_files files = { path, NR_PARTS };
	struct err err = ERR_INIT;
	struct input *in = NULL;
	size_t first;
	int ret;

	if (size < 2)
		return 0;
	first = data[0] | data[1] << 8;
	if (first > size - 2)
		first = size - 2;
	fill(name[0], &fd[0], data + 2, first);
	fill(name[1], &fd[1], data + 2 + first, size - 2 - first);
	MUST(input_take_files(path, NR_PARTS).nr >= 1);
	ret = input_open_files(&in, &files, &err);
	MUST(!ret || (ret == -(int)err.code && *err.msg && err.code != ERR_IO));
	if (!ret)
		fuzz_opened(in);
	return 0;
}
