// SPDX-License-Identifier: GPL-2.0-only
/*
 * note DISK OFFSET TEXT: a line for tests/vm/power-cut, in the log of what is written to a disk.  No
 * flush comes with it, and the file system on the disk does not know of it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char block[4096] __attribute__((aligned(4096)));
	int fd;

	if (argc != 4)
		return 2;
	snprintf(block, sizeof(block), "power-cut: %s\n", argv[3]);
	fd = open(argv[1], O_WRONLY | O_DIRECT);
	if (fd < 0 || pwrite(fd, block, sizeof(block), atoll(argv[2])) != sizeof(block)) {
		perror(argv[1]);
		return 1;
	}
	return 0;
}
