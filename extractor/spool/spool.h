/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory of saved traces, each in a directory of its own, which is filled
 * under a temporary name: docs/harvest.md, docs/capture.md.
 */
#ifndef EPITAPH_SPOOL_SPOOL_H
#define EPITAPH_SPOOL_SPOOL_H

#include "region/generation.h"

#define STORE_NAME	96	/* characters of a name, with the zero */

/**
 * store_name() - what a trace is called: boot id and start of recording, UTC
 * @number: of its generation, for one of a boot that had no id
 * @boot_id: 16 bytes; NULL: unknown
 */
void store_name(char name[STORE_NAME], u64 number, const u8 *boot_id, u64 start_ns);

/* Is it one of store_name(), behind @prefix, with or without a number behind it? */
bool store_is_name(const char *name, const char *prefix);

/**
 * store_place() - give a filled directory its name, or another with a number behind it
 * @store: descriptor of the directory of all
 * @dir: descriptor of the one called @temporary
 * @name: in: the name wanted; out: where the trace is
 *
 * Return: 0: placed; 1: the same region is in @name already, and on disk; or -ERR_IO.
 */
int store_place(int store, const char *temporary, int dir, char name[STORE_NAME],
		struct err *err);

/* Removes the directory @name and the files in it. */
void store_remove(int store, const char *name);

/**
 * store_retire() - the same of one that has its name already
 * @prefix: of temporary names; store_clean() removes what a stop leaves of it
 *
 * It loses its name first: there is all of it, or nothing.  Return: 0 or -ERR_IO.
 */
int store_retire(int store, const char *name, const char *prefix, struct err *err);

/* Removes what was left of directories whose temporary names begin with @prefix. */
void store_clean(int store, const char *prefix);

#endif
