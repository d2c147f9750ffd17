/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as people type them. */
#ifndef EPITAPH_BASE_PARSE_NUMBER_H
#define EPITAPH_BASE_PARSE_NUMBER_H

#include "types.h"

/* A whole decimal number of at most @max; false: it is not. */
bool parse_number(const char *text, u64 max, u64 *ret);

/* Seconds, with up to nine decimals, as ns. */
bool parse_seconds(const char *text, u64 *ret_ns);

#endif
