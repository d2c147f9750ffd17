/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events as sysrq-z prints them, of which formats and payloads are made again; docs/console.md. */
#ifndef EPITAPH_CONSOLE_CONSOLE_EVENT_H
#define EPITAPH_CONSOLE_CONSOLE_EVENT_H

#include "base/byte_writer.h"
#include "base/err.h"
#include "event/formats.h"

/* Part of a line; not escaped. */
struct printed_words {
	const char *at;
	u32 len;
};

/**
 * struct console_event - one
 * @time: CLOCK_MONOTONIC, ns
 * @id: of the formats
 * @off: its payload, @size bytes, in console_events.payloads
 * @comm: not escaped; "": unknown
 * @text: "name: " and what follows
 * @order: in the text
 * @dump: of which dump of sysrq-z
 * @is_repeated: an earlier dump has it
 */
struct console_event {
	u64 time;
	u32 cpu;
	u32 id;
	u32 off;
	u32 size;
	s64 pid;
	char comm[17];
	struct printed_words text;
	u32 order;
	u32 dump;
	bool is_repeated;
};

struct console_formats;

/**
 * struct console_events - all of them
 * @base: the text that they are of
 * @dump: the number of the dump that is being read; the caller counts
 * @list: nr, in the order of CPU and time after console_events_sort()
 */
struct console_events {
	const char *base;
	u32 dump;
	struct console_event *list;
	u32 nr;
	u32 room;
	struct pack payloads;
	struct console_formats *formats;
};

/* @events is zeroed, @base must outlive it; console_events_free() is needed, also on failure. */
int console_events_begin(struct console_events *events, const char *base, struct err *err);

/**
 * console_events_take() - add what a line is, if it is an event
 * @text: @len bytes of the text that is @events->base
 *
 * Return: 1; 0: it is none; -ERR_IO without memory.
 */
int console_events_take(struct console_events *events, const char *text, u32 len, struct err *err);

/* The text of an event with that payload. */
struct printed_words console_event_text(const struct console_events *events, const u8 *payload, u32 size);

/* The line of a log that an event of printk has as its text; @at is NULL if it is none of printk. */
struct printed_words console_event_printed(const struct console_event *event);

/* Sort, and leave out what two dumps have. */
void console_events_sort(struct console_events *events);

struct formats *console_events_formats(const struct console_events *events);

void console_events_free(struct console_events *events);

#endif
