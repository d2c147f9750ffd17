/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Help for people at a terminal, made from the table of commands; 80 columns wide. */
#ifndef EPITAPH_CMD_HELP_H
#define EPITAPH_CMD_HELP_H

#include <stdio.h>

#include "command.h"

/* "usage: epitaph NAME ...", one line for each way to use it. */
void command_put_usage(FILE *f, const struct command *command);

/* Usage, summary, options, notes and examples of one command: "epitaph COMMAND --help". */
void command_put_help(FILE *f, const struct command *command);

/* The common commands, in at most 24 lines: "epitaph --help". */
void command_put_common(FILE *f);

/* All commands: "epitaph help". */
void command_put_all(FILE *f);

#endif
