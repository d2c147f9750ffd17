// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A function clears more of its stack than its array has, by an offset that is wrong, and returns to 0.  No
 * function pointer was NULL.
 *
 * pattern: memset() of an array on the stack with the size of another one
 * finding: the CPU came to address 0; a call of a NULL pointer, or a return to an overwritten address
 * never: a NULL function pointer as shown; the caller as who called it
 * must: ^shown: The CPU (jumped to 0x0, .*or a return address|returned to )
 * not: A function pointer was NULL
 * guest: insmod /test/return-to-zero.ko
 */
#include "crash.h"

static int clear_offset;

static noinline u64 read_header(u64 value)
{
	u64 words[4] = { 1, 2, 3, 4 };
	u64 *end = __builtin_frame_address(0);
	int from = READ_ONCE(clear_offset);
	int i;

	barrier_data(words);
	for (i = from ? from : end - words; i < end + 3 - words; i++)
		WRITE_ONCE(UNKNOWN(&words[0])[i], 0);
	barrier_data(words);
	return words[value & 3];
}

static int reader(void *unused)
{
	msleep(300);
	pr_info("header %llu\n", read_header(jiffies));
	return 0;
}

static int __init header_init(void)
{
	return run_thread(reader, NULL, -1, "reader");
}
module_init(header_init);
