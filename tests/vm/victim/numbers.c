// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers at and beside the ends of each size, and texts, for filters: write how many to
 * /sys/kernel/debug/victim_numbers or victim_texts.  Each has a number of its own.
 */
#include <linux/debugfs.h>
#include <linux/kernel.h>

#include "victim.h"
#include "victim_trace.h"

static struct dentry *numbers_file, *texts_file;

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

/* Longer than a word; one is larger than what a probe makes on the stack. */
static const char *text_of(unsigned int n)
{
	static char longest[301];

	if (n % ARRAY_SIZE(names))
		return names[n % ARRAY_SIZE(names)];
	if (n % 3)
		return "abcdefghijklmnopqrstuvwxyz";
	memset(longest, 'a', sizeof(longest) - 1);
	return longest;
}

static int emit_numbers(void *unused, u64 count)
{
	static unsigned int n;

	for (; count; count--, n++)
		trace_numbers(n, ends[n % ARRAY_SIZE(ends)], names[n / 3 % ARRAY_SIZE(names)]);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(numbers_fops, NULL, emit_numbers, "%llu\n");

static int emit_texts(void *unused, u64 count)
{
	static unsigned int n;

	for (; count; count--, n++) {
		const char *letters = names[n / 3 % ARRAY_SIZE(names)];

		trace_texts(n, ends[n % ARRAY_SIZE(ends)], text_of(n), letters, strlen(letters),
			    text_of(n / 7));
	}
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(texts_fops, NULL, emit_texts, "%llu\n");

void victim_numbers_init(void)
{
	numbers_file = debugfs_create_file_unsafe("victim_numbers", 0200, NULL, NULL, &numbers_fops);
	texts_file = debugfs_create_file_unsafe("victim_texts", 0200, NULL, NULL, &texts_fops);
}

void victim_numbers_exit(void)
{
	debugfs_remove(numbers_file);
	debugfs_remove(texts_file);
}
