// SPDX-License-Identifier: GPL-2.0-or-later
#include "input_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* LiME images behind magic and version of the first stretch. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const u8 head[8] = "EMiL\1";

	fuzz_fd(memory_file(0, head, sizeof(head), data, size));
	return 0;
}
