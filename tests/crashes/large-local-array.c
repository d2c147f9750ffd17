// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A decoder has an array of nearly 16 KiB on its stack.  Nothing is called recursively.
 *
 * pattern: a large local array
 * upstream: the class of -Wframe-larger-than faults in staging drivers
 * finding: the stack overflowed in decode_frame() of this module, whose own frame takes nearly all of it
 * never: recursion; the kworker; the function that faulted below as the author
 * must: ^shown: The kernel's stack was full in decode_frame\(\)
 * not: calls itself|kworker
 * guest: insmod /test/large-local-array.ko
 */
#include "crash.h"

#pragma GCC diagnostic ignored "-Wframe-larger-than="

static u8 source[16384];

static noinline int checksum(const u8 *data, int bytes)
{
	int i, sum = 0;

	for (i = 0; i < bytes; i++)
		sum += READ_ONCE(data[i]);
	return sum;
}

static noinline int decode_frame(void)
{
	u8 frame[16160];
	int i;

	for (i = sizeof(frame) - 1; i >= 0; i--)
		frame[i] = READ_ONCE(source[i]);
	return checksum(frame, sizeof(frame));
}

static void frame_arrived(struct work_struct *work)
{
	WRITE_ONCE(source[0], decode_frame());
}
static DECLARE_DELAYED_WORK(frame_work, frame_arrived);

static int __init frame_init(void)
{
	schedule_delayed_work(&frame_work, HZ / 5);
	return 0;
}
module_init(frame_init);
