// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel that panics before its first initcall: there is no allocator, no tracepoint can have a
 * probe, and no console has printed a line.  What there is: the kernel's log, which is in static
 * memory from the first line on.  It goes into a generation of its own, with the panic's text.
 *
 * Only the command line is read before that.  The memory is mapped when the kernel dies.
 */
#include <linux/crash_dump.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/notifier.h>
#include <linux/io.h>
#include <linux/panic_notifier.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include "arch/early.h"
#include "core/flush.h"
#include "core/memory.h"
#include "crash/cmdline.h"
#include "crash/stamp.h"
#include "compat.h"
#include "sources/log.h"
#include "early_death.h"
#include "recorder.h"
#include "start.h"

static struct epitaph_extent memory = { .kind = EPITAPH_MEMORY_MEMMAP };
static char reserve[16] = "epitaph";	/* as long as the kernel's names */
static bool is_named, is_watched;

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

/* What reserve_mem= gave is in the kernel's own map.  memmap= goes before it, unless it is named. */
static void map_region(void)
{
	phys_addr_t at, bytes;

	if (memory.size && !is_named) {
		memory.base = epitaph_arch_map_early(memory.phys, memory.size);
	} else if (reserve_mem_find_by_name(reserve, &at, &bytes)) {
		memory.kind = EPITAPH_MEMORY_RESERVE_MEM;
		memory.phys = at;
		memory.size = round_down(bytes, EPITAPH_PAGE);
		memory.base = phys_to_virt(at);
	}
}

static int on_early_panic(struct notifier_block *self, unsigned long unused, void *text)
{
	/* What the dead kernel recorded is a capture kernel's to save. */
	if (epitaph_is_off || is_kdump_kernel())
		return NOTIFY_DONE;
	set_wall_clock();
	map_region();
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

static void __init await_panic(void)
{
	if (!is_watched)
		atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
	is_watched = true;
}

/* Whole pages that the line reserves: the kernel uses them for nothing else. */
static bool __init is_range_ours(u64 at, u64 bytes)
{
	return IS_ALIGNED(at | bytes, EPITAPH_PAGE) && at + bytes > at && at + bytes - 1 <= PHYS_ADDR_MAX &&
	       epitaph_cmdline_holds(boot_command_line, at, bytes);
}

/* epitaph.addr= and epitaph.size=, or the only memmap=SIZE!ADDR: the first such word looks at all of the line. */
static int __init see_range(char *unused)
{
	static bool is_looked_for __initdata;
	bool is_assumed;
	u64 at, bytes;

	if (!is_looked_for && !epitaph_cmdline_parse(boot_command_line, &at, &bytes, &is_assumed) &&
	    is_range_ours(at, bytes)) {
		memory.is_assumed = is_assumed;
		memory.phys = at;
		memory.size = bytes;
		await_panic();
	}
	is_looked_for = true;
	return 0;
}
early_param("memmap", see_range);

static int __init see_addr(char *unused)
{
	return see_range(unused);
}
early_param("epitaph.addr", see_addr);

static int __init see_reserve_mem(char *unused)
{
	await_panic();
	return 0;
}
early_param("reserve_mem", see_reserve_mem);

static int __init see_reserve(char *name)
{
	is_named = strscpy(reserve, name ?: "", sizeof(reserve)) > 0;
	return 0;
}
early_param("epitaph.reserve", see_reserve);

void epitaph_early_death_leave(void)
{
	if (is_watched)
		atomic_notifier_chain_unregister(&panic_notifier_list, &panic_block);
	is_watched = false;
}
