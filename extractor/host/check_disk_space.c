// SPDX-License-Identifier: GPL-2.0-or-later
/* Can what is left be written to disk, by the capture kernel and by the next boot? */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "doctor.h"

#define STORE		"/var/lib/epitaph"
#define KDUMP_TOOLS	"/etc/default/kdump-tools"

/*
 * Regions that a saved trace may be as large as: a full generation, half of one, has a text
 * of 3.5 times its size, and JSON lines of 7.5 times.
 */
#define HARVEST_SIZE	3
#define CAPTURE_SIZE	7

/* The file system where @path is, or will be made. */
static bool stat_file_system(const struct doctor *d, const char *path, struct statvfs *vfs)
{
	char whole[4096], *slash;

	machine_path(d->root, whole, sizeof(whole), path);
	while (statvfs(whole, vfs)) {
		slash = strrchr(whole, '/');
		if (errno != ENOENT || !slash || slash == whole)
			return !statvfs("/", vfs);
		*slash = '\0';
	}
	return true;
}

/* @size: regions.  false: it will not do, and that is told. */
static bool check_free_space(struct doctor *d, const char *check, const char *path, u64 size,
			struct statvfs *vfs)
{
	u64 room;

	if (!stat_file_system(d, path, vfs))
		return false;
	room = (u64)vfs->f_bavail * vfs->f_frsize;
	if (vfs->f_flag & ST_RDONLY)
		doctor_say(d, check, DOCTOR_FAILURE,
			   "mount -o remount,rw, and see in dmesg why it is not",
			   "the file system of %s cannot be written to", path);
	else if (vfs->f_files && !vfs->f_favail)
		doctor_say(d, check, DOCTOR_FAILURE, "remove files there",
			   "the file system of %s has no inode left", path);
	else if (room < d->region_size)
		doctor_say(d, check, DOCTOR_FAILURE, "make room there",
			   "%llu KiB are free for %s, and the region has %llu KiB: it could not be saved",
			   room >> 10, path, d->region_size >> 10);
	else if (room / size < d->region_size)
		doctor_say(d, check, DOCTOR_WARNING, "make room there",
			   "%llu KiB are free for %s: enough for the region, and with its texts it may be %llu KiB",
			   room >> 10, path, size * d->region_size >> 10);
	else
		return true;
	return false;
}

/* KiB of the line, or 0. */
static u64 meminfo(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

/* What makedumpfile -d 31 leaves in, before it is compressed; bytes. */
static u64 guess_vmcore(const struct doctor *d)
{
	char text[4096];
	u64 out;

	if (machine_read(d->root, "/proc/meminfo", text, sizeof(text)) <= 0)
		return 0;
	out = meminfo(text, "MemFree:") + meminfo(text, "\nBuffers:") +
	      meminfo(text, "\nCached:") + meminfo(text, "AnonPages:");
	return meminfo(text, "MemTotal:") > out ? (meminfo(text, "MemTotal:") - out) << 10 : 0;
}

static bool is_remote(const struct doctor *d)
{
	static const char *const keys[] = { "NFS=", "SSH=", "FTP=" };
	char value[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (machine_setting(d->root, KDUMP_TOOLS, keys[i], value, sizeof(value)) && *value)
			return true;
	return false;
}

static void check_crash_dir(struct doctor *d)
{
	struct statvfs vfs;
	char dir[256];
	u64 room, vmcore = guess_vmcore(d);

	if (!machine_setting(d->root, KDUMP_TOOLS, "KDUMP_COREDIR=", dir, sizeof(dir)) || !*dir)
		strcpy(dir, "/var/crash");
	if (!check_free_space(d, "crash-dir", dir, CAPTURE_SIZE, &vfs))
		return;
	room = (u64)vfs.f_bavail * vfs.f_frsize;
	if (room < vmcore + CAPTURE_SIZE * d->region_size && !is_remote(d))
		doctor_say(d, "crash-dir", DOCTOR_WARNING, "make room there, or send dumps elsewhere",
			   "%llu MiB are free for %s: enough for the trace, and a vmcore may need %llu MiB",
			   room >> 20, dir, vmcore >> 20);
	else
		doctor_say(d, "crash-dir", DOCTOR_OK, NULL, "%llu MiB are free for %s",
			   room >> 20, dir);
}

void doctor_check_room(struct doctor *d)
{
	struct statvfs vfs;

	if (check_free_space(d, "space", STORE, HARVEST_SIZE, &vfs))
		doctor_say(d, "space", DOCTOR_OK, NULL, "%llu MiB are free for " STORE,
			   (u64)vfs.f_bavail * vfs.f_frsize >> 20);
	if (d->has_kdump)
		check_crash_dir(d);
}
