/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The function graph tracer's events, as its trace file has them: a call and its return are
 * two events, but one line if nothing was called in between.
 */
#ifndef EPITAPH_FTRACE_GRAPH_H
#define EPITAPH_FTRACE_GRAPH_H

#include <stdio.h>

#include "event/item.h"
#include "ftrace.h"

#define FTRACE_GRAPH_DEPTH	50	/* the kernel's own limit */

enum ftrace_graph_kind {
	FTRACE_GRAPH_NONE,	/* something else */
	FTRACE_GRAPH_CALL,
	FTRACE_GRAPH_LEAF,	/* a call whose return comes next; @duration is known */
	FTRACE_GRAPH_RETURN,
	FTRACE_GRAPH_TOLD,	/* the return of a leaf, whose line has it */
};

/**
 * struct ftrace_graph - one CPU's way through its functions; zeroed to begin with
 * @kind: of the event that it stands at, and all up to @duration, ns
 * @calls: function of each depth that was called and has not returned; 0: unknown
 */
struct ftrace_graph {
	enum ftrace_graph_kind kind;
	u64 func;
	u32 depth;
	s64 pid;
	u64 duration;
	u64 calls[FTRACE_GRAPH_DEPTH];
};

/* Of which kind is the event?  Cheap for what is of neither. */
enum ftrace_graph_kind ftrace_graph_kind(const struct ftrace *ftrace, u32 id);

/**
 * ftrace_graph_step() - go on to an event
 * @next: what comes behind it on that CPU, if it is a call and there is something; else NULL
 */
void ftrace_graph_step(struct ftrace_graph *graph, const struct ftrace *ftrace,
		       const struct item *item, const struct item *next);

/* "  12.345 us  |    vfs_read();" of the event that it stands at; false: of neither kind. */
bool ftrace_graph_text(const struct ftrace_graph *graph, const struct ftrace *ftrace, FILE *f,
		       u64 text_delta);

#endif
