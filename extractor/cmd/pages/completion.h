/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completions of the shells, made from the table of commands. */
#ifndef EPITAPH_COMPLETION_H
#define EPITAPH_COMPLETION_H

#include <stdio.h>

void completion_bash(FILE *f);
void completion_zsh(FILE *f);
void completion_fish(FILE *f);

#endif
