// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel that panics before its first initcall: there is no allocator, no tracepoint can have a
 * probe, and no console has printed a line.  What there is: the kernel's log, which is in static
 * memory from the first line on.  It goes into a generation of its own, with the panic's text.
 *
 * Only the command line is read before that.  The memory is mapped when the kernel dies.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/notifier.h>
#include <linux/panic_notifier.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include "arch/early.h"
#include "core/flush.h"
#include "core/memory.h"
#include "crash/cmdline.h"
#include "crash/stamp.h"
#include "sources/log.h"
#include "early_death.h"
#include "recorder.h"
#include "start.h"

static struct epitaph_extent memory = { .kind = EPITAPH_MEMORY_MEMMAP };
static bool is_watched;

/* The kernel reads the clock of the machine when it sets up its own clocks. */
static void set_wall_clock(void)
{
	struct timespec64 now = { };

	if (ktime_get_real_fast_ns() > ktime_get_mono_fast_ns())
		return;
	read_persistent_clock64(&now);
	if (now.tv_sec > 0)
		epitaph_real_is(timespec64_to_ns(&now));
}

static int on_early_panic(struct notifier_block *self, unsigned long unused, void *text)
{
	set_wall_clock();
	memory.base = epitaph_arch_map_early(memory.phys, memory.size);
	if (!memory.base || epitaph_clock_choose() || epitaph_region_adopt(&memory) ||
	    epitaph_region_format())
		return NOTIFY_DONE;
	epitaph_anchors_find();
	epitaph_log_start();
	epitaph_log_take(EPITAPH_LOG_ALL);
	epitaph_crash_stamp(text);
	epitaph_flush();
	return NOTIFY_DONE;
}

static struct notifier_block panic_block = {
	.notifier_call = on_early_panic,
	.priority = INT_MAX,
};

static void __init find_region(void)
{
	static bool is_looked_for __initdata;
	u64 at, bytes;

	if (is_looked_for)
		return;
	is_looked_for = true;
	if (epitaph_cmdline_parse(boot_command_line, &at, &bytes))
		return;
	memory.phys = at;
	memory.size = bytes;
	is_watched = true;
	atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
}

/* Each word that may say where the region is; the first one looks at all of the line. */
static int __init see_memmap(char *unused)
{
	find_region();
	return 0;
}
early_param("memmap", see_memmap);

static int __init see_addr(char *unused)
{
	find_region();
	return 0;
}
early_param("epitaph.addr", see_addr);

void epitaph_early_death_leave(void)
{
	if (is_watched)
		atomic_notifier_chain_unregister(&panic_notifier_list, &panic_block);
	is_watched = false;
}
