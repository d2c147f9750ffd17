/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Man pages in roff, made from the table of commands and description.c. */
#ifndef EPITAPH_MAN_PAGE_H
#define EPITAPH_MAN_PAGE_H

#include <stdio.h>

#include "cmd/command.h"

/* epitaph-NAME(1), of @date. */
void man_page_of_command(FILE *f, const struct command *command, const char *date);

/* epitaph(1), of @date. */
void man_page_main(FILE *f, const char *date);

#endif
