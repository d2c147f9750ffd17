// SPDX-License-Identifier: GPL-2.0-only
/*
 * A completion's context and its function are swapped in a call: the kernel jumps into the data.
 *
 * pattern: swapped arguments, cast function pointers
 * finding: jump to data that may not be executed (NX), called by finish() of this module
 * never: freed module; NULL; damaged text; attack as certain
 * must: ^shown: .*jumped to .*where no code is.*finish\(\)
 * not: unloaded|NULL
 * guest: insmod /test/jump-into-data.ko
 */
#include "crash.h"

struct context {
	int value;
	u8 data[60];
};

static struct context *context;

static void done(void *data)
{
	((struct context *)data)->value++;
}

static noinline void finish(void (*function)(void *), void *data)
{
	function(data);
	barrier();
}

static int run(void *unused)
{
	context = kzalloc(sizeof(*context), GFP_KERNEL);
	finish(UNKNOWN(&done), context);
	msleep(300);
	finish((void *)UNKNOWN(context), &done);
	return 0;
}

static int __init context_init(void)
{
	return run_thread(run, NULL, -1, "context");
}
module_init(context_init);
