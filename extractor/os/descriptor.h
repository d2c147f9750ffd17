/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptors: of a process that may have been started without 0, 1 and 2, and what is written whole. */
#ifndef EPITAPH_OS_DESCRIPTOR_H
#define EPITAPH_OS_DESCRIPTOR_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

/*
 * @fd, moved above 2, where the process's own output would go into it; -1, with errno and @fd
 * closed, where there is none left.  @fd may be -1.
 */
static inline int descriptor_above_standard(int fd)
{
	int moved, errnum;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	errnum = errno;
	close(fd);
	errno = errnum;
	return moved;
}

/* All of @size bytes, however often it is interrupted; false: with errno, and some may be written. */
static inline bool descriptor_write(int fd, const void *data, size_t size)
{
	const char *at = data;
	ssize_t n;

	for (; size; at += n, size -= n) {
		n = write(fd, at, size);
		if (n < 0 && errno != EINTR)
			return false;
		if (n < 0)
			n = 0;
	}
	return true;
}

#endif
