/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work on a hostile file, in a process that is locked in and may die of it. */
#ifndef EPITAPH_OS_SANDBOXED_CHILD_H
#define EPITAPH_OS_SANDBOXED_CHILD_H

#include "sandbox.h"

/**
 * struct sandboxed_child - what is to be done, and how
 * @name: of the command, for what is said on stderr
 * @verbose: say there what the process is locked in by
 * @run: gets @arg; its value is the exit status
 */
struct sandboxed_child {
	const char *name;
	bool verbose;
	struct sandbox sandbox;
	int (*run)(void *arg);
	void *arg;
};

/**
 * sandboxed_child_run() - fork, lock in, run and wait
 *
 * Return: what @run returned; ERR_CORRUPT if it died, and ERR_IO if it could
 *	not be started, both told; 128 and the number of a signal that came from
 *	outside, as a shell has it.
 *
 * A build with EPITAPH_NO_SANDBOX calls @run and nothing else: the capture
 * initramfs, which looks at its own machine only, and builds with sanitizers,
 * which need more than is allowed.
 */
int sandboxed_child_run(const struct sandboxed_child *child);

/*
 * sandboxed_child_disown() - from here on, a child closes what this program has not opened itself
 *
 * All that it opens closes on exec, and what came through one does not.  Not for
 * crash(8), whose files are read by the child.
 */
void sandboxed_child_disown(void);

#endif
