/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What dmesg -x puts in front of a line: "kern  :warn  : ". */
#ifndef EPITAPH_CONSOLE_DECODED_PREFIX_H
#define EPITAPH_CONSOLE_DECODED_PREFIX_H

#include "base/types.h"

/* Moves @at behind it. Return: the level and 8 times the facility; -1: there is none. */
s32 decoded_prefix_skip(const char **at, const char *end);

#endif
