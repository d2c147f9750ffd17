/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptors in a process that may have been started without 0, 1 and 2. */
#ifndef EPITAPH_OS_DESCRIPTOR_H
#define EPITAPH_OS_DESCRIPTOR_H

#include <errno.h>
#include <fcntl.h>
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

#endif
