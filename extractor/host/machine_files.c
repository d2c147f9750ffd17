// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CONFIG_SIZE	(64U << 10)

void machine_path(const char *root, char *buf, size_t size, const char *path)
{
	if ((size_t)snprintf(buf, size, "%s%s", root, path) >= size)
		buf[0] = '\0';
}

/* Files of /proc and /sys come in pieces. */
static ssize_t read_machine_file(int fd, char *buf, size_t size)
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

int machine_open(const char *root, const char *path)
{
	char whole[4096];
	int fd;

	machine_path(root, whole, sizeof(whole), path);
	fd = open(whole, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

ssize_t machine_read(const char *root, const char *path, char *buf, size_t size)
{
	ssize_t n;
	int fd;

	buf[0] = '\0';
	fd = machine_open(root, path);
	if (fd < 0)
		return fd;
	n = read_machine_file(fd, buf, size - 1);
	close(fd);
	if (n < 0)
		return n;
	if (n && buf[n - 1] == '\n')
		n--;
	buf[n] = '\0';
	return n;
}

char *machine_read_whole(const char *root, const char *path)
{
	size_t size = CONFIG_SIZE;
	char *text = NULL, *more;
	ssize_t n;

	do {
		size *= 2;
		more = realloc(text, size);
		n = more ? machine_read(root, path, more, size) : -ENOMEM;
		text = more ? more : text;
	} while (n >= (ssize_t)size - 2);
	if (n >= 0)
		return text;
	free(text);
	return NULL;
}

bool machine_exists(const char *root, const char *path)
{
	char whole[4096];

	machine_path(root, whole, sizeof(whole), path);
	return !access(whole, F_OK);
}

bool machine_has_any(const char *root, const char *const *paths)
{
	for (; *paths; paths++)
		if (machine_exists(root, *paths))
			return true;
	return false;
}

bool machine_number(const char *root, const char *path, s64 *ret)
{
	char text[64], *end;

	if (machine_read(root, path, text, sizeof(text)) <= 0)
		return false;
	*ret = strtoll(text, &end, 10);
	return end != text;
}

s64 machine_mtime(const char *root, const char *path)
{
	char whole[4096];
	struct stat st;

	machine_path(root, whole, sizeof(whole), path);
	return lstat(whole, &st) ? 0 : st.st_mtime;
}

s64 machine_birth(const char *root, const char *path)
{
	char whole[4096];
	struct statx st;

	machine_path(root, whole, sizeof(whole), path);
	if (statx(AT_FDCWD, whole, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &st) ||
	    !(st.stx_mask & STATX_BTIME))
		return 0;
	return st.stx_btime.tv_sec;
}

s64 machine_boot(const char *root)
{
	/* Of a machine with many CPUs and interrupts, a line is long. */
	char *text = machine_read_whole(root, "/proc/stat"), *at = text ? strstr(text, "\nbtime ") : NULL;
	s64 boot = 0;

	if (at)
		boot = strtoll(at + 7, NULL, 10);
	free(text);
	return boot;
}

void machine_on_panic(const char *root, char action[32])
{
	if (machine_read(root, MACHINE_ON_PANIC, action, 32) < 0)
		*action = '\0';
}

/* It becomes a part of paths. */
void machine_release(const char *root, char release[MACHINE_RELEASE])
{
	machine_read(root, "/proc/sys/kernel/osrelease", release, MACHINE_RELEASE);
	if (strchr(release, '/') || release[0] == '.')
		release[0] = '\0';
}

/* What stands between quotes, or else what stands before a comment. */
static void copy_setting_value(char *buf, size_t size, const char *value)
{
	size_t len = strcspn(value, "\n"), i;
	const char *end = *value == '"' || *value == '\'' ? memchr(value + 1, *value, len ? len - 1 : 0) : NULL;

	if (end) {
		value++;
		len = end - value;
	} else {
		for (i = 1; i < len; i++)
			if (value[i] == '#' && (value[i - 1] == ' ' || value[i - 1] == '\t'))
				len = i;
		while (len && (value[len - 1] == ' ' || value[len - 1] == '\t'))
			len--;
	}
	snprintf(buf, size, "%.*s", (int)len, value);
}

bool machine_setting(const char *root, const char *path, const char *key, char *buf,
		     size_t size)
{
	char *text = malloc(CONFIG_SIZE);
	bool found = false;
	const char *p;

	if (!text || machine_read(root, path, text, CONFIG_SIZE) <= 0) {
		free(text);
		return false;
	}
	for (p = text; p; p = (p = strchr(p, '\n')) ? p + 1 : NULL) {
		p += strspn(p, " \t");
		if (strncmp(p, key, strlen(key)))
			continue;
		copy_setting_value(buf, size, p + strlen(key));
		found = true;
	}
	free(text);
	return found;
}

bool machine_is_x86(const char *root)
{
	struct utsname name;
	char arch[16] = "";

	if (machine_read(root, "/proc/sys/kernel/arch", arch, sizeof(arch)) <= 0 && !uname(&name))
		snprintf(arch, sizeof(arch), "%.15s", name.machine);
	return !strcmp(arch, "x86_64") || !strcmp(arch, "i686");
}

bool machine_each(const char *root, const char *path,
		  bool (*each)(const char *name, void *arg), void *arg)
{
	char whole[4096];
	struct dirent *entry;
	bool enough = false;
	DIR *dir;

	machine_path(root, whole, sizeof(whole), path);
	dir = opendir(whole);
	if (!dir)
		return false;
	while (!enough && (entry = readdir(dir)))
		enough = entry->d_name[0] != '.' && each(entry->d_name, arg);
	closedir(dir);
	return enough;
}
