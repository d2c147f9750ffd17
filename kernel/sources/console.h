/* SPDX-License-Identifier: GPL-2.0-only */
/* printk:console from a console of our own, where its tracepoint will not do. */
#ifndef EPITAPH_SOURCES_CONSOLE_H
#define EPITAPH_SOURCES_CONSOLE_H

#include <linux/types.h>

struct epitaph_event;

/* Is @ev printk:console, in either way of recording it? */
bool epitaph_console_is(const struct epitaph_event *ev);

/**
 * epitaph_console_has() - is this an event that our console records
 * @ev: any
 *
 * Then its probe must not be attached to its tracepoint.
 */
bool epitaph_console_has(const struct epitaph_event *ev);

/**
 * epitaph_console_attach() - record lines that are printed from now on
 * @ev: published, and epitaph_console_has() it
 *
 * They are recorded when the consoles get them, which in NMI is later, and with
 * the time that the kernel puts first.  Lines above the console's loglevel are
 * when the kernel dies, by epitaph_console_catch_up().  No console of the user's
 * changes.  What was printed before is taken in
 * from the log.
 *
 * Context: process, may sleep.
 */
void epitaph_console_attach(struct epitaph_event *ev);

/**
 * epitaph_console_detach() - record no more
 *
 * Afterwards the probe does not run on any CPU.
 *
 * Context: process, may sleep; after epitaph_console_attach().
 */
void epitaph_console_detach(void);

/**
 * epitaph_console_catch_up() - record what the consoles did not get any more
 *
 * Of the last 200 lines of the log, those that are not recorded yet: each once, whether
 * the consoles' loglevel held it back or there was no time to print it.
 *
 * Context: any, NMI included; on the way down.
 */
void epitaph_console_catch_up(void);

#endif /* EPITAPH_SOURCES_CONSOLE_H */
