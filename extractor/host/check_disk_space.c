// SPDX-License-Identifier: GPL-2.0-or-later
/* Is there disk space for a trace, in the capture kernel and at the next boot? */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "doctor.h"
#include "kdump_dir.h"
#include "storage.h"

#define STORE		DOCTOR_STORE
#define KDUMP_TOOLS	"/etc/default/kdump-tools"
#define REAL_PATH	(2 * PATH_MAX)

bool doctor_file_system(const struct doctor *d, const char *path, struct statvfs *vfs)
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

/* @path without links; false: one leads to what is not there. */
static bool find_real_path(const struct doctor *d, const char *path, char real[REAL_PATH])
{
	char whole[PATH_MAX], there[PATH_MAX], found[PATH_MAX], root[PATH_MAX] = "", *slash;
	struct stat st;
	size_t n;

	machine_path(d->root, whole, sizeof(whole), path);
	strcpy(there, whole);
	while (!realpath(*there ? there : "/", found)) {
		if (errno == ENOENT && !lstat(there, &st))
			return false;
		slash = strrchr(there, '/');
		*(errno == ENOENT && slash ? slash : there) = '\0';
	}
	n = *d->root && realpath(d->root, root) ? strlen(root) : 0;
	snprintf(real, REAL_PATH, "%s%s", strcmp(found, "/") ? found + (strncmp(found, root, n) ? 0 : n) : "",
		 whole + strlen(there));
	return true;
}

/* Return: false: what is saved there would not be found, which is a finding. */
static bool is_place_kept(struct doctor *d, const char *check, const char *path)
{
	static struct storage s;
	char real[REAL_PATH];

	if (!find_real_path(d, path, real)) {
		doctor_say(d, check, DOCTOR_FAILURE, "mount what it leads to, or make it; else take the link away",
			   "%s is a link to what is not there: nothing can be saved there", path);
		return false;
	}
	if (!storage_find(&s, d->root, real) || !s.is_memory)
		return true;
	doctor_say(d, check, machine_exists(d->root, "/etc/epitaph/send.conf") ? DOCTOR_WARNING : DOCTOR_FAILURE,
		   "mount a disk there, or have traces sent to another machine: /etc/epitaph/send.conf",
		   "%s is in memory (%s): what is saved there is gone after the next restart", path, s.type);
	return false;
}

/* What kdump saved in a directory: NAME/dump.* or NAME/vmcore*. */
struct kdumps {
	const char *root, *dir;
	const char *name;
	unsigned int nr;
	u64 bytes;
	char found[80];		/* "", or words behind a sentence */
	const char *advice;
};

static bool add_kdump(const char *name, void *arg)
{
	struct kdumps *dumps = arg;
	char path[4096], whole[4096];
	struct stat st;

	if (strncmp(name, "dump.", 5) && strncmp(name, "vmcore", 6))
		return false;
	snprintf(path, sizeof(path), "%s/%s/%s", dumps->dir, dumps->name, name);
	machine_path(dumps->root, whole, sizeof(whole), path);
	if (!lstat(whole, &st) && S_ISREG(st.st_mode)) {
		dumps->nr++;
		dumps->bytes += (u64)st.st_blocks * 512;
	}
	return false;
}

static bool add_kdumps_of(const char *name, void *arg)
{
	struct kdumps *dumps = arg;
	char path[4096];

	if (!strncmp(name, "epitaph-", 8))
		return false;
	dumps->name = name;
	snprintf(path, sizeof(path), "%s/%s", dumps->dir, name);
	machine_each(dumps->root, path, add_kdump, dumps);
	return false;
}

static void find_kdumps(const struct doctor *d, const char *dir, struct kdumps *dumps)
{
	*dumps = (struct kdumps){ .root = d->root, .dir = dir, .advice = "make room there" };
	machine_each(d->root, dir, add_kdumps_of, dumps);
	if (!dumps->nr)
		return;
	snprintf(dumps->found, sizeof(dumps->found), "; %u dump%s of kdump's there: %llu MiB",
		 dumps->nr, dumps->nr > 1 ? "s" : "", dumps->bytes >> 20);
	dumps->advice = machine_exists(d->root, KDUMP_TOOLS) ?
		"remove old dumps there; KDUMP_NUM_DUMPS=3 in " KDUMP_TOOLS " keeps the newest three" :
		"remove old dumps there";
}

