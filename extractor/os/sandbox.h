/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sandbox of a process that reads a hostile file. The process can read what is open, write
 * what is open, and use a bounded amount of memory; docs/hostile.md has the threats.
 *
 * Four layers: resource limits, no_new_privs, landlock (paths) and seccomp (system calls, by
 * libseccomp). A layer that the running kernel lacks is left out and reported.
 */
#ifndef EPITAPH_OS_SANDBOX_H
#define EPITAPH_OS_SANDBOX_H

#include "base/types.h"

#define SANDBOX_MEMORY	(240U << 20)	/* bytes of data; with stack and program below 256 MiB */

/**
 * struct sandbox - what the process may still reach by a path
 * @read_dir: directories whose files may be opened for reading: @nr_read_dir descriptors
 * @make_dir: a directory in which files may be made; -1: none
 */
struct sandbox {
	const int *read_dir;
	size_t nr_read_dir;
	int make_dir;
};

/**
 * struct sandbox_state - the layers that are in force
 * @landlock: its ABI; 0: this kernel has none
 */
struct sandbox_state {
	bool limits;
	bool no_new_privs;
	int landlock;
	bool seccomp;
};

/**
 * sandbox_enter() - lock this process in, for good
 * @ret: which layers are in force
 *
 * A system call that is not allowed fails with EPERM. Not in a build with EPITAPH_NO_SANDBOX.
 */
void sandbox_enter(const struct sandbox *s, struct sandbox_state *ret);

/**
 * sandbox_landlock() - the layer of landlock alone; needs no_new_privs
 *
 * Return: the kernel's ABI of landlock, from 1; 0: the layer is not in force.
 */
int sandbox_landlock(const struct sandbox *s);

/* "no_new_privs, landlock (ABI 5), seccomp, ..." */
void sandbox_words(char *buf, size_t size, const struct sandbox_state *state);

#endif
