// SPDX-License-Identifier: GPL-2.0-only
/*
 * Large buffers are allocated until that fails, which the kernel warns of; the driver does not look, and
 * copies into the buffer that it did not get.
 *
 * pattern: a missing check of kmalloc(), of which the CVE lists have dozens
 * finding: NULL pointer, written by memcpy() which fill_buffer() of this module called; the allocation
 *	before it failed, as the log says
 * never: memcpy() as the cause; a use after free
 * must: ^shown: fill_buffer\(\) .*wrote .*NULL
 * not: freed
 * guest: insmod /test/allocation-not-checked.ko
 */
#include "crash.h"

static char header[400] = "header";

static noinline void fill_buffer(char *buffer, size_t bytes)
{
	memcpy(buffer + 16, UNKNOWN(&header[0]), bytes);
}

static int loader(void *unused)
{
	size_t bytes = 2 << 20;
	int i;

	msleep(300);
	for (i = 0; i < 4000; i++) {
		char *buffer = kmalloc(bytes, GFP_NOWAIT);

		fill_buffer(buffer, sizeof(header) - i % 7);
	}
	return 0;
}

static int __init loader_init(void)
{
	return run_thread(loader, NULL, -1, "loader");
}
module_init(loader_init);
