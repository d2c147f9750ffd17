/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines and bytes to and from another machine, which may say nothing, or anything. */
#ifndef EPITAPH_TRANSFER_WIRE_H
#define EPITAPH_TRANSFER_WIRE_H

#include "base/err.h"

#define WIRE_SILENCE	30000	/* ms that one side waits for the other */

/**
 * struct wire - a connection
 * @in: descriptor to read from; made non-blocking, as @out
 * @out: to write to; may be the same
 * @deadline: ms of CLOCK_MONOTONIC at which it is over, whatever comes
 */
struct wire {
	int in;
	int out;
	u64 deadline;
	size_t start;
	size_t end;
	char buf[4096];
};

u64 wire_now(void);

void wire_init(struct wire *w, int in, int out, u64 deadline);

/* Closes both. */
void wire_close(struct wire *w);

/**
 * wire_line() - read a line
 * @line: printable ASCII, without the newline
 *
 * Return: 0; -ERR_IO: cut, or nothing comes; -ERR_CORRUPT: no line, or none of less than @size.
 */
int wire_line(struct wire *w, char *line, size_t size, struct err *err);

/* Up to @size bytes, at least one; or -ERR_IO. */
ssize_t wire_read(struct wire *w, void *buf, size_t size, struct err *err);

/* All of it. */
int wire_write(struct wire *w, const void *data, size_t size, struct err *err);

/* A text, at most 4096 bytes of it. */
__attribute__((format(printf, 3, 4)))
int wire_say(struct wire *w, struct err *err, const char *fmt, ...);

#endif
