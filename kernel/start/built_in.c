// SPDX-License-Identifier: GPL-2.0-only
/*
 * The recorder as a part of the kernel, which never ends.  docs/built-in.md says what happens when.
 *
 *	early_param		where the region is; early_death.c
 *	console_initcall	the first initcalls: behind the allocators, before the first console,
 *				before the other CPUs.  Recording begins
 *	late_initcall_sync	devices, files, threads
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/string.h>
#include <epitaph/earlier.h>
#include "events/hook.h"
#include "core/region_complete.h"
#include "sources/log.h"
#include "recorder.h"
#include "early_death.h"
#include "start.h"

bool epitaph_is_off;
static bool is_recording __initdata;

static int __init take_word(char *word)
{
	epitaph_is_off = word && !strcmp(word, "off");
	if (!epitaph_is_off)
		pr_err("epitaph=%s: only epitaph=off\n", word ?: "");
	return 0;
}
early_param("epitaph", take_word);

ssize_t epitaph_cmdline_read(char *line, size_t size)
{
	return strscpy(line, saved_command_line, size) < 0 ? size - 1 : strlen(line);
}

static int __init begin_recording(void)
{
	/* From here on the hooks see a death. */
	epitaph_early_death_leave();
	if (epitaph_is_off)
		return 0;
	is_recording = !epitaph_recording_start();
	if (is_recording)
		epitaph_hooks_start();
	return 0;
}
console_initcall(begin_recording);

static int __init serve(void)
{
	bool fits;
	u64 ns;

	if (!is_recording)
		return 0;
	/*
	 * The kernel has chosen its clock source by now.  It may have lost so many ticks that we began
	 * before its zero: then the first anchor stays, and times up to here are squeezed.
	 */
	ns = epitaph_ns_since(le64_to_cpu(epitaph_current()->table->start_clock));
	fits = ktime_get_mono_fast_ns() > ns;
	epitaph_region_complete(fits);
	epitaph_anchors_are_good(fits);
	if (fits)
		epitaph_log_relate();
	epitaph_services_start();
	return 0;
}
late_initcall_sync(serve);
