// SPDX-License-Identifier: GPL-2.0-or-later
#include "input_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Dumps of s390x's stand-alone dumpers behind all of the magic but its last byte. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const u8 head[7] = { 0xa8, 0x19, 0x01, 0x73, 0x61, 0x8f, 0x23 };

	fuzz_fd(memory_file(0, head, sizeof(head), data, size));
	return 0;
}
