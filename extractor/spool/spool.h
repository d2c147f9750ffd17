/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory of saved traces, each in a directory of its own, which is filled
 * under a temporary name: docs/harvest.md, docs/capture.md.
 */
#ifndef EPITAPH_SPOOL_SPOOL_H
#define EPITAPH_SPOOL_SPOOL_H

#include "base/err.h"

#define SPOOL_NAME	96	/* characters of a name, with the zero */
#define SPOOL_CAPTURE	"epitaph-"	/* of names that epitaph capture gives */
#define SPOOL_CAPTURE_TEMPORARY	".epitaph-"	/* and of those that are not whole */

/**
 * spool_name() - what a trace is called: boot id and start of recording, UTC
 * @number: of its generation, for one of a boot that had no id
 * @boot_id: 16 bytes; NULL: unknown
 */
void spool_name(char name[SPOOL_NAME], u64 number, const u8 *boot_id, u64 start_ns);

/* Is it one of spool_name(), behind @prefix, with or without a number behind it? */
bool spool_is_name(const char *name, const char *prefix);

/* When the boot of such a name began to record, by its clock: s since 1970; 0: the name does not say. */
s64 spool_name_time(const char *name);

#define SPOOL_TEMPORARY	128	/* characters of a temporary name, with the zero */

/**
 * spool_begin() - a new directory with a temporary name, and an empty region in it
 * @store: descriptor of the directory of all, where other users may make some as well
 * @prefix: of temporary names
 * @temporary: out: its name, which has the host and cannot be foreseen
 * @ret_region: out: descriptor of the region
 *
 * Return: a descriptor of the directory, or -ERR_IO: nothing is left behind.
 */
int spool_begin(int store, const char *prefix, char temporary[SPOOL_TEMPORARY], int *ret_region,
		struct err *err);

/**
 * spool_place() - give a filled directory its name, or another with a number behind it
 * @store: descriptor of the directory of all
 * @dir: descriptor of the one called @temporary
 * @name: in: the name wanted; out: where the trace is
 *
 * In the order of saved captures it is the newest of all there, whatever the clock says.
 *
 * Return: 0: placed; 1: the same region of the same owner is in @name already, and on disk; or -ERR_IO.
 */
int spool_place(int store, const char *temporary, int dir, char name[SPOOL_NAME],
		struct err *err);

/* Removes the directory @name and the files in it. */
void spool_remove(int store, const char *name);

/**
 * spool_retire() - the same of one that has its name already
 * @prefix: of temporary names; spool_clean() removes what a stop leaves of it
 *
 * It loses its name first: there is all of it, or nothing.  Return: 0 or -ERR_IO.
 */
int spool_retire(int store, const char *name, const char *prefix, struct err *err);

/*
 * Removes what was left of directories whose temporary names begin with @prefix, but for those that
 * another host fills, or another user has made.
 */
void spool_clean(int store, const char *prefix);

#endif
