// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "err.h"

void doctor_run(struct doctor *d)
{
	doctor_check_crash(d);
	doctor_check_region(d);
	doctor_check_reset(d);
	doctor_check_after(d);
}

void doctor_say(struct doctor *d, const char *check, enum doctor_verdict verdict,
		const char *advice, const char *fmt, ...)
{
	struct doctor_finding *f;
	char raw[sizeof(f->found)];
	va_list ap;

	if (d->nr == DOCTOR_MAX)
		return;
	f = &d->list[d->nr++];
	f->check = check;
	f->verdict = verdict;
	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	err_escape(f->found, sizeof(f->found), raw, strlen(raw));
	snprintf(f->advice, sizeof(f->advice), "%s", advice ? advice : "");
}

void doctor_path(const struct doctor *d, char *buf, size_t size, const char *path)
{
	snprintf(buf, size, "%s%s", d->root, path);
}

/* Files of /proc and /sys come in pieces. */
static ssize_t read_all(int fd, char *buf, size_t size)
{
	size_t have = 0;
	ssize_t n;

	while (have < size) {
		n = read(fd, buf + have, size - have);
		if (n < 0)
			return -errno;
		if (!n)
			break;
		have += n;
	}
	return have;
}

ssize_t doctor_read(const struct doctor *d, const char *path, char *buf, size_t size)
{
	char whole[4096];
	ssize_t n;
	int fd;

	buf[0] = '\0';
	doctor_path(d, whole, sizeof(whole), path);
	fd = open(whole, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	n = read_all(fd, buf, size - 1);
	close(fd);
	if (n < 0)
		return n;
	if (n && buf[n - 1] == '\n')
		n--;
	buf[n] = '\0';
	return n;
}

bool doctor_exists(const struct doctor *d, const char *path)
{
	char whole[4096];

	doctor_path(d, whole, sizeof(whole), path);
	return !access(whole, F_OK);
}

bool doctor_number(const struct doctor *d, const char *path, s64 *ret)
{
	char text[64], *end;

	if (doctor_read(d, path, text, sizeof(text)) <= 0)
		return false;
	*ret = strtoll(text, &end, 10);
	return end != text;
}
