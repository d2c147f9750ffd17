/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format texts of the dumped kernel's events, made as its own format files
 * are: from its list of events, when an event of that kind comes.
 */
#ifndef EPITAPH_FTRACE_EVENT_FORMATS_H
#define EPITAPH_FTRACE_EVENT_FORMATS_H

#include "event/formats.h"
#include "kernel_layout.h"

struct ftrace_formats;

/**
 * ftrace_formats_read() - find all events and their ids
 * @ret: for ftrace_formats_free(), which accepts NULL
 * @formats: gets their names, and the texts as long as @ret is there
 * @mem, @notes: must outlive it
 */
int ftrace_formats_read(struct ftrace_formats **ret, struct formats *formats,
			const struct ftrace_memory *mem, struct damage_notes *notes, struct err *err);
void ftrace_formats_free(struct ftrace_formats *ff);

/* How the trace file writes an event. */
enum ftrace_style {
	FTRACE_FORMAT,		/* by its format */
	FTRACE_SYSCALL_ENTER,
	FTRACE_SYSCALL_EXIT,
	FTRACE_BUILTIN,		/* by code of its own, which its name tells */
};

/* Of the event of @id; *@call is the address of its trace_event_call. */
enum ftrace_style ftrace_formats_style(const struct ftrace_formats *ff, u32 id, u64 *call);

#endif
