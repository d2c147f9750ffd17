// SPDX-License-Identifier: GPL-2.0-only
/*
 * An index that is too large by a few writes over the return address of the function, and leaves the
 * stack protector's word as it was.
 *
 * pattern: an array on the stack, an index of the device that is not checked
 * finding: the return address of parse_tag() was overwritten: it returned, and did not call, to
 *	0x4141414141414141 or so; the module
 * never: a call through a NULL or wild function pointer as shown; the caller of parse()
 * must: ^shown: The CPU (jumped to 4141414141414141|returned to [0-9a-f]*1414141414141,)
 * not: called by|called it|parse\(\)
 * guest: insmod /test/index-over-return-address.ko
 */
#include "crash.h"

static int tag_offset;

static noinline u64 parse_tag(u64 value)
{
	u64 tags[4] = { 1, 2, 3, 4 };
	u64 *end = __builtin_frame_address(0);
	int index = READ_ONCE(tag_offset);

	barrier_data(tags);
	/* As the device says: the frame's word behind the saved RBP, or behind the last push. */
	UNKNOWN(&tags[0])[index ? index : end + 1 - tags] = value;
	barrier_data(tags);
	return tags[value & 3];
}

static noinline u64 parse(u64 value)
{
	return parse_tag(value) + 1;
}

static int reader(void *unused)
{
	msleep(300);
	pr_info("tag %llu\n", parse(UNKNOWN((void *)0x4141414141414141) - NULL));
	return 0;
}

static int __init parse_init(void)
{
	return run_thread(reader, NULL, -1, "reader");
}
module_init(parse_init);
