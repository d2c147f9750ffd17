/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel's trace file tells of where it was when an event happened. */
#ifndef EPITAPH_EVENT_LATENCY_FLAGS_H
#define EPITAPH_EVENT_LATENCY_FLAGS_H

#include "item.h"

#define LATENCY_FLAGS	5

/*
 * latency_flags() - "dNh1.": interrupts off, need to reschedule, context, depth of preempt_disable()
 *	and of migrate_disable()
 * @text: terminated
 * @flags: common_flags of the event; @preempt: its common_preempt_count
 *
 * Flag 2 is "lazy" as from 6.13 on; before that only machines without interrupt flags had it.
 */
void latency_flags(char text[LATENCY_FLAGS + 1], u8 flags, u8 preempt);

/* latency_flags_parse() - the same again, out of the text; false: it is no such text */
bool latency_flags_parse(const char *text, u32 len, s32 *flags, u8 *preempt);

/*
 * latency_of() - the two of an event: the kernel's own trace has them, and so has an event with
 *	context, docs/context.md
 *
 * False: they were not recorded.
 */
bool latency_of(const struct item *item, u8 *ret_flags, u8 *ret_preempt);

#endif
