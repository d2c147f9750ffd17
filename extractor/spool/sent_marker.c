// SPDX-License-Identifier: GPL-2.0-or-later
#include "sent_marker.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TEMPORARY	".sent"

/* The lines of all targets.  What is too long is not read, and the capture is sent once more. */
static void read_marks(int dir, char *text, size_t size)
{
	int fd = openat(dir, SENT_FILE, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = 0;
}

static bool is_of(const char *line, const char *target)
{
	size_t n = strlen(target);

	return !strncmp(line, target, n) && line[n] == ' ';
}

static const char *next_marker_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

bool sent_marker_has(int dir, const char *target)
{
	struct manifest_weight now;
	char text[8192];
	const char *line;
	u64 sent_bytes;
	size_t sent_nr;

	if (manifest_weigh(&now, dir))
		return false;
	read_marks(dir, text, sizeof(text));
	for (line = text; *line; line = next_marker_line(line))
		if (is_of(line, target) &&
		    sscanf(line + strlen(target), " %*255s %zu %llu", &sent_nr, &sent_bytes) == 2)
			return (sent_nr == now.nr && sent_bytes == now.bytes) ||
			       (sent_nr == 1 && sent_bytes == now.region);
	return false;
}

/* All lines but that of @target, and then its new one. */
static int write_marks(int fd, const char *text, const char *target, const char *line)
{
	const char *next;

	for (; *text; text = next) {
		next = next_marker_line(text);
		if (!is_of(text, target) && write(fd, text, next - text) != next - text)
			return -1;
	}
	return write(fd, line, strlen(line)) == (ssize_t)strlen(line) ? fsync(fd) : -1;
}

int sent_marker_add(int dir, const char *target, const char *archive, const struct manifest *m,
	      struct err *err)
{
	char text[8192], line[5000], date[32];
	time_t now = time(NULL);
	struct tm tm;
	int fd, ret = 0;

	if (!gmtime_r(&now, &tm) || !strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm))
		strcpy(date, "-");
	snprintf(line, sizeof(line), "%s %s %zu %llu %s\n", target, archive, m->nr, manifest_bytes(m),
		 date);
	read_marks(dir, text, sizeof(text));
	unlinkat(dir, TEMPORARY, 0);
	fd = openat(dir, TEMPORARY, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_sys(err, SENT_FILE);
	if (write_marks(fd, text, target, line) ||
	    renameat(dir, TEMPORARY, dir, SENT_FILE) || fsync(dir))
		ret = err_sys(err, SENT_FILE);
	close(fd);
	return ret;
}
