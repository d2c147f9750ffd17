/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pager behind standard output where that is a terminal, as git has one. */
#ifndef EPITAPH_OS_PAGER_H
#define EPITAPH_OS_PAGER_H

#include "base/types.h"

/**
 * pager_start() - standard output goes through a pager from now on
 *
 * $EPITAPH_PAGER, $PAGER or less; none if the variable is empty or "cat". A pager of the
 * environment that cannot be started is reported. Errors go through the pager too where stderr is
 * a terminal.
 *
 * Return: is there a pager? False where standard output is no terminal.
 */
bool pager_start(void);

/* Ends the text of the pager, and waits until the user leaves it. */
void pager_finish(void);

#endif
