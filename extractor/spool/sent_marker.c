// SPDX-License-Identifier: GPL-2.0-or-later
#include "sent_marker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "side_files.h"

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

static int write_sent_text(int fd, const char *text, size_t size)
{
	ssize_t n = write(fd, text, size);

	/* Some of it: the next byte would have had no room. */
	if (n >= 0 && (size_t)n < size)
		errno = ENOSPC;
	return n == (ssize_t)size ? 0 : -1;
}

/* All lines but that of @target, and then its new one. */
static int write_marks(int fd, const char *text, const char *target, const char *line)
{
	const char *next;

	for (; *text; text = next) {
		next = next_marker_line(text);
		if (!is_of(text, target) && write_sent_text(fd, text, next - text))
			return -1;
	}
	return write_sent_text(fd, line, strlen(line)) ? -1 : fsync(fd);
}

static int add_sent_line(int dir, const char *target, const char *line, struct err *err)
{
	char text[8192];
	int fd, ret = 0;

	read_marks(dir, text, sizeof(text));
	unlinkat(dir, TEMPORARY, 0);
	fd = openat(dir, TEMPORARY, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_sys(err, SENT_FILE);
	if (write_marks(fd, text, target, line) ||
	    renameat(dir, TEMPORARY, dir, SENT_FILE) || fsync(dir)) {
		ret = err_sys(err, SENT_FILE);
		unlinkat(dir, TEMPORARY, 0);
	}
	close(fd);
	return ret;
}

int sent_marker_add(int dir, const char *target, const char *archive, const struct manifest *m,
	      struct err *err)
{
	static const char *const made_again[] = { "summary.txt", "mce.txt", SAVED_WHY };
	char line[5000], date[32];
	time_t now = time(NULL);
	struct tm tm;
	size_t i;
	int ret;

	if (!gmtime_r(&now, &tm) || !strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm))
		strcpy(date, "-");
	snprintf(line, sizeof(line), "%s %s %zu %llu %s\n", target, archive, m->nr, manifest_bytes(m),
		 date);
	ret = add_sent_line(dir, target, line, err);
	/* Only what is marked may make room. The region alone is enough. */
	for (i = 0; ret && (err->errnum == ENOSPC || err->errnum == EDQUOT) && i < ARRAY_SIZE(made_again); i++) {
		if (unlinkat(dir, made_again[i], 0))
			continue;
		snprintf(line, sizeof(line), "%s %s 1 %llu %s\n", target, archive, m->files[0].size, date);
		*err = (struct err)ERR_INIT;
		ret = add_sent_line(dir, target, line, err);
	}
	return ret;
}
