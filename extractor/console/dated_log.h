/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A log whose lines have dates instead of the kernel's time; docs/console.md. */
#ifndef EPITAPH_CONSOLE_DATED_LOG_H
#define EPITAPH_CONSOLE_DATED_LOG_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Have most lines of the kernel a date in front instead of its time, as journalctl -k, /var/log/messages and
 * dmesg -T print them?
 */
bool dated_log_is(const char *text, size_t size);

/**
 * dated_log_convert() - the same lines with the kernel's time
 * @ret_size: of the result
 *
 * A line of the kernel gets the seconds since the first line of its boot, "[   12.000000] text"; of a boot whose
 * begin is not in the text, one second more. Time never falls within a boot: clocks are set. Lines of others stay.
 *
 * Return: the text, for free(); NULL: no memory.
 */
char *dated_log_convert(const char *text, size_t size, size_t *ret_size);

/* Where the kernel's words begin in a line that has a date; NULL: it is no such line. */
const char *dated_line_words(const char *line, const char *end);

#endif
