// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A report is put together by snprintf(), whose answer is what would have been written, not what was.  The sum goes beyond the
 * buffer, the room that is left is below zero, and the kernel's printing code warns of that.
 *
 * pattern: len += snprintf(buf + len, size - len, ...) where scnprintf() was needed
 * upstream: the class of "use scnprintf() for avoiding potential buffer overflow" (2020 and later, dozens of drivers)
 * finding: a warning of vsnprintf(), which was given a size above INT_MAX by fw_report() of this module, in the task that reads
 * never: vsnprintf() or snprintf() as guilty; a page or slab that was damaged; out of memory
 * must: ^likely: vsnprintf\(\), called by fw_report\(\) .*INT_MAX
 * region: ^likely: vsnprintf\(\), called by fw_report\(\) .*INT_MAX
 * not: page|slab|out of memory
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/fw-report.ko
 * guest: for i in 8 16 24 32 40 48 56; do echo $i >/proc/fw-report; sleep 0.3; done
 */
#include "crash.h"

#define ROOM 256

struct fw_slot {
	char name[12];
	u32 version, state;
};

static struct fw_slot slots[64];
static u32 reported;

static noinline int fw_report(char *buf, u32 n)
{
	int len = 0;
	u32 i;

	for (i = 0; i < n; i++)
		len += snprintf(buf + len, ROOM - len, "%u=%u ", i, slots[i].version);
	return len;
}

static noinline int fw_show(unsigned int n)
{
	char *buf;
	int len;

	if (n > ARRAY_SIZE(slots))
		return -EINVAL;
	buf = kzalloc(ROOM, GFP_KERNEL);
	if (!buf)
		return -ENOMEM;
	len = fw_report(buf, n);
	reported += len;
	kfree(buf);
	return 0;
}

PROC_NUMBER(report, fw_show);

static int __init fw_init(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(slots); i++)
		slots[i].version = 3 * i;
	return proc_create("fw-report", 0200, NULL, &report_pops) ? 0 : -ENOMEM;
}
module_init(fw_init);
