/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Marks of an application in the flight recorder's trace; nothing to link.
 *
 *	#include <epitaph-mark.h>
 *
 *	epitaph_mark("checkout begins");
 *	epitaph_markf("order %llu: %d items", order, items);
 *
 * Each call opens the device anew: an open device would keep the recorder loaded.
 * Where there is no recorder it fails and costs one system call.
 */
#ifndef EPITAPH_MARK_H
#define EPITAPH_MARK_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define EPITAPH_MARK_DEVICE	"/dev/epitaph-mark"
#define EPITAPH_MARK_MAX	4096	/* bytes of text */

/**
 * epitaph_mark_bytes() - leave a mark
 * @text: @size bytes, no NUL among them; a newline at the end is not part of it
 *
 * May be called by any thread, also in a signal handler; keeps errno if it succeeds.
 *
 * Return: 0, or -1 with errno: ENOENT or ENXIO no recorder, EMSGSIZE more than
 *	EPITAPH_MARK_MAX bytes, EINVAL nothing or a NUL byte, EAGAIN this user has
 *	written too many lately (it is counted, and the next one says how many).
 */
static inline int epitaph_mark_bytes(const char *text, size_t size)
{
	int old = errno;
	int fd = open(EPITAPH_MARK_DEVICE, O_WRONLY | O_CLOEXEC);
	ssize_t n;
	int why;

	if (fd < 0)
		return -1;
	n = write(fd, text, size);
	why = n < 0 ? errno : old;
	close(fd);
	errno = why;
	return n < 0 ? -1 : 0;
}

/* The same for a string. */
static inline int epitaph_mark(const char *text)
{
	return epitaph_mark_bytes(text, strlen(text));
}

/* The same as by printf(); what does not fit is EMSGSIZE.  Not for signal handlers. */
__attribute__((format(printf, 1, 2)))
static inline int epitaph_markf(const char *format, ...)
{
	char text[EPITAPH_MARK_MAX + 1];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (n < 0)
		return -1;
	if ((size_t)n >= sizeof(text)) {
		errno = EMSGSIZE;
		return -1;
	}
	return epitaph_mark_bytes(text, (size_t)n);
}

#endif
