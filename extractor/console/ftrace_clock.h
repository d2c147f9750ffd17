/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the events of the kernel's own dump happened, by the clock of the log; docs/console.md. */
#ifndef EPITAPH_CONSOLE_FTRACE_CLOCK_H
#define EPITAPH_CONSOLE_FTRACE_CLOCK_H

#include "console_event.h"

/**
 * ftrace_clock_place() - give the events of the kernel's dumps the clock of the log
 * @events: of the kernel's and other dumps, in the order of the text
 * @records: the log's @nr lines, in that order
 */
void ftrace_clock_place(struct console_events *events, const struct klog_record *records, u32 nr);

#endif
