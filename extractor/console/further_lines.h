/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of a record behind its first one, as dmesg and journalctl print them; docs/console.md. */
#ifndef EPITAPH_CONSOLE_FURTHER_LINES_H
#define EPITAPH_CONSOLE_FURTHER_LINES_H

#include <stddef.h>

/**
 * further_lines_mend() - such a line begins as the first one of its record does
 * @text: @size bytes; stays as long as it is
 *
 * It is indented to the column of the text of the line of the kernel before it. These blanks become what that
 * line has there.
 */
void further_lines_mend(char *text, size_t size);

#endif
