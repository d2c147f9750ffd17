/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Enumerators and constants that kernels leave as names in their print formats. */
#ifndef EPITAPH_EVENT_PRINT_ENUM_H
#define EPITAPH_EVENT_PRINT_ENUM_H

#include "format_lexer.h"

/* The value that @name has in all kernels; false: not one of these. */
bool print_enum_value(const struct token *name, u64 *ret);

#endif
