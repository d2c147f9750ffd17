/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dumped kernel's own trace: every instance of ftrace with its buffer and
 * its snapshot.  docs/ftrace.md says what is read, and from what.
 */
#ifndef EPITAPH_FTRACE_H
#define EPITAPH_FTRACE_H

#include "ftrace_clock.h"
#include "ftrace_comms.h"
#include "ftrace_formats.h"
#include "ftrace_ring.h"
#include "kernel.h"
#include "notes.h"

#define FTRACE_MAX_BUFFERS	1024
#define FTRACE_MAX_RINGS	16384
#define FTRACE_NAME		300

/**
 * struct ftrace_buffer - of one instance, or its snapshot
 * @name: "ftrace", "ftrace:NAME", "ftrace:NAME (snapshot)", "ftrace (carved)"; not escaped
 * @unit: bytes of a sub-buffer
 * @rings: nr_rings of them, by CPU; without those that never had an event
 * @text_delta: added to the addresses of code in its events
 */
struct ftrace_buffer {
	char name[FTRACE_NAME];
	struct ftrace_clock clock;
	u32 unit;
	struct ftrace_ring *rings;
	u32 nr_rings;
	u64 text_delta;
};

/**
 * struct ftrace - all of it
 * @buffers: nr_buffers of them, the top instance's first
 * @lacks: what leads to a ring, or on in it, is not in the dump
 * @notes: what is wrong
 */
struct ftrace {
	struct kernel *kernel;
	struct ftrace_memory mem;
	struct ftrace_buffer *buffers;
	u32 nr_buffers;
	u32 nr_rings;
	u32 left;
	bool lacks;
	struct ftrace_formats *texts;
	struct formats *formats;
	struct ftrace_comms comms;
	struct notes notes;
};

/**
 * ftrace_open() - find what the kernel has traced; its events are read by streams
 * @ret: for ftrace_close(); NULL if this kernel has no ftrace
 * @kernel: must outlive it
 *
 * Damage is in its notes.  Return: 0 or -ERR_IO.
 */
int ftrace_open(struct ftrace **ret, struct kernel *kernel, struct err *err);

/* NULL is fine. */
void ftrace_close(struct ftrace *ftrace);

#endif
