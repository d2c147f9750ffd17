/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a function of a dump calls by its name. */
#ifndef EPITAPH_FAULT_CALLS_H
#define EPITAPH_FAULT_CALLS_H

#include "function_code.h"

/**
 * calls_one_of() - does a function call, or jump to, one of these?
 * @code: of the dump
 * @names: up to a NULL
 *
 * Return: the name of the first that it calls; NULL: none, or what decodes is not here.
 */
const char *calls_one_of(const struct function_code *code, const char *const *names);

/* Which of @names, which ends with NULL, begins at @target, outside of the code; NULL: none does. */
const char *calls_name(const struct function_code *code, u64 target, const char *const *names);

#endif
