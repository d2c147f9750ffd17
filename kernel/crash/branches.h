/* SPDX-License-Identifier: GPL-2.0-only */
/* The last branches of each CPU, into the region.  docs/last-branches.md */
#ifndef EPITAPH_CRASH_BRANCHES_H
#define EPITAPH_CRASH_BRANCHES_H

#include <linux/types.h>

/* Were they asked for, and does this machine have them?  Before the generation is laid out. */
void epitaph_branches_find(void);

/* Process context; before epitaph_hooks_start(). */
void epitaph_branches_start(void);
void epitaph_branches_stop(void);

/* The rest: on the CPU that it is about, any context, NMI included; nothing if there are none. */

/* It dies, and does not go on: keep no more, and read. */
void epitaph_branches_end(void);

/**
 * epitaph_branches_hold() - what was read of the fault, in this task, is not read over
 * @oopses: the kernel oopses of it now; else it will: arm64 prints for tens of ms in between
 */
void epitaph_branches_hold(bool oopses);

/**
 * epitaph_branches_save() - into the region, once
 * @of_oops: it dies of an oops: those of epitaph_branches_hold(), if they are there
 */
void epitaph_branches_save(bool of_oops);

/* For people, one line. */
ssize_t epitaph_branches_say(char *buf);

#endif /* EPITAPH_CRASH_BRANCHES_H */
