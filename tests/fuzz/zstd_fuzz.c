// SPDX-License-Identifier: GPL-2.0-or-later
#include "input_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Compressed files, behind the magic of the first frame. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const u8 head[4] = "\x28\xb5\x2f\xfd";

	fuzz_fd(memory_file(0, head, sizeof(head), data, size));
	return 0;
}
