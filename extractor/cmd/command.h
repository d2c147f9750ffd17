/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of subcommands, for the parser of options and for help.  It is made from
 * cmd/commands.text, as are the man pages and the completions of the shells.
 */
#ifndef EPITAPH_CMD_COMMAND_H
#define EPITAPH_CMD_COMMAND_H

#include <stddef.h>

#include "base/types.h"

/**
 * struct command_option - one option of a command
 * @name: without the dashes
 * @val: what cmd_next_option() returns for it
 * @arg: name of its value, such as "SEC"; NULL: the option has no value
 * @text: what it does; `x` marks x as typed, as in Markdown
 * @values: the possible values, separated by blanks, for completion; NULL: any
 * @has_letter: -@val is the same option
 */
struct command_option {
	const char *name;
	int val;
	const char *arg;
	const char *text;
	const char *values;
	bool has_letter;
};

enum command_group {
	GROUP_READ,
	GROUP_SAVE,
	GROUP_PREPARE,
	GROUP_RECORD,
	NR_GROUPS,
};

/**
 * struct command - one subcommand
 * @name: as typed
 * @group: what it is for
 * @is_common: "epitaph --help" shows it; "epitaph help" shows all
 * @summary: one line without a full stop
 * @usage: the lines behind "epitaph NAME", ended by NULL if there are fewer
 * @options: ended by a zero entry; the options that all commands have are common_options
 * @about: notes on the words of @usage, behind the options; NULL: none
 * @examples: command lines, each ended by a newline
 */
struct command {
	const char *name;
	enum command_group group;
	bool is_common;
	const char *summary;
	const char *usage[6];
	const struct command_option *options;
	const char *about;
	const char *examples;
};

/* Ended by an entry without a name. */
extern const struct command commands[];

/* Titles of the groups. */
extern const char *const command_group_titles[NR_GROUPS];

/* -v, --no-pager and --color, which every command takes. */
extern const struct command_option common_options[];

enum { OPT_NO_PAGER = 0x1000, OPT_COLOR };

/* NULL: there is no command @name. */
const struct command *command_find(const char *name);

#endif
