/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of the kernel's file "trace": what it is, and its lines; docs/console.md. */
#ifndef EPITAPH_CONSOLE_TRACE_FILE_H
#define EPITAPH_CONSOLE_TRACE_FILE_H

#include <stddef.h>

#include "console_event.h"

/**
 * trace_file_is() - does a text begin as a trace file does?
 *
 * Return: 1; 0: it is something else; -ERR_NOT_OURS: it is one, or of trace-cmd, that cannot be read,
 * and the message says what to give instead.
 */
int trace_file_is(const char *text, size_t size, struct err *err);

/**
 * trace_file_read() - take its events
 * @release: the kernel's, where the text has it
 * @nr_cpus: how many the machine had, where it says so
 *
 * Return: 0; -ERR_NOT_OURS: there is none, and the message says why; -ERR_IO.
 */
int trace_file_read(struct console_events *events, const char *text, size_t size, char release[65], u32 *nr_cpus, struct err *err);

#endif
