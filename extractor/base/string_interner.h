/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts that come again and again, each kept once and known by its number. */
#ifndef EPITAPH_BASE_STRING_INTERNER_H
#define EPITAPH_BASE_STRING_INTERNER_H

#include "err.h"

#define STRINGS_MAX	(1U << 18)	/* different ones */
#define STRINGS_BYTES	(32U << 20)	/* of all together */

/* Stands for all those that found no room. */
#define STRINGS_LEFT_OUT	"[left out]"

struct strings;

/* Number 0 is the empty one. */
int strings_new(struct strings **ret, struct err *err);
void strings_free(struct strings *strings);

/* Its number; where there is no room for another, that of STRINGS_LEFT_OUT. */
u32 strings_number(struct strings *strings, const char *text);

/* How often one found no room. */
u64 strings_left_out(const struct strings *strings);

/* All of them in their order, each with its terminator: @ret_size bytes. */
const char *strings_all(const struct strings *strings, size_t *ret_size);

#endif
