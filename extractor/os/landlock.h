/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files a process may still reach by a path; see docs/hostile.md. */
#ifndef EPITAPH_OS_LANDLOCK_H
#define EPITAPH_OS_LANDLOCK_H

#include "base/types.h"

/**
 * struct landlock_needs - what stays within reach
 * @read: directories whose files may be read: @nr_read open descriptors
 * @make: a directory in which files may be made; -1: none
 */
struct landlock_needs {
	const int *read;
	size_t nr_read;
	int make;
};

/**
 * landlock_enter() - from now on nothing else can be opened, connected to or signalled
 *
 * Needs no_new_privs.  Return: the ABI of the kernel, from 1; 0: it cannot.
 */
int landlock_enter(const struct landlock_needs *needs);

#endif
