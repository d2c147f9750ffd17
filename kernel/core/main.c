// SPDX-License-Identifier: GPL-2.0-only
/* The recorder: parameters, and what starts and stops in which order.  Who starts it is in start/. */
#include <linux/module.h>
#include <epitaph/earlier.h>
#include "arch/arch.h"
#include "control/added.h"
#include "control/context.h"
#include "control/control.h"
#include "control/event_config.h"
#include "control/program_rings.h"
#include "control/trigger.h"
#include "crash/branches.h"
#include "crash/kept_memory.h"
#include "crash/proc.h"
#include "crash/shutdown.h"
#include "events/calls.h"
#include "events/function.h"
#include "events/hook.h"
#include "events/probe.h"
#include "events/prototype.h"
#include "handout/device.h"
#include "handout/sysfs.h"
#include "sources/bridge.h"
#include "sources/hang.h"
#include "sources/log.h"
#include "sources/mce.h"
#include "sources/user_mark.h"
#include "start/start.h"
#include "flush.h"
#include "hibernate.h"
#include "parity.h"
#include "recorder.h"
#include "shared_device.h"

static char *events;
module_param(events, charp, 0444);
MODULE_PARM_DESC(events, "globs of events to record, as \"sched:* !sched:sched_stat_*\" (default: what each CPU is doing)");

static bool hooks = true;
module_param(hooks, bool, 0444);
MODULE_PARM_DESC(hooks, "stamp reason, registers and stacks on the way down (default: yes)");

static bool bridge;
module_param(bridge, bool, 0444);
MODULE_PARM_DESC(bridge, "record what is on in ftrace's instance \"epitaph\" (default: no)");

static bool sysrq_z = true;
module_param(sysrq_z, bool, 0444);
MODULE_PARM_DESC(sysrq_z, "sysrq-z prints our last events instead of ftrace's buffer (default: yes)");

int __init epitaph_recording_start(void)
{
	int err;

	epitaph_branches_find();
	epitaph_kept_memory_find();
	err = epitaph_region_open();
	if (err)
		goto err_open;
	err = epitaph_probes_choose(events);
	if (err)
		goto err_format;
	err = epitaph_clock_choose();
	if (err)
		goto err_format;
	/* From here on an earlier generation may be gone. */
	err = epitaph_region_format();
	if (err)
		goto err_format;
	epitaph_mce_start();
	err = epitaph_rings_start();
	if (err)
		goto err_rings;
	err = epitaph_formats_init();
	if (err)
		goto err_rings;
	err = epitaph_symbols_start();
	if (err)
		goto err_symbols;
	epitaph_anchors_start();
	err = epitaph_tasks_start();
	if (err)
		goto err_tasks;
	epitaph_log_start();
	err = epitaph_probes_start();
	if (err)
		goto err_probes;
	/* If printk:console did not do so when it came on. */
	epitaph_log_take(EPITAPH_LOG_ALL);
	epitaph_end_start();
	if (hooks) {
		epitaph_crash_start();
		epitaph_flush_start();
	}
	if (sizeof(EPITAPH_ARCH_MISSING) > 1)
		pr_info("not recorded on this architecture: %s\n", EPITAPH_ARCH_MISSING);
	pr_info("recording into %llu KiB at %pa, generation %llu\n", epitaph_region.size >> 10,
		&epitaph_region.phys, epitaph_current()->number);
	return 0;

err_probes:
	epitaph_tasks_stop();
err_tasks:
	epitaph_anchors_stop();
	epitaph_symbols_stop();
err_symbols:
	epitaph_formats_exit();
err_rings:
	epitaph_mce_stop();
	epitaph_hooks_stop();
	epitaph_functions_stop();
	epitaph_prototypes_stop();
err_format:
	epitaph_select_free();
	epitaph_region_close();
err_open:
	epitaph_proc_leave();
	return err;
}

void __init epitaph_services_start(void)
{
	epitaph_skew_start();
	epitaph_disks_start();
	epitaph_format_files_add();
	epitaph_parity_start();
	if (hooks)
		epitaph_branches_start();
	epitaph_hooks_start();
	if (sysrq_z)
		epitaph_sysrq_start();
	epitaph_hang_start();
	epitaph_user_marks_start();
	epitaph_program_rings_start();
	if (bridge)
		epitaph_bridge_on(NULL);
	epitaph_calls_start();
	epitaph_triggers_start();
	epitaph_cgroups_start();
	epitaph_control_start();
	epitaph_hibernate_start();
	epitaph_device_start();
	epitaph_sysfs_start();
	epitaph_shared_device_watch(true);
}

void epitaph_stop(void)
{
	epitaph_shared_device_watch(false);
	epitaph_sysfs_stop();
	epitaph_device_stop();
	epitaph_hibernate_stop();
	epitaph_control_stop();
	epitaph_calls_stop();
	epitaph_bridge_off();
	epitaph_program_rings_stop();
	epitaph_user_marks_stop();
	epitaph_hang_stop();
	if (sysrq_z)
		epitaph_sysrq_stop();
	epitaph_hooks_stop();
	if (hooks) {
		epitaph_flush_stop();
		epitaph_crash_stop();
	}
	epitaph_branches_stop();
	epitaph_end_stop();
	epitaph_parity_stop();
	epitaph_triggers_stop();
	epitaph_format_files_remove();
	epitaph_probes_stop();
	epitaph_added_exit();
	epitaph_filters_exit();
	epitaph_triggers_exit();
	epitaph_disks_stop();
	epitaph_tasks_stop();
	epitaph_skew_stop();
	epitaph_anchors_stop();
	epitaph_symbols_stop();
	epitaph_formats_exit();
	epitaph_mce_stop();
	epitaph_functions_stop();
	epitaph_prototypes_stop();
	epitaph_select_free();
	epitaph_region_close();
	epitaph_proc_leave();
}

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("The last seconds of this kernel, in memory that outlives it");
MODULE_VERSION(EPITAPH_VERSION);
