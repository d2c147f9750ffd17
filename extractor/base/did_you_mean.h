/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What somebody meant who wrote something else. */
#ifndef EPITAPH_BASE_DID_YOU_MEAN_H
#define EPITAPH_BASE_DID_YOU_MEAN_H

#include "types.h"

/**
 * did_you_mean() - the one of @words that @word may stand for
 *
 * Return: of @words, or NULL if none is near: more than a third of it would
 *	have to change.
 */
const char *did_you_mean(const char *word, const char *const *words, size_t nr);

#endif
