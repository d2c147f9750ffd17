// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  The length of an option is big endian and is taken as it is: 0x0100 for 1 ... 0x4000 for 64.  The copy goes
 * past the end of the table of options, which lies in vmalloc memory.  The destination is large enough.
 *
 * pattern: missing be16_to_cpu()
 * upstream: the class of endianness faults in firmware parsers
 * finding: parse_option() of this module copied with a length of 0x4000 past the end of the vmalloc area it read from
 * never: memory freed or unmapped; the destination; memcpy() as the author; NULL
 * must: ^likely: __memcpy\(\) .*guard page behind an area
 * not: freed|NULL
 * guest: insmod /test/length-of-wrong-endian.ko
 */
#include <linux/vmalloc.h>
#include "crash.h"

static u8 *options;
static u8 *copy;

static noinline void parse_option(const u8 *option)
{
	u16 length = READ_ONCE(*(const u16 *)option);
	size_t bytes = length;

	OPTIMIZER_HIDE_VAR(bytes);
	memcpy(copy, option + 2, bytes);
}

static int parser(void *unused)
{
	msleep(200);
	options[100] = 0;
	options[101] = 64;
	parse_option(options + 100);
	return 0;
}

static int __init parser_init(void)
{
	options = vzalloc(4096);
	copy = kzalloc(128 << 10, GFP_KERNEL);
	return run_thread(parser, NULL, -1, "parser");
}
module_init(parser_init);
