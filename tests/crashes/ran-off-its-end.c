// SPDX-License-Identifier: GPL-2.0-only
/*
 * A switch has no case for a new kind of frame, and its end is said never to be reached.  The CPU goes on behind the function.
 *
 * pattern: unreachable() that is reached
 * upstream: the class of "falls through to next function": KVM, drm/amd, usb gadget (BUG() and unreachable() compiled out)
 * finding: a trap instruction (int3) was executed at, or behind, the end of frame_size() of this module: the function ran off its end;
 *	task "framer"
 * never: a breakpoint or a debugger that somebody set; damaged code; "counter"
 * guest: insmod /test/ran-off-its-end.ko
 */
#include "crash.h"

static unsigned int kinds[] = { 1, 2, 3, 4 };
static u32 total;

static noinline __aligned(64) u32 frame_size(unsigned int kind, u32 n)
{
	if (kind == 1)
		return n * 3;
	if (kind == 2)
		return n + 16;
	if (kind == 3)
		return n / 3;
	__builtin_unreachable();
}

static noinline __aligned(64) void frame_all(void)
{
	int i;

	for (i = 0; i < 4; i++)
		total += frame_size(UNKNOWN(&kinds[i])[0], 100);
}

static int framer(void *unused)
{
	msleep(500);
	frame_all();
	return 0;
}

static int __init frame_init(void)
{
	return run_thread(framer, NULL, 0, "framer");
}
module_init(frame_init);
