/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data inside a page: an element that is neither shown nor run, of letters that
 * cannot end it, whatever the data are.
 */
#ifndef EPITAPH_EXPORT_HTML_DATA_BLOCK_H
#define EPITAPH_EXPORT_HTML_DATA_BLOCK_H

#include <stdio.h>

#include "base/err.h"

#define HTML_BLOCK_MAX	(64U << 20)	/* bytes that one block is made of */

/* Deflates and writes @size bytes; @name is ours. */
int html_block(FILE *f, const char *name, const void *data, size_t size, struct err *err);

#endif
