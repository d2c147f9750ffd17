// SPDX-License-Identifier: GPL-2.0-or-later
#include "depot_known.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "depot.h"

/**
 * struct search - for the generations of @m
 * @found: which of them some trace has
 * @name: of the one that has the newest
 */
struct search {
	const struct manifest *m;
	bool found[MANIFEST_GENERATIONS];
	char *name;
};

static ssize_t read_known(int dir, char text[DEPOT_KNOWN_TEXT])
{
	int fd = openat(dir, DEPOT_KNOWN, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, DEPOT_KNOWN_TEXT - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = 0;
	return n;
}

/* Has it any that was not found yet?  Digests are of one length, so none is found across lines. */
static bool look_into(struct search *s, int dir, const char *name)
{
	char text[DEPOT_KNOWN_TEXT];
	bool has = false;
	size_t i;

	if (read_known(dir, text) <= 0)
		return false;
	for (i = 0; i < s->m->nr_generations; i++) {
		if (s->found[i] || !strstr(text, s->m->generations[i]))
			continue;
		s->found[i] = has = true;
		if (i == s->m->nr_generations - 1)
			snprintf(s->name, MANIFEST_PLACE, "%s", name);
	}
	return has;
}

static int look_at(struct search *s, int host, const char *name, struct err *err)
{
	int dir, ret = 0;

	/* With a dot first: under way. */
	if (!manifest_is_plain(name, MANIFEST_PLACE))
		return 0;
	dir = openat(host, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0)
		return 0;
	if (look_into(s, dir, name) && (fsync(dir) || fsync(host)))
		ret = err_sys(err, "%s: fsync", name);
	close(dir);
	return ret;
}

static bool has_all(const struct search *s)
{
	size_t i;

	for (i = 0; i < s->m->nr_generations && s->found[i]; i++)
		;
	return i && i == s->m->nr_generations;
}

int depot_known(int host, const struct manifest *m, char name[MANIFEST_PLACE], struct err *err)
{
	struct search s = { .m = m, .name = name };
	struct dirent *entry;
	int fd, ret = 0;
	DIR *list;

	if (!m->nr_generations)
		return 0;
	*name = 0;
	fd = openat(host, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	list = fd < 0 ? NULL : fdopendir(fd);
	if (!list) {
		ret = err_sys(err, "cannot list");
		if (fd >= 0)
			close(fd);
		return ret;
	}
	while (!ret && !has_all(&s) && (entry = readdir(list)))
		ret = look_at(&s, host, entry->d_name, err);
	closedir(list);
	return ret ? ret : has_all(&s) ? DEPOSIT_WITHIN : 0;
}

void depot_known_text(const struct manifest *m, char text[DEPOT_KNOWN_TEXT])
{
	size_t i, n = 0;

	for (i = 0; i < m->nr_generations; i++)
		n += snprintf(text + n, DEPOT_KNOWN_TEXT - n, "%s\n", m->generations[i]);
}
