/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One boot in the text of a console: its log, and events that were printed; or a trace file; docs/console.md. */
#ifndef EPITAPH_CONSOLE_CONSOLE_H
#define EPITAPH_CONSOLE_CONSOLE_H

#include "dump/dump.h"
#include "event/stream.h"
#include "linux_kernel/printk_ringbuffer.h"
#include "console_event.h"

/**
 * struct console_ring - the events of one CPU and one kind, in the order of time
 * @first: index in the events of the console
 * @is_ftrace, @is_unsure: as its events are
 */
struct console_ring {
	u32 cpu;
	u32 first;
	u32 nr;
	bool is_ftrace;
	bool is_unsure;
};

/**
 * struct console - one boot
 * @text: of all boots
 * @is_trace: it is a trace file of the kernel: it has no log, and one boot
 * @is_dated: its lines had dates
 * @is_kmsg: they were records of /dev/kmsg
 * @is_timeless: they had neither these nor times: all of @log is at 0
 * @log: as a dump has it, but for the printed events
 * @rings: nr_rings of them
 * @nr_cpus: as far as the text knows
 * @machine: as in an ELF header; EM_NONE: unknown
 * @boot: its number, from 1, of @nr_boots
 * @nr_others: lines that are not the kernel's, of all boots
 * @has_died: it printed a panic, an oops was its last, or a capture kernel followed
 * @is_clock_known: times of log and events of the recorder are the same clock's
 * @nr_unplaced: events of the kernel's own dumps, of which the text does not say when they happened
 * @nr_cut: bytes at the begin of the text that were left out
 */
struct console {
	char *text;
	bool is_trace;
	bool is_dated;
	bool is_kmsg;
	bool is_timeless;
	struct printk_ringbuffer log;
	struct console_events events;
	struct console_ring *rings;
	u32 nr_rings;
	u32 nr_cpus;
	u32 machine;
	char release[65];
	char version[65];
	u32 boot;
	u32 nr_boots;
	u64 nr_others;
	bool has_died;
	bool is_clock_known;
	u32 nr_unplaced;
	u64 nr_cut;
};

/**
 * console_open() - read a text
 * @ret: for console_close(), which accepts NULL
 * @dump: a raw file
 * @boot: the number of a boot; -N: the N-th before the last one; 0: the last that panicked, was reset in a lockup or has events, else the last
 *
 * Return: 0; -ERR_NOT_OURS: it is no such text, and the message says what it is; -ERR_USAGE: it has
 * no such boot; -ERR_IO.
 */
int console_open(struct console **ret, struct dump *dump, s64 boot, struct err *err);

void console_close(struct console *console);

/*
 * How long the begin of the line is (reboot: ...) if a kernel says so last, of its own will; 0: it does not.
 */
u32 console_line_end_of_kernel(const char *text, u32 len);

/* The events of ring @i as a stream; @console must outlive it. */
int stream_console_new(struct stream **ret, const struct console *console, u32 i, struct err *err);

#endif
