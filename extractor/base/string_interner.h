/* SPDX-License-Identifier: GPL-2.0-or-later */
/* String interner: repeated texts are kept once each and known by their numbers. */
#ifndef EPITAPH_BASE_STRING_INTERNER_H
#define EPITAPH_BASE_STRING_INTERNER_H

#include "err.h"

#define STRINGS_MAX	(1U << 18)	/* different ones */
#define STRINGS_BYTES	(32U << 20)	/* of all together */

/* Stands for all texts for which there was no room. */
#define STRINGS_LEFT_OUT	"[left out]"
#define STRINGS_NR_LEFT_OUT	1	/* its number: it is the first that is added */

struct strings;

/* The empty text has number 0. */
int strings_new(struct strings **ret, struct err *err);
void strings_free(struct strings *strings);

/* The number of @text, which is added if it is new; without room that of STRINGS_LEFT_OUT. */
u32 strings_number(struct strings *strings, const char *text);

/* How often there was no room. */
u64 strings_left_out(const struct strings *strings);

/* All texts in the order of their numbers, each terminated: @ret_size bytes. */
const char *strings_all(const struct strings *strings, size_t *ret_size);

#endif
