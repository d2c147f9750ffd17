/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that stand for events: as sysrq-z of ours and a trace file print them, and as the kernel's own
 * dump of its buffers does; docs/console.md.  Pure functions on text that may be anything.
 */
#ifndef EPITAPH_CONSOLE_PRINTED_LINE_H
#define EPITAPH_CONSOLE_PRINTED_LINE_H

#include <stdbool.h>

#include "base/types.h"

#define PRINTED_MAX_NAME	64	/* bytes of the name of an event or a field */

/* Part of a line; not escaped. */
struct printed_words {
	const char *at;
	u32 len;
};

/**
 * struct printed_head - who, where and when
 * @time: ns, as printed
 * @comm: "": unknown
 * @flags: as in struct item; ITEM_NO_FLAGS: not printed
 * @is_dumped: in the columns of the kernel's own dump; @comm is at most 8 bytes of the name then
 */
struct printed_head {
	u64 time;
	u32 cpu;
	s64 pid;
	char comm[17];
	s32 flags;
	u8 preempt;
	bool is_dumped;
};

/**
 * printed_head_parse() - is the line an event?
 * @text: @len bytes, without the time of the log
 * @words: what follows the head: the name of the event, and so on
 */
bool printed_head_parse(const char *text, u32 len, struct printed_head *head, struct printed_words *words);

/**
 * printed_lost_parse() - is it "CPU:1 [LOST 123 EVENTS]"?
 * @nr: 0: the line does not say how many
 */
bool printed_lost_parse(const char *text, u32 len, u32 *cpu, u64 *nr);

/* May @c be part of a name in C? */
bool printed_is_name(char c, bool is_first);

bool printed_words_are(struct printed_words words, const char *text);
bool printed_words_begin(struct printed_words words, const char *text);
bool printed_words_end(struct printed_words words, const char *text);

#endif
