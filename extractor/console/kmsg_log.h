/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What /dev/kmsg gives, and netconsole where it is extended; docs/console.md. */
#ifndef EPITAPH_CONSOLE_KMSG_LOG_H
#define EPITAPH_CONSOLE_KMSG_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* Has a line its record: "6,2902,86761111625,-;text"? Documentation/ABI/testing/dev-kmsg */
bool kmsg_log_is(const char *text, size_t size);

/**
 * kmsg_log_convert() - each record as a line of dmesg --raw: "<6>[86761.111625] text"
 * @ret_size: of the result
 *
 * Return: the text, for free(); NULL: no memory.
 */
char *kmsg_log_convert(const char *text, size_t size, size_t *ret_size);

#endif
