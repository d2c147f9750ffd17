/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors as the library's caller gets them: a code, and a message in four parts. */
#ifndef EPITAPH_LIB_ERROR_H
#define EPITAPH_LIB_ERROR_H

#include <epitaph/epitaph.h>

#include "base/err.h"

/**
 * struct error_parts - what stands beside the words of what was found
 * @where: not escaped; NULL: at no place
 * @expected, @advice: NULL: those of the code
 */
struct error_parts {
	enum epitaph_error_code code;
	int errnum;
	const char *where;
	const char *expected;
	const char *advice;
};

/*
 * error_set() - at *@error, unless there is one already; @error may be NULL
 *
 * The words are escaped.  Return: -1.
 */
__attribute__((format(printf, 3, 4)))
int error_set(struct epitaph_error **error, const struct error_parts *parts, const char *fmt, ...);

/* Of the engine, about @where, whose name in front of the message goes.  Return: -1. */
int error_take(struct epitaph_error **error, const struct err *err, const char *where);

/* An argument of @function breaks a rule; @found in words.  Return: -1. */
int error_usage(struct epitaph_error **error, const char *function, const char *found,
		const char *expected);

#endif
