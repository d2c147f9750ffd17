/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of memory that begin like something that is looked for.
 *
 * Several look through all of the memory, each for something else.  Its pages are
 * peeked at once: what anybody may want of them is noted then.
 */
#ifndef EPITAPH_DUMP_PAGE_HEADS_H
#define EPITAPH_DUMP_PAGE_HEADS_H

#include "dump.h"

enum head {
	HEAD_REGION = 1,	/* one of our headers */
	HEAD_VMCOREINFO = 2,
	HEAD_FTRACE = 4,	/* a buffer of ftrace that outlives a reboot */
};

struct heads;	/* one block, the input's to free() */

/**
 * heads_next() - the next page that begins like something
 * @what: for progress(); NULL: nothing is told
 * @at: a multiple of INPUT_PAGE, from where to look; then where the page is
 *
 * The first bytes alone decide, and they may be anything's: read the page.
 *
 * Return: false if there is none.
 */
bool heads_next(struct dump *in, enum head head, const char *what, u64 *at);

#endif
