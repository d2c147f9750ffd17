/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of memory whose first bytes are a known magic. Several searches go through all of the
 * memory, each for another magic: each page is peeked at once, and all its magics are noted.
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
 * heads_next() - the next page that begins with a magic
 * @what: for progress(); NULL: no progress is shown
 * @at: a multiple of DUMP_PAGE, from where to look; then where the page is
 *
 * The first bytes alone decide, and other pages may begin with them: read the page.
 *
 * Return: false if there is none.
 */
bool heads_next(struct dump *in, enum head head, const char *what, u64 *at);

#endif
