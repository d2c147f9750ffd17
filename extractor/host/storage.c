// SPDX-License-Identifier: GPL-2.0-or-later
#include "storage.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MAX_DEPTH	8	/* LVM on LUKS on RAID ... */

/* A device: @path is its directory in sysfs. */
struct block_device {
	struct storage *storage;
	const char *root;
	const char *path;
	unsigned int depth;
};

static void look_below(struct block_device *device);

static bool look_at_slave(const char *name, void *arg)
{
	const struct block_device *above = arg;
	char path[PATH_MAX];
	struct block_device below = { above->storage, above->root, path, above->depth + 1 };

	if (snprintf(path, sizeof(path), "%s/slaves/%s", above->path, name) < (int)sizeof(path))
		look_below(&below);
	return false;
}

/* dm names its devices KIND-UUID-NAME: CRYPT-LUKS2-... by cryptsetup, LVM-..., RAID- by dmraid. */
static void look_below(struct block_device *device)
{
	char file[PATH_MAX], uuid[256];

	if (device->depth > MAX_DEPTH ||
	    snprintf(file, sizeof(file), "%s/dm/uuid", device->path) >= (int)sizeof(file))
		return;
	if (machine_read(device->root, file, uuid, sizeof(uuid)) > 0) {
		device->storage->is_encrypted |= !strncmp(uuid, "CRYPT-", 6);
		device->storage->is_volume |= !strncmp(uuid, "LVM-", 4);
		device->storage->is_raid |= !strncmp(uuid, "RAID-", 5) || !strncmp(uuid, "DMRAID-", 7);
	}
	snprintf(file, sizeof(file), "%.*s/md", PATH_MAX - 8, device->path);
	device->storage->is_raid |= machine_exists(device->root, file);
	snprintf(file, sizeof(file), "%.*s/slaves", PATH_MAX - 8, device->path);
	machine_each(device->root, file, look_at_slave, device);
}

/* A file system's UUID is a link to its device. */
struct uuid_search {
	struct storage *storage;
	const char *root;
	const char *name;
};

static bool is_link_to_device(const char *uuid, void *arg)
{
	const struct uuid_search *search = arg;
	char path[PATH_MAX], whole[PATH_MAX], target[256];
	const char *slash;
	ssize_t n;

	snprintf(path, sizeof(path), "/dev/disk/by-uuid/%s", uuid);
	machine_path(search->root, whole, sizeof(whole), path);
	n = readlink(whole, target, sizeof(target) - 1);
	if (n < 0)
		return false;
	target[n] = 0;
	slash = strrchr(target, '/');
	if (strcmp(slash ? slash + 1 : target, search->name))
		return false;
	snprintf(search->storage->uuid, sizeof(search->storage->uuid), "%s", uuid);
	return true;
}

static void find_uuid(struct storage *s, const char *root, const char *device)
{
	struct uuid_search search = { s, root, NULL };
	char path[PATH_MAX], uevent[2048], *name;

	snprintf(path, sizeof(path), "%s/uevent", device);
	if (machine_read(root, path, uevent, sizeof(uevent)) <= 0)
		return;
	name = strstr(uevent, "DEVNAME=");
	if (!name)
		return;
	name += strlen("DEVNAME=");
	name[strcspn(name, "\n")] = 0;
	search.name = name;
	machine_each(root, "/dev/disk/by-uuid", is_link_to_device, &search);
}

void storage_unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text == '\\' && text[1] && text[2] && text[3]) {
			*to++ = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = 0;
}

static bool is_below(const char *path, const char *mount)
{
	size_t n = strlen(mount);

	return !strcmp(mount, "/") || (!strncmp(path, mount, n) && (!path[n] || path[n] == '/'));
}

static bool has_option(const char *options, const char *option)
{
	size_t n = strlen(option);

	for (; options; options = strchr(options, ',')) {
		options += *options == ',';
		if (!strncmp(options, option, n) && (!options[n] || options[n] == ','))
			return true;
	}
	return false;
}

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(word, *list))
			return true;
	return false;
}

/* By the last part of @path, which may be that of a link's target. */
static bool find_in_sysfs(const char *root, const char *path, unsigned int *major, unsigned int *minor)
{
	const char *slash = strrchr(path, '/');
	char file[PATH_MAX], numbers[32];

	snprintf(file, sizeof(file), "/sys/class/block/%.255s/dev", slash ? slash + 1 : "");
	return machine_read(root, file, numbers, sizeof(numbers)) > 0 && sscanf(numbers, "%u:%u", major, minor) == 2;
}

