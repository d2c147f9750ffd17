/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pager behind standard output where that is a terminal, as git has one. */
#ifndef EPITAPH_OS_PAGER_H
#define EPITAPH_OS_PAGER_H

#include "base/types.h"

/**
 * pager_start() - from now on, what is printed goes through the pager
 *
 * $EPITAPH_PAGER, $PAGER or less; "cat" or nothing in one of the variables:
 * none; one that cannot be started is told of.  What goes to a terminal as an error goes there as
 * well.
 *
 * Return: is there one?  False also where standard output is no terminal.
 */
bool pager_start(void);

/* The end of what it shows; waits until the reader has seen it. */
void pager_finish(void);

#endif
