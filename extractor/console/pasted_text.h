/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a page of the web did to a log that was pasted there and copied from it. */
#ifndef EPITAPH_CONSOLE_PASTED_TEXT_H
#define EPITAPH_CONSOLE_PASTED_TEXT_H

#include <stddef.h>

/* Decodes "&lt;" and the like, and parts lines that became one. @n: bytes, which may become fewer. */
void pasted_text_mend(char *text, size_t *n);

#endif
