/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of tasks that the kernel kept for its trace: one for each of the last pids. */
#ifndef EPITAPH_FTRACE_SAVED_CMDLINES_H
#define EPITAPH_FTRACE_SAVED_CMDLINES_H

#include "region/task_names.h"
#include "kernel_layout.h"

#define FTRACE_MAX_COMMS	65536	/* the kernel keeps 128 without a setting */

struct ftrace_comm {
	u32 pid;
	char comm[TASK_COMM + 1];
};

/* By pid. */
struct ftrace_comms {
	struct ftrace_comm *list;
	u32 nr;
};

/* What cannot be read is left out.  ftrace_comms_free() is needed afterwards in any case. */
int ftrace_comms_read(struct ftrace_comms *comms, const struct ftrace_memory *mem, struct err *err);
void ftrace_comms_free(struct ftrace_comms *comms);

/* NULL: it has none. */
const char *ftrace_comms_find(const struct ftrace_comms *comms, s64 pid);

#endif
