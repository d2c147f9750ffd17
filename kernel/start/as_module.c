// SPDX-License-Identifier: GPL-2.0-only
/* The recorder as a module: loaded and unloaded. */
#include <linux/module.h>
#include "crash/proc.h"
#include "start.h"

/* saved_command_line is not exported. */
ssize_t epitaph_cmdline_read(char *line, size_t size)
{
	return epitaph_proc_read("cmdline", line, size);
}

static int __init recorder_init(void)
{
	int err = epitaph_recording_start();

	if (!err)
		epitaph_services_start();
	return err;
}

static void __exit recorder_exit(void)
{
	epitaph_stop();
}

module_init(recorder_init);
module_exit(recorder_exit);
