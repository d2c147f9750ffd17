// SPDX-License-Identifier: GPL-2.0-or-later
#include "manifest.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "side_files.h"

/* An archive has them in this order. */
static const char *const names[MANIFEST_FILES] = {
	SAVED_REGION, "summary.txt", SAVED_WHY, "mce.txt", "dmesg.txt",
};

static bool is_plain_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '_' || c == '-';
}

#define HOST_CHARS	64
#define GUEST_CHARS	60
#define UUID_CHARS	36
_Static_assert(HOST_CHARS + GUEST_CHARS + UUID_CHARS + 3 == MANIFEST_HOST, "with two points and the zero");

void manifest_set_host(struct manifest *m, const char *wanted)
{
	size_t i;

	*m->host = 0;
	if (wanted)
		snprintf(m->host, HOST_CHARS + 1, "%s", wanted);
	else if (gethostname(m->host, HOST_CHARS))
		*m->host = 0;
	m->host[HOST_CHARS] = 0;
	if (!*m->host)
		strcpy(m->host, "unknown");
	for (i = 0; m->host[i]; i++)
		if (!is_plain_char(m->host[i]) || (!i && m->host[i] == '.'))
			m->host[i] = '_';
}

/* ".VALUE" of the line "KEY: VALUE", with "_" for what is not allowed. */
static void add_word(struct manifest *m, const char *text, const char *key, size_t most)
{
	const char *at = strstr(text, key);
	size_t n = strlen(m->host), i;

	if (!at)
		return;
	at += strlen(key);
	m->host[n++] = '.';
	for (i = 0; i < most && at[i] && at[i] != '\n'; i++)
		m->host[n++] = is_plain_char(at[i]) ? at[i] : '_';
	m->host[n] = 0;
}

void manifest_add_guest(struct manifest *m, int dir)
{
	char text[1024];
	int fd = manifest_open_file(dir, SAVED_QMP);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return;
	text[n] = 0;
	m->host[strnlen(m->host, HOST_CHARS)] = 0;
	add_word(m, text, "guest: ", GUEST_CHARS);
	if (!strstr(text, "\nuuid: none\n"))
		add_word(m, text, "\nuuid: ", UUID_CHARS);
}

/* Not through a link, and without waiting for a FIFO. */
int manifest_open_file(int dir, const char *name)
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

int manifest_of_dir(struct manifest *m, int dir, bool region_only, struct err *err)
{
	size_t i, nr = region_only ? 1 : MANIFEST_FILES;
	int ret = 0, fd;

	m->nr = 0;
	for (i = 0; i < nr && !ret; i++) {
		fd = manifest_open_file(dir, names[i]);
		if (fd < 0)
			continue;
		ret = add_file(m, fd, names[i], err);
		close(fd);
	}
	if (!ret && (!m->nr || m->files[0].name != names[0]))
		ret = err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "no " SAVED_REGION " in it");
	return ret;
}

int manifest_weigh(struct manifest_weight *weight, int dir)
{
	struct stat st;
	size_t i;

	memset(weight, 0, sizeof(*weight));
	for (i = 0; i < MANIFEST_FILES; i++) {
		if (fstatat(dir, names[i], &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode)) {
			if (!i)
				return -ERR_NOT_OURS;
			continue;
		}
		weight->nr++;
		weight->bytes += st.st_size;
		if (!i)
			weight->region = st.st_size;
	}
	return 0;
}

u64 manifest_bytes(const struct manifest *m)
{
	u64 sum = 0;
	size_t i;

	for (i = 0; i < m->nr; i++)
		sum += m->files[i].size;
	return sum;
}
