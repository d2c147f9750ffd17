/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dumped kernel's own trace: every instance of ftrace with its buffer and
 * its snapshot.  docs/ftrace.md says what is read, and from what.
 */
#ifndef EPITAPH_FTRACE_FTRACE_H
#define EPITAPH_FTRACE_FTRACE_H

#include "base/damage_notes.h"
#include "linux_kernel/linux_kernel.h"
#include "clock.h"
#include "saved_cmdlines.h"
#include "event_formats.h"
#include "ring_buffer.h"

/* At these it ends and says so.  A fuzzer gets there, and by less work. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define FTRACE_MAX_BUFFERS	8
#define FTRACE_MAX_RINGS	64
#else
#define FTRACE_MAX_BUFFERS	1024
#define FTRACE_MAX_RINGS	16384
#endif
#define FTRACE_NAME		300
#define RESCHED_LAZY		0x02	/* of common_flags */

/**
 * struct ftrace_buffer - of one instance, or its snapshot
 * @name: "ftrace", "ftrace:NAME", "ftrace:NAME (snapshot)", "ftrace (carved)",
 *	"ftrace (persistent)"; not escaped
 * @unit: bytes of a sub-buffer
 * @rings: nr_rings of them, by CPU; without those that never had an event
 * @text_delta: added to the addresses of code in its events
 * @is_unsure: its clock is a guess
 * @is_earlier: what is in it was recorded by a boot before
 */
struct ftrace_buffer {
	char name[FTRACE_NAME];
	struct ftrace_clock clock;
	u32 unit;
	struct ftrace_ring *rings;
	u32 nr_rings;
	u64 text_delta;
	bool is_unsure;
	bool is_earlier;
};

/**
 * struct ftrace - all of it
 * @kernel: NULL: there is none in the file
 * @buffers: nr_buffers of them, the top instance's first
 * @nr_persistent: of them, ftrace_persistent_find() found
 * @lost_first: it met a buffer without its first CPU, so that CPUs of others are not certain
 * @lacks: what leads to a ring, or on in it, is not in the dump
 * @graph_call, @graph_return: ids of the function graph tracer's events; 0: there are none
 * @nr_broken: sub-buffers of which streams found a part to be no events, so far, with
 *	@nr_unread events that cannot be read
 * @flags: of common_flags, those that are what latency_flags() takes them for
 * @text_delta: of the buffer whose event is printed now
 * @notes: what is wrong
 */
struct ftrace {
	struct kernel *kernel;
	struct ftrace_memory mem;
	struct ftrace_buffer *buffers;
	u32 nr_buffers;
	u32 nr_persistent;
	bool lost_first;
	u32 nr_rings;
	u32 left;
	bool lacks;
	u32 graph_call;
	u32 graph_return;
	u32 nr_broken;
	u64 nr_unread;
	struct ftrace_formats *texts;
	struct formats *formats;
	u8 flags;
	u64 text_delta;
	struct ftrace_comms comms;
	struct damage_notes notes;
};

/**
 * ftrace_open() - find what the kernel has traced; its events are read by streams
 * @ret: for ftrace_close(); NULL if this kernel has no ftrace
 * @kernel: must outlive it
 *
 * Damage is in its notes.  Return: 0 or -ERR_IO.
 */
int ftrace_open(struct ftrace **ret, struct kernel *kernel, struct err *err);

/**
 * ftrace_open_alone() - what is left of it in memory without its kernel
 * @ret: for ftrace_close(); NULL if there is nothing
 * @in: must outlive it
 */
int ftrace_open_alone(struct ftrace **ret, struct dump *in, struct err *err);

/* NULL is fine. */
void ftrace_close(struct ftrace *ftrace);

#endif
