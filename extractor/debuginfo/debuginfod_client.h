/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debuginfo from servers: elfutils' client fetches it, by build id and nothing
 * else; docs/debuginfo.md.  In the process that is not locked in, which reads
 * none of it.
 */
#ifndef EPITAPH_DEBUGINFO_DEBUGINFOD_CLIENT_H
#define EPITAPH_DEBUGINFO_DEBUGINFOD_CLIENT_H

#include "base/err.h"

#define DEBUGINFOD_MAX	512	/* build ids of one command */

/**
 * struct debuginfod_wanted - what is to be fetched
 * @id: in hex, from the sandboxed reader of the dump: debuginfod_fetch() does not trust it
 * @is_kernel: not a module
 */
struct debuginfod_wanted {
	char id[65];
	bool is_kernel;
};

/**
 * struct debuginfod_list - all of it
 * @nr: at most DEBUGINFOD_MAX
 */
struct debuginfod_list {
	u32 nr;
	struct debuginfod_wanted list[DEBUGINFOD_MAX];
};

/* Asks for it; -ERR_USAGE where no server is configured. */
int debuginfod_want(struct err *err);

bool debuginfod_is_wanted(void);

/* Adds one, once; without effect where there is no room or @id is too short. */
void debuginfod_add(struct debuginfod_list *list, const char *id, bool is_kernel);

/**
 * debuginfod_fetch() - fetch all, and make each a place to look at
 * @list: a kernel before its modules
 *
 * Return: 0, also if no server has the file of a module: that is noted later, for those
 *	that are needed; -ERR_USAGE: no kernel's is there; -ERR_IO: the client
 *	cannot be run.
 */
int debuginfod_fetch(const struct debuginfod_list *list, struct err *err);

#endif
