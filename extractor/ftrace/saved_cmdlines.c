// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved_cmdlines.h"

#include <stdlib.h>
#include <string.h>

#define NO_PID	0xffffffffU	/* of a place that is not taken */

static int by_pid(const void *a, const void *b)
{
	const struct ftrace_comm *x = a, *y = b;

	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* Where the names are: behind the rest, or, in other kernels, where a pointer says. */
static u64 texts_at(const struct ftrace_memory *mem, u64 saved)
{
	const struct btf_member_place *at = &mem->at[COMMS_TEXT];

	if (at->kind == KKIND_POINTER)
		return ftrace_value(mem, saved, COMMS_TEXT);
	return saved + at->offset;
}

static bool read_one(const struct ftrace_memory *mem, u64 pids, u64 texts, u32 i,
		     struct ftrace_comm *comm)
{
	comm->comm[TASK_COMM] = 0;
	return vmem_u32(mem->vmem, pids + i * 4ULL, &comm->pid) && comm->pid != NO_PID &&
	       vmem_get(mem->vmem, texts + (u64)i * TASK_COMM, comm->comm, TASK_COMM) &&
	       *comm->comm;
}

int ftrace_comms_read(struct ftrace_comms *comms, const struct ftrace_memory *mem, struct err *err)
{
	u64 saved, pids, texts, nr;
	u32 i;

	*comms = (struct ftrace_comms){ 0 };
	if (!mem->is_there[COMMS_TEXT] || !kallsyms_address(mem->kallsyms, "savedcmd", &saved) ||
	    !vmem_u64(mem->vmem, saved, &saved) || !ftrace_get(mem, saved, COMMS_PIDS, &pids) ||
	    !ftrace_get(mem, saved, COMMS_NR, &nr))
		return 0;
	texts = texts_at(mem, saved);
	if (nr > FTRACE_MAX_COMMS)
		nr = FTRACE_MAX_COMMS;
	comms->list = calloc(nr ? nr : 1, sizeof(*comms->list));
	if (!comms->list)
		return err_sys(err, "memory for task names");
	for (i = 0; i < nr; i++)
		comms->nr += read_one(mem, pids, texts, i, &comms->list[comms->nr]);
	qsort(comms->list, comms->nr, sizeof(*comms->list), by_pid);
	return 0;
}

void ftrace_comms_free(struct ftrace_comms *comms)
{
	free(comms->list);
}

const char *ftrace_comms_find(const struct ftrace_comms *comms, s64 pid)
{
	const struct ftrace_comm key = { .pid = pid };
	const struct ftrace_comm *found;

	if (pid <= 0 || !comms->nr)
		return NULL;
	found = bsearch(&key, comms->list, comms->nr, sizeof(key), by_pid);
	return found ? found->comm : NULL;
}
