/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing text. */
#ifndef EPITAPH_BASE_STRBUF_H
#define EPITAPH_BASE_STRBUF_H

#include "types.h"

/**
 * struct strbuf - zeroed at first
 * @data: terminated, for free(); NULL: empty
 * @failed: there was no memory; further text is dropped
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

/* The text, for free() by the caller; NULL if there was no memory. @buf is empty afterwards. */
char *strbuf_take(struct strbuf *buf);

#endif
