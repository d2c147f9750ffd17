/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events as sysrq-z prints them, of which formats and payloads are made again; docs/console.md. */
#ifndef EPITAPH_CONSOLE_CONSOLE_EVENT_H
#define EPITAPH_CONSOLE_CONSOLE_EVENT_H

#include "base/byte_writer.h"
#include "base/err.h"
#include "event/formats.h"
#include "linux_kernel/printk_ringbuffer.h"
#include "printed_line.h"

/**
 * struct console_event - one
 * @time: CLOCK_MONOTONIC, ns, as far as it is known; @raw: as it was printed
 * @printed: when its line was, by the clock of the log
 * @id: of the formats
 * @off: its payload, @size bytes, in console_events.payloads
 * @comm: not escaped; "": unknown
 * @text: "name: " and what follows
 * @flags, @preempt, @marks, @nr_lost: as in struct item
 * @order: in the text
 * @dump: which one, from 1; 0: in front of all
 * @is_ftrace: the kernel's own dump or a trace file has it, not the sysrq-z of the recorder
 * @is_unsure: how @time lies to the times of the log is a guess
 * @is_joined: @text was several lines
 * @is_repeated: an earlier dump has it
 */
struct console_event {
	u64 time;
	u64 raw;
	u64 printed;
	u32 cpu;
	u32 id;
	u32 off;
	u32 size;
	s64 pid;
	char comm[17];
	struct printed_words text;
	s32 flags;
	u8 preempt;
	u32 marks;
	u64 nr_lost;
	u32 order;
	u32 dump;
	bool is_ftrace;
	bool is_unsure;
	bool is_joined;
	bool is_repeated;
};

/**
 * struct console_dump - one of the recorder or of the kernel
 * @began: when its first line was printed, by the clock of the log
 * @ahead: what has to be added to the times of a dump of the kernel to have the clock of the log
 * @is_known: @ahead is
 * @is_ftrace: the kernel's own
 */
struct console_dump {
	u64 began;
	s64 ahead;
	bool is_known;
	bool is_ftrace;
};

/* Events of a CPU; @nr is 0 if they were not counted. */
struct console_lost {
	bool is_there;
	u32 cpu;
	u64 nr;
};

/**
 * struct console_words - a line that may be an event
 * @text: @len bytes of the text that is console_events.base, without the log's time
 * @ns: the time of the log
 * @is_file: of a trace file, not of a console
 */
struct console_words {
	const char *text;
	u32 len;
	u64 ns;
	bool is_file;
};

struct console_formats;

/**
 * struct console_events - all of them
 * @base: the text that they are of
 * @dumps: nr_dumps, in the order of the text
 * @list: nr, in the order of kind, CPU and time after console_events_sort()
 * @joined: texts of several lines
 * @lost: the line before says that these are, in front of the event that follows; @is_lost_given: of the
 *	line before, and the event that was taken has it
 * @pending: was read, and may go on in the next line; @first_joined: where its text begins then
 */
struct console_events {
	const char *base;
	struct console_dump *dumps;
	u32 nr_dumps;
	struct console_event *list;
	u32 nr;
	u32 room;
	struct pack payloads;
	struct pack joined;
	struct console_event pending;
	bool is_pending;
	size_t first_joined;
	struct console_lost lost;
	bool is_lost_given;
	struct console_formats *formats;
};

/* @events is zeroed, @base must outlive it; console_events_free() is needed, also on failure. */
int console_events_begin(struct console_events *events, const char *base, struct err *err);

/* A dump begins, at @ns of the log. */
int console_events_dump(struct console_events *events, u64 ns, bool is_ftrace, struct err *err);

/**
 * console_events_take() - add what a line is, if it is an event or a part of one
 *
 * Return: 1; 0: it is none; -ERR_IO without memory.
 */
int console_events_take(struct console_events *events, const struct console_words *line, struct err *err);

/* No further line belongs to the event that was read last. */
int console_events_flush(struct console_events *events, struct err *err);

/* Behind the last line; the texts of events are valid from here on. */
int console_events_end(struct console_events *events, struct err *err);

/* The text of an event with that payload. */
struct printed_words console_event_text(const struct console_events *events, const u8 *payload, u32 size);

/* The line of a log that an event of printk has as its text; @at is NULL if it is none of printk. */
struct printed_words console_event_printed(const struct console_event *event);

/* Sort, and leave out what two dumps have. */
void console_events_sort(struct console_events *events);

struct formats *console_events_formats(const struct console_events *events);

void console_events_free(struct console_events *events);

#endif
