// SPDX-License-Identifier: GPL-2.0-or-later
#include "side_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Not through a link, and without waiting for a FIFO; the first line, whatever is in the file. */
static void read_line(int dir, char *why, size_t size)
{
	int fd = openat(dir, SAVED_WHY, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, why, size - 1);

	why[len < 0 ? 0 : len] = 0;
	why[strcspn(why, "\n")] = 0;
	if (fd >= 0)
		close(fd);
}

void side_file_read_why(const char *region, char *why, size_t size)
{
	const char *name = strrchr(region, '/');
	char path[4096] = ".";
	int dir;

	*why = 0;
	if (strcmp(name ? name + 1 : region, SAVED_REGION) ||
	    (name && snprintf(path, sizeof(path), "%.*s/", (int)(name - region), region) >= (int)sizeof(path)))
		return;
	dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return;
	read_line(dir, why, size);
	close(dir);
}
