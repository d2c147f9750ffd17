// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end in order.  A module is notified twice.  The reboot notifiers get the requested
 * action while everything still runs.  A kmsg dumper gets a last look at the log when the
 * devices are down and the reset is next; it writes the mark.  A shutdown that hangs on the
 * way has no such mark, and is evidence.
 *
 * Syscore's shutdown, which is earlier, does not run for kexec before 6.8.
 */
#include <linux/kernel.h>
#include <linux/kmsg_dump.h>
#include <linux/ktime.h>
#include <linux/notifier.h>
#include <linux/reboot.h>
#include "core/flush.h"
#include "core/lost.h"
#include "core/parity.h"
#include "compat.h"
#include "shutdown.h"
#include "recorder.h"

static char text[sizeof_field(struct epitaph_mark, text)];

static const char *shutdown_name(unsigned long event)
{
	switch (event) {
	case SYS_RESTART:
		return "restart";
	case SYS_HALT:
		return "halt";
	default:
		return "power off";
	}
}

/* @command is what reboot(2) was given, or what kexec calls itself. */
static int on_reboot(struct notifier_block *self, unsigned long event, void *command)
{
	if (command)
		scnprintf(text, sizeof(text), "%s: %s", shutdown_name(event), (char *)command);
	else
		strscpy(text, shutdown_name(event), sizeof(text));
	return NOTIFY_DONE;
}

static struct notifier_block reboot_block = {
	.notifier_call = on_reboot,
};

static void on_dump(struct kmsg_dumper *self, EPITAPH_DUMP_WHY)
{
	u64 begin;

	if (epitaph_dump_reason(why) != KMSG_DUMP_SHUTDOWN || epitaph_lost())
		return;
	epitaph_mark(EPITAPH_MARK_END, text);
	epitaph_parity_finish(EPITAPH_PARITY_MS);
	begin = ktime_get_mono_fast_ns();
	epitaph_flush();
	pr_info("ends in order (%s), %llu KiB written back in %llu us\n", text,
		epitaph_region.size >> 10, (ktime_get_mono_fast_ns() - begin) / NSEC_PER_USEC);
}

static struct kmsg_dumper dumper = {
	.dump = on_dump,
	.max_reason = KMSG_DUMP_SHUTDOWN,
};

void epitaph_end_start(void)
{
	strscpy(text, "shutdown", sizeof(text));
	register_reboot_notifier(&reboot_block);
	kmsg_dump_register(&dumper);
}

void epitaph_end_stop(void)
{
	kmsg_dump_unregister(&dumper);
	unregister_reboot_notifier(&reboot_block);
}
