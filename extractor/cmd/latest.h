/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --latest: the newest capture of this machine that may be a crash. */
#ifndef EPITAPH_CMD_LATEST_H
#define EPITAPH_CMD_LATEST_H

#include "reading/reading.h"

/*
 * cmd_print() of that capture, of those in @dirs, up to a NULL; stderr has its name. @found, unless it
 * is NULL, gets @reading's request and the region before it is read.
 */
int cmd_print_latest(const struct reading *reading, void (*found)(void *request, const char *region), char **dirs);

#endif
