// SPDX-License-Identifier: GPL-2.0-or-later
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

struct epitaph_error {
	enum epitaph_error_code code;
	int errnum;
	char found[600];
	char where[400];
	char expected[160];
	char advice[300];
	char message[1600];
};

/* Where there is no memory for an error. */
static struct epitaph_error no_memory = {
	.code = EPITAPH_ERROR_IO, .errnum = ENOMEM,
	.found = "there is no memory for an error",
	.expected = "some hundred bytes of memory",
	.advice = "end other programs, or raise the limit of this one",
	.message = "there is no memory for an error; expected some hundred bytes of memory; end "
		   "other programs, or raise the limit of this one",
};

/* What each code expects and advises, where nothing better is known. */
static const struct {
	const char *expected;
	const char *advice;
} of_code[] = {
	[EPITAPH_ERROR_USAGE] = { "arguments as epitaph/epitaph.h has them",
		"mend the call" },
	[EPITAPH_ERROR_IO] = { "a system call that succeeds",
		"look at the file's permissions, the disk, $TMPDIR and the memory, then try again" },
	[EPITAPH_ERROR_NOT_OURS] = {
		"a vmcore, a region of the recorder, or a directory of pstore records",
		"check that it is the file that was saved; unpack it if it is an archive" },
	[EPITAPH_ERROR_CORRUPT] = { "a dump whose headers are whole",
		"copy the dump again from where it was saved; epitaph check lists damage" },
	[EPITAPH_ERROR_READER] = { "a reader that answers until the dump is closed",
		"close the dump; if its file came from a stranger, take it for hostile" },
	[EPITAPH_ERROR_CLOSED] = { "a dump that is open", "keep the dump open while it is read" },
	[EPITAPH_ERROR_CANCELLED] = { "a progress callback that returns 0",
		"open the dump again to go on" },
	[EPITAPH_ERROR_BUSY] = { "one thread at a time",
		"lock around all calls with one dump, or open it once for each thread" },
};

__attribute__((format(printf, 3, 0)))
static void set_found(char *to, size_t size, const char *fmt, va_list ap)
{
	char raw[600];

	vsnprintf(raw, sizeof(raw), fmt, ap);
	escape_text(to, size, raw, strlen(raw));
}

int error_set(struct epitaph_error **error, const struct error_parts *parts, const char *fmt, ...)
{
	const char *where = parts->where ? parts->where : "";
	struct epitaph_error *e;
	va_list ap;

	if (!error || *error)
		return -1;
	*error = e = calloc(1, sizeof(*e));
	if (!e) {
		*error = &no_memory;
		return -1;
	}
	e->code = parts->code;
	e->errnum = parts->errnum;
	va_start(ap, fmt);
	set_found(e->found, sizeof(e->found), fmt, ap);
	va_end(ap);
	escape_text(e->where, sizeof(e->where), where, strlen(where));
	snprintf(e->expected, sizeof(e->expected), "%s",
		 parts->expected ? parts->expected : of_code[e->code].expected);
	snprintf(e->advice, sizeof(e->advice), "%s",
		 parts->advice ? parts->advice : of_code[e->code].advice);
	snprintf(e->message, sizeof(e->message), "%s%s%s; expected %s; %s", e->where,
		 *e->where ? ": " : "", e->found, e->expected, e->advice);
	return -1;
}

int error_take(struct epitaph_error **error, const struct err *err, const char *where)
{
	struct error_parts parts = {
		.code = (enum epitaph_error_code)err->code, .errnum = err->errnum, .where = where,
	};
	char place[400], escaped[300];
	const char *msg = err->msg;
	size_t len;

	if (err->code < ERR_USAGE || err->code > ERR_CORRUPT)
		parts.code = EPITAPH_ERROR_CORRUPT;
	len = where ? escape_text(escaped, sizeof(escaped), where, strlen(where)) : 0;
	if (len && !strncmp(msg, escaped, len) && !strncmp(msg + len, ": ", 2))
		msg += len + 2;
	if (where && err->off != ERR_NO_OFF) {
		snprintf(place, sizeof(place), "%.340s, byte %llu", where, err->off);
		parts.where = place;
	}
	return error_set(error, &parts, "%s", msg);
}

int error_usage(struct epitaph_error **error, const char *function, const char *found,
		const char *expected)
{
	struct error_parts parts = {
		.code = EPITAPH_ERROR_USAGE, .where = function, .expected = expected,
	};

	return error_set(error, &parts, "%s", found);
}

enum epitaph_error_code epitaph_error_code(const struct epitaph_error *error)
{
	return error->code;
}

int epitaph_error_errno(const struct epitaph_error *error)
{
	return error->errnum;
}

const char *epitaph_error_found(const struct epitaph_error *error)
{
	return error->found;
}

const char *epitaph_error_where(const struct epitaph_error *error)
{
	return error->where;
}

const char *epitaph_error_expected(const struct epitaph_error *error)
{
	return error->expected;
}

const char *epitaph_error_advice(const struct epitaph_error *error)
{
	return error->advice;
}

const char *epitaph_error_message(const struct epitaph_error *error)
{
	return error->message;
}

void epitaph_error_free(struct epitaph_error *error)
{
	if (error != &no_memory)
		free(error);
}
