/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process that can do no more than read what is open, write what is open and
 * use a bounded amount of memory; see docs/hostile.md.
 */
#ifndef EPITAPH_OS_SANDBOX_H
#define EPITAPH_OS_SANDBOX_H

#include "base/types.h"

#define SANDBOX_MEMORY	(240U << 20)	/* bytes of data; with stack and program below 256 MiB */

/**
 * struct sandbox - what is to be left
 * @read_dir: directories whose files may be opened: @nr_read_dir descriptors
 * @make_dir: a directory in which files may be made; -1: none
 */
struct sandbox {
	const int *read_dir;
	size_t nr_read_dir;
	int make_dir;
};

/**
 * struct sandbox_state - what holds now
 * @landlock: its ABI; 0: this kernel has none
 */
struct sandbox_state {
	bool limits;
	bool no_new_privs;
	int landlock;
	bool seccomp;
};

/* sandbox_enter() - for good; what the kernel cannot do is left out, and told in @ret */
void sandbox_enter(const struct sandbox *s, struct sandbox_state *ret);

/* "landlock (ABI 5), seccomp, at most 240 MiB; not: ..." */
void sandbox_words(char *buf, size_t size, const struct sandbox_state *state);

#endif
