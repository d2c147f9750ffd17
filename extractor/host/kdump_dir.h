/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where kdump saves the dumps of this machine, and our hook the trace. */
#ifndef EPITAPH_HOST_KDUMP_DIR_H
#define EPITAPH_HOST_KDUMP_DIR_H

#include <stddef.h>

#include "base/types.h"

#define KDUMP_DIR	256	/* characters of a path, with the zero */

/**
 * enum kdump_place - what kdump's settings say
 * @KDUMP_HERE: a directory that is seen here
 * @KDUMP_NOT_MOUNTED: one of a file system that is not mounted
 * @KDUMP_ELSEWHERE: another machine, a share where other machines save as well, or a device without a file system
 */
enum kdump_place {
	KDUMP_HERE,
	KDUMP_NOT_MOUNTED,
	KDUMP_ELSEWHERE,
};

/**
 * kdump_dir() - KDUMP_COREDIR of kdump-tools, path and target of kdump.conf, or KDUMP_SAVEDIR
 * @root: in front of all paths but that which is returned
 * @dir: out: the directory; /var/crash, where it is not known
 * @target: out: the target in the settings' words, "" without any; NULL: not wanted
 */
enum kdump_place kdump_dir(const char *root, char dir[KDUMP_DIR], char target[KDUMP_DIR]);

#endif