/* Return: false: too little space, which is a finding.  @dumps may be NULL. */
static bool check_free_space(struct doctor *d, const char *check, const char *path,
			     const struct kdumps *dumps, struct statvfs *vfs)
{
	u64 room;

	if (!is_place_kept(d, check, path) || !doctor_file_system(d, path, vfs))
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
		doctor_say(d, check, DOCTOR_FAILURE, dumps ? dumps->advice : "make room there",
			   "%llu KiB are free for %s, and the region has %llu KiB: it could not be saved%s",
			   room >> 10, path, d->region_size >> 10, dumps ? dumps->found : "");
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

/* Bytes of a vmcore of makedumpfile -d 31 before compression. */
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

static void check_crash_dir(struct doctor *d)
{
	static const char *const remote_keys[] = { "NFS=", "SSH=", "FTP=" };
	struct statvfs vfs;
	char dir[KDUMP_DIR], target[KDUMP_DIR], value[256], advice[192];
	enum kdump_place place = kdump_dir(d->root, dir, target);
	struct kdumps dumps;
	u64 room, vmcore = guess_vmcore(d);
	bool is_remote = false;
	size_t i;

	if (place == KDUMP_ELSEWHERE) {
		doctor_say(d, "crash-dir", DOCTOR_OK, NULL,
			   "kdump saves to %s, and not in a directory here: no command finds a trace there, so the next boot harvests it",
			   target);
		return;
	}
	if (place == KDUMP_NOT_MOUNTED) {
		doctor_say(d, "crash-dir", DOCTOR_WARNING, "mount it",
			   "kdump saves to %s, which is not mounted: list, --latest, harvest and send do not find what it saves",
			   target);
		return;
	}
	find_kdumps(d, dir, &dumps);
	if (!check_free_space(d, "crash-dir", dir, &dumps, &vfs))
		return;
	room = (u64)vfs.f_bavail * vfs.f_frsize;
	for (i = 0; i < ARRAY_SIZE(remote_keys); i++)
		is_remote |= machine_setting(d->root, KDUMP_TOOLS, remote_keys[i], value,
					     sizeof(value)) && *value;
	snprintf(advice, sizeof(advice), "%s, or send dumps elsewhere", dumps.advice);
	if (room < vmcore + d->region_size && !is_remote)
		doctor_say(d, "crash-dir", DOCTOR_WARNING, advice,
			   "%llu MiB are free for %s: enough for the trace, and a vmcore may need %llu MiB%s",
			   room >> 20, dir, vmcore >> 20, dumps.found);
	else
		doctor_say(d, "crash-dir", DOCTOR_OK, NULL, "%llu MiB are free for %s%s",
			   room >> 20, dir, dumps.found);
}

/* As systemd.unit(5) makes a name of a path: "/var/crash" is var-crash. */
static bool has_mount_unit(const struct doctor *d, const char *mount)
{
	static const char *const places[] = {
		"/etc/systemd/system", "/run/systemd/generator", "/run/systemd/generator.late",
		"/usr/lib/systemd/system", "/lib/systemd/system",
	};
	char name[1024] = "", path[1200];
	size_t i, n = 0;

	for (mount++; *mount && n + sizeof("\\x2d") < sizeof(name); mount++)
		if (isalnum((unsigned char)*mount) || strchr(":_.", *mount))
			name[n++] = *mount;
		else if (*mount == '/')
			name[n++] = '-';
		else
			n += snprintf(name + n, sizeof(name) - n, "\\x%02x", (unsigned char)*mount);
	name[n] = 0;
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		snprintf(path, sizeof(path), "%s/%s.mount", places[i], name);
		if (machine_exists(d->root, path))
			return true;
	}
	return false;
}

static bool fstab_has(const struct doctor *d, const char *mount)
{
	static char text[65536];
	char *line, *next, at[1024];

	if (machine_read(d->root, "/etc/fstab", text, sizeof(text)) <= 0)
		return false;
	for (line = text; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		line += strspn(line, " \t");
		if (*line == '#' || sscanf(line, "%*s %1023s", at) != 1)
			continue;
		storage_unescape(at);
		if (at[1] && at[strlen(at) - 1] == '/')
			at[strlen(at) - 1] = 0;
		if (!strcmp(at, mount))
			return true;
	}
	return false;
}

/* The capture boot of kdump-tools mounts what fstab and units say, and nothing that a person has mounted. */
static void check_crash_mount(struct doctor *d)
{
	static struct storage s;
	char dir[KDUMP_DIR], real[REAL_PATH];

	if (kdump_dir(d->root, dir, NULL) != KDUMP_HERE || !machine_exists(d->root, KDUMP_TOOLS) ||
	    !find_real_path(d, dir, real) || !storage_find(&s, d->root, real) || s.is_memory ||
	    !strcmp(s.mount, "/") || !strcmp(s.type, "zfs"))
		return;
	if (!fstab_has(d, s.mount) && !has_mount_unit(d, s.mount))
		doctor_say(d, "crash-dir", DOCTOR_WARNING, "add it to /etc/fstab",
			   "%.200s is on what is mounted at %.200s now, by neither /etc/fstab nor a unit of systemd: a capture kernel saves elsewhere",
			   dir, s.mount);
}

void doctor_check_room(struct doctor *d)
{
	struct statvfs vfs;

	if (check_free_space(d, "space", STORE, NULL, &vfs))
		doctor_say(d, "space", DOCTOR_OK, NULL, "%llu MiB are free for " STORE,
			   (u64)vfs.f_bavail * vfs.f_frsize >> 20);
	if (!d->has_kdump)
		return;
	check_crash_dir(d);
	check_crash_mount(d);
}
