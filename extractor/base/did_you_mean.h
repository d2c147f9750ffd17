/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The known word that a mistyped word may stand for. */
#ifndef EPITAPH_BASE_DID_YOU_MEAN_H
#define EPITAPH_BASE_DID_YOU_MEAN_H

#include "types.h"

/**
 * did_you_mean() - the one of @words that @word may stand for
 *
 * Return: an element of @words; NULL if more than a third of @word would have to change.
 */
const char *did_you_mean(const char *word, const char *const *words, size_t nr);

#endif
