// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver sets a default in a table that its author declared const later.
 *
 * pattern: write to const data through a cast
 * finding: write to read-only memory, default_limits of this module, in set_default()
 * never: NULL; freed memory; wild pointer of unknown origin
 * must: ^shown: .*set_default\(\) .*wrote .*which it may not
 * not: NULL|freed
 * guest: insmod /test/constant-table-written.ko
 */
#include "crash.h"

struct limits {
	int low, high;
};

static const struct limits default_limits[8] = { { 1, 2 } };

static noinline void set_default(const struct limits *l, int high)
{
	WRITE_ONCE(((struct limits *)l)->high, high);
}

static int run(void *unused)
{
	msleep(300);
	set_default(UNKNOWN(&default_limits[3]), 7);
	return 0;
}

static int __init limits_init(void)
{
	return run_thread(run, NULL, -1, "limits");
}
module_init(limits_init);
