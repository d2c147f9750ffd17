// SPDX-License-Identifier: GPL-2.0-only
/*
 * A message is parsed by a function that calls itself for each container inside; the sender nests
 * without limit.
 *
 * pattern: unbounded recursion on input (netlink attributes, ACPI, file systems)
 * upstream: CVE-2026-23276, tunnel transmit functions that call themselves through a bond
 * finding: kernel stack overflow by recursion of parse_container() of this module
 * never: a wild pointer; double fault of hardware
 * must: ^shown: .*stack was full in parse_container\(\)
 * not: double fault
 * guest: insmod /test/nested-too-deep.ko
 */
#include "crash.h"

static noinline int parse_container(const u8 *at, int depth)
{
	u8 copy[96];

	memcpy(copy, at, sizeof(copy));
	OPTIMIZER_HIDE_VAR(depth);
	if (depth < 0)
		return 0;
	return parse_container(UNKNOWN(&copy[1]), depth + 1) + copy[3];
}

static int run(void *unused)
{
	static u8 message[128];

	msleep(300);
	return parse_container(message, 0);
}

static int __init parser_init(void)
{
	return run_thread(run, NULL, -1, "parser");
}
module_init(parser_init);
