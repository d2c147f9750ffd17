/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text that grows. */
#ifndef EPITAPH_BASE_STRBUF_H
#define EPITAPH_BASE_STRBUF_H

#include "types.h"

/**
 * struct strbuf - zeroed to begin with
 * @data: terminated, from malloc(); NULL: empty, or there was no memory
 * @failed: there was no memory; nothing is added any more
 */
struct strbuf {
	char *data;
	size_t size;
	size_t room;
	bool failed;
};

void strbuf_add(struct strbuf *buf, const char *text, size_t len);

__attribute__((format(printf, 2, 3)))
void strbuf_put(struct strbuf *buf, const char *fmt, ...);

/* The text, the caller's; NULL if there was no memory, and then nothing is left to free. */
char *strbuf_take(struct strbuf *buf);

#endif
