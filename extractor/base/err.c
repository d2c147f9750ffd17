// SPDX-License-Identifier: GPL-2.0-or-later
#include "err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "escape.h"

__attribute__((format(printf, 3, 0)))
static size_t format_escaped(char *dst, size_t size, const char *fmt, va_list ap)
{
	char raw[sizeof(((struct err *)NULL)->msg)];

	vsnprintf(raw, sizeof(raw), fmt, ap);
	return escape_text(dst, size, raw, strlen(raw));
}

int err_set(struct err *err, enum err_code code, u64 off, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -(int)code;
	err->code = code;
	err->errnum = 0;
	err->off = off;
	va_start(ap, fmt);
	format_escaped(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return -(int)code;
}

int err_sys(struct err *err, const char *fmt, ...)
{
	int errnum = errno;
	size_t n;
	va_list ap;

	if (!err)
		return -ERR_IO;
	err->code = ERR_IO;
	err->errnum = errnum;
	err->off = ERR_NO_OFF;
	va_start(ap, fmt);
	n = format_escaped(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	snprintf(err->msg + n, sizeof(err->msg) - n, ": %s", strerror(errnum));
	return -ERR_IO;
}

int err_while(struct err *err, const char *fmt, ...)
{
	char earlier[sizeof(err->msg)];
	size_t n;
	va_list ap;

	if (!err)
		return -ERR_CORRUPT;
	memcpy(earlier, err->msg, sizeof(earlier));
	va_start(ap, fmt);
	n = format_escaped(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	snprintf(err->msg + n, sizeof(err->msg) - n, ": %s", earlier);
	return -(int)err->code;
}
