// SPDX-License-Identifier: GPL-2.0-or-later
#include "input_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Flattened dumps, whose header says nothing: the pieces begin where the data does. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static u8 head[4096] = "makedumpfile";

	head[23] = head[31] = 1;
	fuzz_fd(memory_file(0, head, sizeof(head), data, size));
	return 0;
}
