// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers at and beside the ends of each size, for filters: write how many to
 * /sys/kernel/debug/victim_numbers.  Each has a number of its own.
 */
#include <linux/debugfs.h>
#include <linux/kernel.h>

#include "victim.h"
#include "victim_trace.h"

static struct dentry *file;

static const u64 ends[] = {
	0, 1, 2, 7, 100, 127, 128, 200, 255, 256, 32767, 32768, 65535, 65536, S32_MAX, 1ULL << 31,
	U32_MAX, 1ULL << 32, S64_MAX, 1ULL << 63, -1ULL, -2ULL, -100ULL, -128ULL, -129ULL, -32768ULL,
	-32769ULL, S32_MIN, S32_MIN - 1LL, 0x8080808080808080ULL, 0x7f7f7f7f7f7f7f7fULL,
};

/* The last two have no end within their 12 letters. */
static const char names[][13] = {
	"", "a", "ab", "fw", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijk", "abcdefghijkl",
	"abcdefghijkm",
};

static int emit_numbers(void *unused, u64 count)
{
	static unsigned int n;

	for (; count; count--, n++)
		trace_numbers(n, ends[n % ARRAY_SIZE(ends)], names[n / 3 % ARRAY_SIZE(names)]);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(emit_fops, NULL, emit_numbers, "%llu\n");

void victim_numbers_init(void)
{
	file = debugfs_create_file_unsafe("victim_numbers", 0200, NULL, NULL, &emit_fops);
}

void victim_numbers_exit(void)
{
	debugfs_remove(file);
}
