// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cmd_fail(const char *name, const struct err *err)
{
	fflush(stdout);
	/* Who closes a pipe early has seen enough. */
	if (err->errnum != EPIPE)
		fprintf(stderr, "epitaph %s: %s\n", name, err->msg);
	return err->code;
}

int cmd_misuse(const char *name, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "epitaph %s: ", name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	putc('\n', stderr);
	return cmd_usage(name);
}

bool cmd_number(const char *text, u64 max, u64 *ret)
{
	char *end;
	u64 n;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || *end || n > max)
		return false;
	*ret = n;
	return true;
}

bool cmd_seconds(const char *text, u64 *ret_ns)
{
	u64 whole = 0, part = 0, unit = 1000000000;

	if (!((*text >= '0' && *text <= '9') || (*text == '.' && text[1])))
		return false;
	for (; *text >= '0' && *text <= '9' && whole < 10000000000; text++)
		whole = whole * 10 + (*text - '0');
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9' && unit > 1; text++) {
			part = part * 10 + (*text - '0');
			unit /= 10;
		}
	if (*text || whole >= 10000000000)
		return false;
	*ret_ns = whole * 1000000000 + part * unit;
	return true;
}

int opened_open(struct opened *o, const char *path, struct err *err)
{
	int ret;

	memset(o, 0, sizeof(*o));
	ret = input_open(&o->in, path, err);
	if (ret)
		return ret;
	ret = region_find(&o->regions, o->in, err);
	if (!ret)
		ret = trace_open(&o->trace, regions_newest(o->regions), err);
	return ret ? err_while(err, "%s", path) : 0;
}

void opened_close(struct opened *o)
{
	trace_close(o->trace);
	regions_free(o->regions);
	input_close(o->in);
}

/*
 * A dump that lacks pages elsewhere is not our concern; one that lacks some of
 * ours has been noted where they were missed.
 */
void opened_note_input(struct opened *o)
{
	struct region *region = o->trace->region;
	const char *words;
	size_t i;

	if (!region->notes.nr)
		return;
	for (i = 0; (words = input_damage(o->in, i)); i++)
		notes_add(&region->notes, NOTE_NOWHERE, "the file: %s", words);
}

int opened_status(const struct opened *o, const char *name, const char *path)
{
	const struct trace *trace = o->trace;
	int status = trace_status(trace);

	if (status == ERR_OK)
		return status;
	fflush(stdout);
	fprintf(stderr, "epitaph %s: %s: recovered, with", name, path);
	if (trace->region->notes.nr)
		fprintf(stderr, " damage in %llu place%s", trace->region->notes.nr,
			trace->region->notes.nr == 1 ? "" : "s");
	if (trace->total.lost)
		fprintf(stderr, "%s at least %llu events lost",
			trace->region->notes.nr ? " and" : "", trace->total.lost);
	putc('\n', stderr);
	return status;
}

int cmd_flush(const char *name)
{
	if (!fflush(stdout) && !ferror(stdout))
		return ERR_OK;
	if (errno != EPIPE)
		fprintf(stderr, "epitaph %s: cannot write: %s\n", name, strerror(errno));
	return ERR_IO;
}
