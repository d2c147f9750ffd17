// SPDX-License-Identifier: GPL-2.0-or-later
#include "kdump_dir.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/types.h"
#include "machine_files.h"

#define DEBIAN		"/etc/default/kdump-tools"
#define RED_HAT		"/etc/kdump.conf"
#define SUSE		"/etc/sysconfig/kdump"
#define DIR		"/var/crash"
#define MAX_FILE	65536

/* One line of the mounts. */
struct mount_line {
	char source[KDUMP_DIR];
	char dir[KDUMP_DIR];
	char type[32];
};

/* "\040" is a blank. */
static void undo_octal(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (text[0] == '\\' && strspn(text + 1, "01234567") >= 3) {
			*to++ = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = 0;
}

/* Of "UUID=X" and the like; links are followed where they lead to. */
static void put_device(const char *root, char to[PATH_MAX], const char *source)
{
	static const char *const tags[] = { "UUID", "LABEL", "PARTUUID", "PARTLABEL" };
	static const char *const links[] = { "by-uuid", "by-label", "by-partuuid", "by-partlabel" };
	char path[KDUMP_DIR + 32], whole[4096];
	size_t i, n;

	snprintf(path, sizeof(path), "%s", source);
	for (i = 0; i < ARRAY_SIZE(tags); i++) {
		n = strlen(tags[i]);
		if (strncmp(source, tags[i], n) || source[n] != '=')
			continue;
		n += 1 + strspn(source + n + 1, "\"");
		snprintf(path, sizeof(path), "/dev/disk/%s/%.*s", links[i], (int)strcspn(source + n, "\""), source + n);
	}
	machine_path(root, whole, sizeof(whole), path);
	if (*path != '/' || !realpath(whole, to))
		snprintf(to, PATH_MAX, "%s", path);
}

static bool is_same_source(const char *root, const char *a, const char *b)
{
	char x[PATH_MAX], y[PATH_MAX];

	put_device(root, x, a);
	put_device(root, y, b);
	return !strcmp(x, y);
}

/* Where @source is mounted. */
static bool find_mount(const char *root, const char *source, struct mount_line *m)
{
	char *text = machine_read_whole(root, "/proc/self/mounts"), *at = text, *line;
	bool found = false;

	while (!found && (line = strsep(&at, "\n"))) {
		if (sscanf(line, " %255s %255s %31s", m->source, m->dir, m->type) != 3)
			continue;
		undo_octal(m->source);
		undo_octal(m->dir);
		found = *m->dir == '/' && is_same_source(root, m->source, source);
	}
	free(text);
	return found;
}

/* Other machines save there, too: kdump-hooks/rhel/pre.d has a directory for each, whose name is the image's. */
static bool is_share(const char *type)
{
	static const char *const types[] = { "nfs", "cifs", "smb3", "virtiofs", "9p", "ceph", "fuse" };

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strncmp(type, types[i], strlen(types[i])))
			return true;
	return false;
}

/* A word of kdump.conf, and what is behind it without quotes and comment; false: there is none. */
static bool split_line(char *line, char **ret_option, char **ret_value)
{
	char *end;

	line += strspn(line, " \t");
	line[strcspn(line, "#")] = 0;
	*ret_option = line;
	line += strcspn(line, " \t");
	if (!*line)
		return false;
	*line++ = 0;
	line += strspn(line, " \t");
	for (end = line + strlen(line); end > line && strchr(" \t\r", end[-1]); end--)
		;
	*end = 0;
	if (end > line + 1 && *line == '"' && end[-1] == '"') {
		end[-1] = 0;
		line++;
	}
	*ret_value = line;
	return true;
}

/* --mount "DEVICE DIRECTORY TYPE" */
static void take_dracut_args(const char *value, char target[KDUMP_DIR])
{
	const char *at = strstr(value, "--mount");

	if (!at)
		return;
	at += strlen("--mount");
	at += strspn(at, "= \"'\\");
	snprintf(target, KDUMP_DIR, "%.*s", (int)strcspn(at, " \""), at);
}

static enum kdump_place read_red_hat(const char *root, char dir[KDUMP_DIR], char target[KDUMP_DIR])
{
	static const char *const file_systems[] = { "ext2", "ext3", "ext4", "xfs", "btrfs", "minix" };
	char *text = malloc(MAX_FILE), *at = text, *line, *option, *value;
	char path[KDUMP_DIR] = DIR;
	struct mount_line mount;
	bool is_elsewhere = false;
	size_t i;

	if (!text || machine_read(root, RED_HAT, text, MAX_FILE) <= 0)
		at = NULL;
	while (at && (line = strsep(&at, "\n"))) {
		if (!split_line(line, &option, &value))
			continue;
		if (!strcmp(option, "path"))
			snprintf(path, sizeof(path), "%s", value);
		else if (!strcmp(option, "dracut_args"))
			take_dracut_args(value, target);
		else if (!strcmp(option, "ssh") || !strcmp(option, "raw") || is_share(option)) {
			snprintf(target, KDUMP_DIR, "%s %.200s", option, value);
			is_elsewhere = true;
		}
		for (i = 0; i < ARRAY_SIZE(file_systems); i++)
			if (!strcmp(option, file_systems[i]))
				snprintf(target, KDUMP_DIR, "%s", value);
	}
	free(text);
	if (is_elsewhere)
		return KDUMP_ELSEWHERE;
	if (!*target) {
		snprintf(dir, KDUMP_DIR, "%s", path);
		return KDUMP_HERE;
	}
	if (!find_mount(root, target, &mount))
		return KDUMP_NOT_MOUNTED;
	if (is_share(mount.type))
		return KDUMP_ELSEWHERE;
	snprintf(dir, KDUMP_DIR, "%.120s/%.120s", strcmp(mount.dir, "/") ? mount.dir : "", path + strspn(path, "/"));
	return KDUMP_HERE;
}

/* "file:///var/crash", or the path alone. */
static enum kdump_place read_suse(const char *root, char dir[KDUMP_DIR], char target[KDUMP_DIR])
{
	char url[KDUMP_DIR];
	const char *path = url;

	if (!machine_setting(root, SUSE, "KDUMP_SAVEDIR=", url, sizeof(url)) || !*url)
		return KDUMP_HERE;
	if (!strncmp(url, "file:", 5))
		path += 5;
	if (*path != '/') {
		memcpy(target, url, KDUMP_DIR);
		return KDUMP_ELSEWHERE;
	}
	/* A host stands between two slashes and the third; a file has none. */
	path += strspn(path, "/") - 1;
	snprintf(dir, KDUMP_DIR, "%s", path);
	return KDUMP_HERE;
}

enum kdump_place kdump_dir(const char *root, char dir[KDUMP_DIR], char target[KDUMP_DIR])
{
	char ignored[KDUMP_DIR];

	if (!target)
		target = ignored;
	*target = 0;
	strcpy(dir, DIR);
	if (machine_setting(root, DEBIAN, "KDUMP_COREDIR=", ignored, KDUMP_DIR) && *ignored) {
		snprintf(dir, KDUMP_DIR, "%s", ignored);
		*target = 0;
		return KDUMP_HERE;
	}
	*target = 0;
	if (machine_exists(root, DEBIAN))
		return KDUMP_HERE;
	return machine_exists(root, RED_HAT) ? read_red_hat(root, dir, target) : read_suse(root, dir, target);
}
