/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many traces a command that saves them keeps: its options, and /etc/epitaph/retention.conf. */
#ifndef EPITAPH_CMD_RETENTION_OPTIONS_H
#define EPITAPH_CMD_RETENTION_OPTIONS_H

#include "spool/retention.h"

/**
 * struct cmd_keep - begin with CMD_KEEP_INIT
 * @limit: of the command line, where it has some
 * @etc: instead of /etc/epitaph
 * @also: another directory whose traces count together with these, if it is on the same file system
 * and may be written to; NULL: none
 * @also_prefix: of the names there
 * @also_temporary: of names there that are no traces
 */
struct cmd_keep {
	struct retention limit;
	bool has_count;
	bool has_size;
	const char *etc;
	const char *also;
	const char *also_prefix;
	const char *also_temporary;
};

#define CMD_KEEP_INIT { .etc = "/etc/epitaph" }

/* 1: taken; 0: not one of these; -1: wrong, and printed for command @name. */
int cmd_keep_take(struct cmd_keep *keep, const char *name, int opt, const char *arg);

/**
 * cmd_keep_apply() - remove the traces that exceed the limits, and print which
 * @name: of the command
 * @path: of the directory, for messages
 * @place: but for target, on_removed and arg
 *
 * Return: the exit status. A wrong setting is printed, and then nothing is removed.
 */
int cmd_keep_apply(const struct cmd_keep *keep, const char *name, const char *path, bool json,
		   struct retention_place *place);

/**
 * cmd_keep_make_room() - after "no space": remove an older trace, or some, and print which
 * @bytes: that the new trace takes on disk; 0: unknown
 *
 * Return: is it worth another try?  Else what is needed, and what there is, was printed.
 */
bool cmd_keep_make_room(const struct cmd_keep *keep, const char *name, const char *path, bool json,
			struct retention_place *place, u64 bytes);

#endif
