/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The items of a window, one by one, to be printed by this process or by others: os/turns.h. */
#ifndef EPITAPH_REPORT_ITEM_WALK_H
#define EPITAPH_REPORT_ITEM_WALK_H

#include <stdio.h>

#include "timeline/window.h"

/**
 * struct item_printer - who prints them
 * @f: where to
 * @print: an item
 * @flush: what @print has not yet written to @f is written; NULL: it keeps nothing
 */
struct item_printer {
	FILE *f;
	void (*print)(void *priv, const struct item *item);
	void (*flush)(void *priv);
	void *priv;
};

/* Return: 0, or the first error of the timeline or of another process. */
int item_walk(struct postmortem *pm, const struct window *window, const struct item_printer *printer,
	      struct err *err);

/*
 * After an item that this process does not print: what it would have found damaged is found, and what
 * later items are printed by is as if it had.
 */
void item_pass(const struct item *item);

/* Of an item, for turns_step(). */
u64 item_step(const struct item *item);

#endif
