/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which system calls a process may still make; see docs/hostile.md. */
#ifndef EPITAPH_OS_SECCOMP_H
#define EPITAPH_OS_SECCOMP_H

#include "base/types.h"

/**
 * struct seccomp_needs - what is allowed beyond reading and writing what is open
 * @read_files: open files for reading, as in a directory of parts
 * @make_files: make files, in a directory that landlock names
 */
struct seccomp_needs {
	bool read_files;
	bool make_files;
};

/**
 * seccomp_enter() - from now on every other system call fails with EPERM
 *
 * Needs no_new_privs.  Return: false: this kernel or architecture cannot.
 */
bool seccomp_enter(const struct seccomp_needs *needs);

#endif
