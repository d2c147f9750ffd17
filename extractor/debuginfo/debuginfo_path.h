/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the user says that debuginfo is: files, and directories laid out as
 * /usr/lib/debug is; docs/debuginfo.md.  Opened ahead, as the FILEs are: the
 * process that reads can open nothing but what is below these directories.
 */
#ifndef EPITAPH_DEBUGINFO_DEBUGINFO_PATH_H
#define EPITAPH_DEBUGINFO_DEBUGINFO_PATH_H

#include "base/err.h"

#define DEBUG_PLACES_MAX	640	/* named, or fetched from servers */

/**
 * struct debug_place - a file or directory that may have debuginfo
 * @path: as it was typed, the caller's
 * @fd: open; -1 before debug_places_open()
 */
struct debug_place {
	const char *path;
	int fd;
	bool is_dir;
};

/* struct debug_places - zeroed to begin with; nr of them */
struct debug_places {
	struct debug_place list[DEBUG_PLACES_MAX];
	size_t nr;
};

/* From now on, this thread's calls mean @use; NULL: those of the program. */
void debug_places_use(struct debug_places *use);

/* Give back all, whose paths were copied. */
void debug_places_close(struct debug_places *close_all);

/* Remember a copy of @path; as debug_places_add(), and -ERR_IO without memory. */
int debug_places_add_copy(const char *path, struct err *err);

/* Remember one; -ERR_USAGE if there are too many. */
int debug_places_add(const char *path, struct err *err);

/* Open all.  Return: 0; -ERR_USAGE if one cannot be, and the message names it. */
int debug_places_open(struct err *err);

size_t debug_places_nr(void);
const struct debug_place *debug_places_at(size_t i);

/* Descriptors of the directories among them; the number, at most @max. */
size_t debug_places_dirs(int *dirs, size_t max);

#endif
