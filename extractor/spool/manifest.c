// SPDX-License-Identifier: GPL-2.0-or-later
#include "manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "saved_text.h"

#define CAPTURED	"epitaph-"	/* in front of a boot's name in a directory of others' dumps */

/* In this order, on the wire as well. */
static const char *const names[MANIFEST_FILES] = {
	SAVED_REGION, "vmcore-trace.txt", "vmcore-mce.txt", "vmcore-trace.jsonl",
	"trace.txt", "mce.txt", "dmesg.txt",
};

static bool is_plain_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '_' || c == '-';
}

bool manifest_is_plain(const char *text, size_t size)
{
	size_t i;

	if (!*text || *text == '.')
		return false;
	for (i = 0; text[i]; i++)
		if (i + 1 >= size || !is_plain_char(text[i]))
			return false;
	return true;
}

void manifest_set_host(struct manifest *m, const char *wanted)
{
	size_t i;

	*m->host = 0;
	if (wanted)
		snprintf(m->host, sizeof(m->host), "%s", wanted);
	else if (gethostname(m->host, sizeof(m->host) - 1))
		*m->host = 0;
	m->host[sizeof(m->host) - 1] = 0;
	if (!*m->host)
		strcpy(m->host, "unknown");
	for (i = 0; m->host[i]; i++)
		if (!is_plain_char(m->host[i]) || (!i && m->host[i] == '.'))
			m->host[i] = '_';
}

static int set_name(struct manifest *m, const char *path, struct err *err)
{
	size_t end = strlen(path), start;

	while (end > 1 && path[end - 1] == '/')
		end--;
	for (start = end; start && path[start - 1] != '/'; start--)
		;
	if (end - start > strlen(CAPTURED) && !strncmp(path + start, CAPTURED, strlen(CAPTURED)))
		start += strlen(CAPTURED);
	snprintf(m->name, sizeof(m->name), "%.*s", (int)(end - start), path + start);
	if (end - start >= sizeof(m->name) || !manifest_is_plain(m->name, sizeof(m->name)))
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "%s: a trace is sent under the name of its directory, and this one has other characters than letters, digits, ., _, - or more than %d",
			       path, MANIFEST_NAME - 1);
	return 0;
}

/* Not through a link, and whatever it is, without waiting. */
static int open_file(int dir, const char *name)
{
	return openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

static int add_file(struct manifest *m, int fd, const char *name, struct err *err)
{
	struct manifest_file *file = &m->files[m->nr];
	struct stat st;
	int ret;

	if (fstat(fd, &st))
		return err_sys(err, "%s", name);
	if (!S_ISREG(st.st_mode))
		return 0;
	file->name = name;
	ret = digest_file(file->sum, fd, &file->size, err);
	m->nr += !ret;
	return ret ? err_while(err, "%s", name) : 0;
}

int manifest_of_dir(struct manifest *m, int dir, const char *path, bool region_only,
		    struct err *err)
{
	size_t i, nr = region_only ? 1 : MANIFEST_FILES;
	int ret = set_name(m, path, err);
	int fd;

	m->nr = 0;
	for (i = 0; i < nr && !ret; i++) {
		fd = open_file(dir, names[i]);
		if (fd < 0)
			continue;
		ret = add_file(m, fd, names[i], err);
		close(fd);
	}
	if (!ret && (!m->nr || m->files[0].name != names[0]))
		ret = err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "no " SAVED_REGION " in it");
	return ret;
}

int manifest_weigh(int dir, size_t *ret_nr, u64 *ret_bytes)
{
	struct stat st;
	size_t i;

	*ret_nr = 0;
	*ret_bytes = 0;
	for (i = 0; i < MANIFEST_FILES; i++) {
		if (fstatat(dir, names[i], &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode)) {
			if (!i)
				return -ERR_NOT_OURS;
			continue;
		}
		(*ret_nr)++;
		*ret_bytes += st.st_size;
	}
	return 0;
}

typedef int (*sink_fn)(void *arg, const void *data, size_t size, struct err *err);

static int feed_file(const struct manifest_file *file, int fd, sink_fn sink, void *arg,
		     struct err *err)
{
	static u8 buf[65536];
	u64 off = 0, left;
	ssize_t n;
	int ret = 0;

	while (!ret && (left = file->size - off)) {
		n = pread(fd, buf, left < sizeof(buf) ? left : sizeof(buf), off);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, "%s", file->name);
		if (!n)
			return err_set(err, ERR_IO, ERR_NO_OFF, "%s has become shorter", file->name);
		ret = sink(arg, buf, n, err);
		off += n;
	}
	return ret;
}

int manifest_feed(const struct manifest *m, int dir, sink_fn sink, void *arg, struct err *err)
{
	size_t i;
	int ret = 0, fd;

	for (i = 0; i < m->nr && !ret; i++) {
		fd = open_file(dir, m->files[i].name);
		if (fd < 0)
			return err_sys(err, "%s", m->files[i].name);
		ret = feed_file(&m->files[i], fd, sink, arg, err);
		close(fd);
	}
	return ret;
}

u64 manifest_bytes(const struct manifest *m)
{
	u64 sum = 0;
	size_t i;

	for (i = 0; i < m->nr; i++)
		sum += m->files[i].size;
	return sum;
}

/* Its place in the list; MANIFEST_FILES: it is none. */
static size_t place_of(const char *name)
{
	size_t i;

	for (i = 0; i < MANIFEST_FILES && strcmp(names[i], name); i++)
		;
	return i;
}

int manifest_add(struct manifest *m, const char *name, u64 size, const char *sum,
		 struct err *err)
{
	struct manifest_file *file = &m->files[m->nr];
	size_t place = place_of(name);

	if (place == MANIFEST_FILES)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "no file of a trace is called %s", name);
	if (m->nr ? place <= place_of(m->files[m->nr - 1].name) : place)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "%s is not in its place", name);
	if (!digest_is_text(sum) || size > (u64)1 << 60)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "%s: no such size or sum", name);
	file->name = names[place];
	file->size = size;
	strcpy(file->sum, sum);
	m->nr++;
	return 0;
}

int manifest_add_generation(struct manifest *m, const char *digest, struct err *err)
{
	if (m->nr_generations == MANIFEST_GENERATIONS || !digest_is_text(digest))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "no generation, or too many: %s", digest);
	strcpy(m->generations[m->nr_generations++], digest);
	return 0;
}

void manifest_sums(const struct manifest *m, char text[MANIFEST_TEXT])
{
	size_t i, n = 0;

	*text = 0;
	for (i = 0; i < m->nr; i++)
		n += snprintf(text + n, MANIFEST_TEXT - n, "%s  %s\n", m->files[i].sum,
			      m->files[i].name);
}

void manifest_digest(const struct manifest *m, char ret[DIGEST_TEXT])
{
	char text[MANIFEST_TEXT];

	manifest_sums(m, text);
	digest_text(ret, text, strlen(text));
}
