// SPDX-License-Identifier: GPL-2.0-or-later
#include "conf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Terminates the line at @line, without the blanks around it. Return: the next line. */
static char *cut_line(char **line)
{
	char *end;
	size_t n;

	*line += strspn(*line, " \t");
	end = *line + strcspn(*line, "\n");
	if (*end)
		*end++ = 0;
	for (n = strlen(*line); n && strchr(" \t\r", (*line)[n - 1]); n--)
		(*line)[n - 1] = 0;
	return end;
}

static ssize_t read_conf(const char *path, bool must_be, char *room, size_t size, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0 && errno == ENOENT && !must_be)
		return 0;
	if (fd < 0)
		return err_sys(err, "%s", path);
	n = read(fd, room, size);
	if (n < 0)
		err_sys(err, "%s", path);
	close(fd);
	if (n == (ssize_t)size)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: %zu bytes or more", path, size);
	return n < 0 ? -ERR_IO : n;
}

int conf_file_read(const char *path, bool must_be, char *room, size_t size,
		   const char *(*take)(void *arg, const char *name, char *value), void *arg,
		   struct err *err)
{
	ssize_t n = read_conf(path, must_be, room, size, err);
	const char *wrong = NULL;
	char *line = room, *next, *value;
	unsigned int nr;

	if (n < 0)
		return n;
	room[n] = 0;
	for (nr = 1; *line && !wrong; line = next, nr++) {
		next = cut_line(&line);
		if (!*line || *line == '#')
			continue;
		value = strchr(line, '=');
		if (value) {
			*value++ = 0;
			n = strlen(value);
			if (n >= 2 && strchr("\"'", *value) && value[n - 1] == *value) {
				value[n - 1] = 0;
				value++;
			}
		}
		wrong = value ? take(arg, line, value) : SETTINGS_UNKNOWN;
		if (wrong)
			err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: line %u: %s: %s", path, nr, wrong, line);
	}
	return wrong ? -ERR_USAGE : 0;
}

bool conf_file_size(const char *text, u64 *ret)
{
	static const char units[] = "KMGT";
	size_t n = strspn(text, "0123456789");
	const char *unit = text[n] ? strchr(units, text[n]) : NULL;
	unsigned int shift = unit ? 10 * (unit - units + 1) : 0;
	char digits[16];
	u64 number;

	if (!n || n >= sizeof(digits) || (text[n] && (!unit || text[n + 1])))
		return false;
	snprintf(digits, sizeof(digits), "%.*s", (int)n, text);
	number = strtoull(digits, NULL, 10);
	if (number >= 1ULL << (60 - shift))
		return false;
	*ret = number << shift;
	return true;
}