/* Of btrfs, ZFS, overlays the device is an anonymous one: what the source is, if that is a device. */
static bool find_source_device(const char *root, const char *source, unsigned int *major, unsigned int *minor)
{
	char path[PATH_MAX];
	struct stat st;

	/* A unit may have no /dev. */
	if (find_in_sysfs(root, source, major, minor))
		return *major != 0;
	machine_path(root, path, sizeof(path), source);
	if (*source != '/' || stat(path, &st) || !S_ISBLK(st.st_mode))
		return false;
	*major = major(st.st_rdev);
	*minor = minor(st.st_rdev);
	return *major != 0;
}

/* proc(5): id, parent, major:minor, root, mount point, options, optional fields - type, source, options */
static bool take_mount(struct storage *s, const char *line, const char *path, unsigned int *major,
		      unsigned int *minor, char source[1024])
{
	char mount[sizeof(s->mount)], options[512] = "", type[sizeof(s->type)], from[1024], part[1024];
	const char *behind = strstr(line, " - ");

	/* Of the file system, not of the mount: a unit that systemd confines has all mounts read-only. */
	if (!behind || sscanf(line, "%*d %*d %u:%u %1023s %1023s", major, minor, part, mount) != 4 ||
	    sscanf(behind, " - %31s %1023s %511s", type, from, options) < 2)
		return false;
	storage_unescape(mount);
	if (!is_below(path, mount) || strlen(mount) < strlen(s->mount))
		return false;
	snprintf(s->mount, sizeof(s->mount), "%s", mount);
	snprintf(s->type, sizeof(s->type), "%s", type);
	storage_unescape(from);
	snprintf(source, 1024, "%s", from);
	s->is_part = strcmp(part, "/") != 0;
	s->is_read_only = has_option(options, "ro");
	return true;
}

bool storage_find(struct storage *s, const char *root, const char *path)
{
	static const char *const remote[] = { "nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "virtiofs", NULL };
	static const char *const memory[] = { "tmpfs", "ramfs", "rootfs", NULL };
	/* Of a host of containers it is long. */
	char *text = machine_read_whole(root, "/proc/self/mountinfo"), *next = text, *line;
	unsigned int major, minor, dev_major = 0, dev_minor = 0;
	char device[64], source[1024] = "";
	struct block_device top = { s, root, device, 0 };

	*s = (struct storage){ 0 };
	while ((line = strsep(&next, "\n")))
		if (take_mount(s, line, path, &major, &minor, source)) {
			dev_major = major;
			dev_minor = minor;
		}
	free(text);
	if (!*s->mount)
		return false;
	snprintf(s->path_in, sizeof(s->path_in), "%.1000s", strcmp(s->mount, "/") ? path + strlen(s->mount) : path);
	if (!*s->path_in)
		strcpy(s->path_in, "/");
	s->is_remote = is_one_of(s->type, remote);
	s->is_memory = is_one_of(s->type, memory);
	if (!dev_major && !s->is_remote && !s->is_memory)
		s->is_unknown = !find_source_device(root, source, &dev_major, &dev_minor);
	if (dev_major) {
		snprintf(device, sizeof(device), "/sys/dev/block/%u:%u", dev_major, dev_minor);
		look_below(&top);
		find_uuid(s, root, device);
	}
	return true;
}

bool storage_of_device(struct storage *s, const char *root, const char *path)
{
	char whole[PATH_MAX], target[PATH_MAX], device[64];
	struct block_device top = { s, root, device, 0 };
	unsigned int major, minor;
	struct stat st;

	*s = (struct storage){ .type = "device" };
	machine_path(root, whole, sizeof(whole), path);
	if (stat(whole, &st))
		return false;
	if (S_ISBLK(st.st_mode)) {
		major = major(st.st_rdev);
		minor = minor(st.st_rdev);
	} else if (!*root || !realpath(whole, target) || !find_in_sysfs(root, target, &major, &minor)) {
		return false;
	}
	snprintf(device, sizeof(device), "/sys/dev/block/%u:%u", major, minor);
	look_below(&top);
	return true;
}

void storage_words(const struct storage *s, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s%s%s%s%s%s", s->type, s->is_volume ? " on LVM" : "", s->is_raid ? " on RAID" : "",
		 s->is_encrypted ? " on an encrypted disk" : "", s->is_unknown ? " on what is not known" : "", s->is_remote ? " of another machine" : "",
		 s->is_read_only ? ", read-only" : "");
}
