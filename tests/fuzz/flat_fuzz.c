// SPDX-License-Identifier: GPL-2.0-or-later
#include "input_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Flattened dumps, whose header says nothing: the pieces begin where the data does. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static u8 file[4096 + 65536] = "makedumpfile";

	if (size > 65536)
		return 0;
	file[23] = file[31] = 1;
	memcpy(file + 4096, data, size);
	fuzz_input("", file, 4096 + size);
	return 0;
}
