// SPDX-License-Identifier: GPL-2.0-or-later
#include "sysfs_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int sysfs_file_read(const char *path, char *buf, size_t size, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t have = 0;
	ssize_t n = 1;

	if (fd < 0)
		return err_sys(err, "%s", path);
	while (n > 0 && have < size - 1) {
		n = read(fd, buf + have, size - 1 - have);
		have += n > 0 ? n : 0;
	}
	if (n < 0)
		err_sys(err, "%s", path);
	close(fd);
	buf[have] = 0;
	return n < 0 ? -ERR_IO : 0;
}

bool sysfs_file_is_number(const char *text, u64 *ret)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*ret = strtoull(text, &end, 10);
	return !errno && !*end;
}
