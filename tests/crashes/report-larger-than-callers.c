// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  read_report() fills the buffer that its caller has on its stack, by the length of the device.  The caller's
 * canary is damaged; read_report() has returned long ago.
 *
 * pattern: a callee that does not know the size of the caller's buffer
 * upstream: the class of USB control reads into small buffers on the stack
 * finding: the stack protector of handle_report() found its stack written over; the writer may be what it called
 * never: handle_report() as the one that wrote for certain; freed memory; recursion
 * must: ^shown: The stack of a function was overwritten.*handle_report
 * not: freed|recurs|itself
 * guest: insmod /test/report-larger-than-callers.ko
 */
#include "crash.h"

static u8 fifo[64];

static noinline int read_report(u8 *to)
{
	int length = READ_ONCE(fifo[0]), i;

	for (i = 0; i < length; i++)
		WRITE_ONCE(to[i], READ_ONCE(fifo[i]));
	return length;
}

static noinline int handle_report(void)
{
	u8 report[16];
	int length = read_report(report);

	OPTIMIZER_HIDE_VAR(length);
	return report[1] + length;
}

static void report_work(struct work_struct *work)
{
	int sum;

	fifo[0] = 12;
	sum = handle_report();
	memset(fifo, 0x11, sizeof(fifo));
	fifo[0] = 32;
	sum += handle_report();
	pr_debug("%d\n", sum);
}
static DECLARE_WORK(report, report_work);

static int __init report_init(void)
{
	schedule_work(&report);
	return 0;
}
module_init(report_init);
