/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DOC: os
 *
 * Processes, files and the terminal: everything of the operating system that is not a dump.
 *
 * A hostile file is read in a child that is locked in and may die of the file:
 *
 *	struct sandboxed_child child = { .name = "report", .run = print, .arg = &job,
 *					 .sandbox = { .make_dir = -1 } };
 *
 *	return sandboxed_child_run(&child);
 */
#ifndef EPITAPH_OS_SANDBOXED_CHILD_H
#define EPITAPH_OS_SANDBOXED_CHILD_H

#include "sandbox.h"
#include "turns.h"

/**
 * struct sandboxed_child - the work of a child
 * @name: of the command, for messages on stderr
 * @verbose: report the layers of the sandbox there
 * @run: gets @arg; its return value is the exit status
 * @turns: open; that many processes run @run, and the exit status is the writer's. NULL: one does
 */
struct sandboxed_child {
	const char *name;
	bool verbose;
	struct sandbox sandbox;
	int (*run)(void *arg);
	void *arg;
	struct turns *turns;
};

/**
 * sandboxed_child_run() - fork, lock in, run and wait
 *
 * Return: the value of @run; ERR_CORRUPT if the child died and ERR_IO if it could not be started,
 * both reported on stderr; 128 plus the number of a signal that came from outside, as in a shell.
 *
 * A build with EPITAPH_NO_SANDBOX closes @turns and only calls @run: the capture initramfs, which
 * reads its own machine alone, and builds with sanitizers, which need more system calls.
 */
int sandboxed_child_run(const struct sandboxed_child *child);

/*
 * sandboxed_child_disown() - from here on, a child closes what this program has not opened itself,
 * and all sockets
 *
 * All that it opens closes on exec, and what came through one does not.  Not for
 * crash(8), whose files are read by the child.  Files stay: who has opened those of others closes
 * them before.
 */
void sandboxed_child_disown(void);

#endif
