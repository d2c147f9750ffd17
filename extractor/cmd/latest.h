/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --latest: the newest capture of this machine that may be a crash. */
#ifndef EPITAPH_CMD_LATEST_H
#define EPITAPH_CMD_LATEST_H

#include "reading/reading.h"

/* cmd_print() of that capture, of those in @dirs, up to a NULL; stderr has its name. */
int cmd_print_latest(const char *name, int (*run)(struct file_list *files, void *request),
		     void *request, char **dirs);

#endif
