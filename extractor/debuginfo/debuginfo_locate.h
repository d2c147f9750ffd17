/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the places that were named has the debuginfo of a build id; docs/debuginfo.md. */
#ifndef EPITAPH_DEBUGINFO_DEBUGINFO_LOCATE_H
#define EPITAPH_DEBUGINFO_DEBUGINFO_LOCATE_H

#include "debuginfo_file.h"

/**
 * struct debug_wanted - what is looked for; texts are the dump's
 * @build_id: in hex
 * @release: as uname -r has it; "" if unknown
 * @module: its name; NULL: the kernel itself
 */
struct debug_wanted {
	const char *build_id;
	const char *release;
	const char *module;
};

/**
 * debug_find() - find and load it
 * @ret: for debug_file_close(); set only on success
 * @path: where it was, escaped; @size: room
 *
 * Return: 0; -ERR_USAGE if it is nowhere, and the message says what was found
 *	instead: another build with its id, one without debuginfo, a damaged one,
 *	or nothing, and where; -ERR_IO without memory.
 */
int debug_find(struct debug_file **ret, char *path, size_t size,
	       const struct debug_wanted *wanted, struct err *err);

#endif
