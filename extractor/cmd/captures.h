/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The captures of this machine, of all directories where there are some. */
#ifndef EPITAPH_CMD_CAPTURES_H
#define EPITAPH_CMD_CAPTURES_H

#include "report/requests.h"
#include "spool/saved_captures.h"

/**
 * struct found_capture - a capture
 * @region: its path
 * @guest: the guest of this host that it is of, as its directory is called; "": of this machine
 */
struct found_capture {
	char guest[SPOOL_NAME + 40];
	struct saved_capture saved;
	char region[4096 + SPOOL_NAME + 16];
};

/**
 * struct captures - the newest first, by saved_capture_order()
 * @status: the worst of what was printed while they were looked for
 */
struct captures {
	struct found_capture *list;
	size_t nr;
	int status;
};

/**
 * captures_find() - look for captures
 * @name: of the command, for errors, which are printed
 * @dirs: directories of captures, ended by NULL; none: those of harvest and of kdump
 * @target: only for @saved.sent; NULL: none
 */
void captures_find(struct captures *all, const char *name, char *const *dirs, const char *target);

/* The same of the guests of this host, below @store; what is found is added to @all. */
void captures_find_guests(struct captures *all, const char *name, const char *store);

void captures_free(struct captures *all);

/**
 * capture_cause() - why its kernel ended, read in a sandboxed process
 *
 * Return: the exit status; errors are printed. Without a cause, @cause says CAUSE_UNREADABLE.
 */
int capture_cause(struct cause *cause, const struct found_capture *capture);

#endif
