/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of epitaph list for sealed traces. */
#ifndef EPITAPH_CMD_LIST_SEALED_H
#define EPITAPH_CMD_LIST_SEALED_H

#include "base/types.h"

/**
 * list_sealed() - print those of each directory, newest first
 * @dirs: ended by NULL; none: the place of this machine's
 * @ret_nr: how many
 *
 * Return: the exit status; errors are printed.
 */
int list_sealed(char *const *dirs, bool json, size_t *ret_nr);

#endif
