// SPDX-License-Identifier: GPL-2.0-or-later
#include "seal_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/new_file.h"
#include "seal/raw_place.h"

#define SPOOL	"/var/lib/epitaph/sealed"
#define TRIAL	".epitaph-seal-trial"

/* Can a capture kernel write there that has no passphrase and no network? */
static bool is_open(const struct storage *s)
{
	return !s->is_encrypted && !s->is_remote && !s->is_memory && !s->is_read_only && !s->is_unknown;
}

/* Why an initramfs cannot mount it before the passphrase; NULL: it can. */
static const char *why_not_mounted_early(const struct storage *s)
{
	if (s->is_part)
		return "it is mounted from a part of its file system, a subvolume or by a bind, and the initramfs mounts the whole";
	if (s->is_volume)
		return "it is on a logical volume, which a capture kernel does not activate";
	if (!*s->uuid)
		return "its file system has no UUID in /dev/disk/by-uuid, by which the initramfs finds it";
	return NULL;
}

/* The first that will do; without one the first that is open, so that what it lacks is said. */
static void choose_dir(struct seal_place *place, const char *root)
{
	static const char *const mounts[] = { "/boot", "/efi", "/boot/efi" };
	struct storage s;
	bool will_do;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mounts); i++) {
		if (!storage_find(&s, root, mounts[i]) || strcmp(s.mount, mounts[i]) || !is_open(&s))
			continue;
		will_do = !place->root_is_encrypted || !why_not_mounted_early(&s);
		if (will_do || !*place->dir)
			snprintf(place->dir, sizeof(place->dir), "%s/epitaph", mounts[i]);
		if (will_do)
			return;
	}
	if (*place->dir)
		return;
	if (!place->root_is_encrypted && place->conf.when == SEAL_WHEN_ALWAYS)
		snprintf(place->dir, sizeof(place->dir), SPOOL);
}

static bool lies_below(const char *path, const char *mount)
{
	size_t n = strlen(mount);

	return n > 1 && !strncmp(path, mount, n) && (!path[n] || path[n] == '/');
}

/* A file that is made below a mount point before its mount, as in an initramfs, is hidden by it. */
static bool find_missing_mount(const struct seal_place *place, const char *root, char mount[1024])
{
	static char text[65536];
	char *line, *next;

	if (machine_read(root, "/etc/fstab", text, sizeof(text)) <= 0)
		return false;
	for (line = text; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		line += strspn(line, " \t");
		if (*line != '#' && sscanf(line, "%*s %1023s", mount) == 1 && lies_below(place->dir, mount) &&
		    strcmp(place->storage.mount, mount) && !lies_below(place->storage.mount, mount))
			return true;
	}
	return false;
}

/* What a place lacks from which only an initramfs could write. */
static void judge_dir(struct seal_place *place, const char *root)
{
	const struct storage *s = &place->storage;
	const char *why = NULL;
	char mount[1024];

	if (find_missing_mount(place, root, mount))
		snprintf(place->why_not, sizeof(place->why_not),
			 "it is below %.200s, which fstab names and which is not mounted", mount);
	else if (s->is_unknown)
		why = "what it lies on is not known, and it may be encrypted";
	else if (s->is_encrypted && place->root_is_encrypted)
		why = "it is on an encrypted disk itself, which the capture kernel cannot open";
	else if (s->is_remote)
		why = "it is on another machine, and the initramfs has no network";
	else if (s->is_memory)
		why = "it is on no disk";
	else if (s->is_read_only)
		why = "it is mounted read-only";
	else if (place->root_is_encrypted)
		why = why_not_mounted_early(s);
	if (why)
		snprintf(place->why_not, sizeof(place->why_not), "%s", why);
}

/* What systemd and klibc's shell read as it is. */
#define PLAIN	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._:=+@-"

/* What a device lacks. */
static void judge_device(struct seal_place *place, const char *root)
{
	const struct storage *s = &place->storage;
	struct err err = ERR_INIT;
	struct raw_place raw;
	bool is_there = storage_of_device(&place->storage, root, place->dir);
	const char *why = NULL;
	char path[4096];

	/* What no other name would mend comes first. */
	*place->why_not = 0;
	place->is_unprepared = false;
	if (s->is_encrypted)
		why = "it is on an encrypted disk itself, which the capture kernel cannot open";
	else if (s->is_volume && place->root_is_encrypted)
		why = "it is a logical volume, which a capture kernel does not activate";
	else if (strncmp(place->dir, "/dev/disk/", strlen("/dev/disk/")))
		why = "by this name another disk may be found after a restart; name a link below /dev/disk, as in by-partuuid or by-id";
	else if (place->dir[strspn(place->dir, PLAIN)])
		why = "this name has other characters than letters, digits and /._:=+@-; name another link below /dev/disk";
	else if (!is_there && !*root)
		why = "there is no such device";
	machine_path(root, path, sizeof(path), place->dir);
	if (why) {
		snprintf(place->why_not, sizeof(place->why_not), "%s", why);
	} else if (raw_place_open(&raw, path, false, &err)) {
		place->is_unprepared = err.code == ERR_NOT_OURS;
		snprintf(place->why_not, sizeof(place->why_not), "%.200s%s", err.msg,
			 err.code == ERR_NOT_OURS ? "; epitaph setup --write prepares it, if it is blank" : "");
	} else {
		/* A slot is the limit of a trace, and no other files are there. */
		place->conf.quota = raw_place_room(&raw);
		place->conf.reserve = 0;
		raw_place_close(&raw);
	}
}

void seal_place_prepare(struct seal_place *place, const char *root, bool erase)
{
	struct err err = ERR_INIT;
	char path[4096];
	int ret;

	if (!place->is_unprepared)
		return;
	machine_path(root, path, sizeof(path), place->dir);
	ret = raw_place_prepare(path, erase, &err);
	if (ret < 0)
		snprintf(place->why_not, sizeof(place->why_not), "%.150s%s", err.msg, err.code != ERR_CORRUPT ? "" :
			 "; epitaph setup --write --erase-place makes a place of it, and what it has is lost");
	else
		judge_device(place, root);
}

int seal_place_find(struct seal_place *place, const char *root, struct err *err)
{
	struct storage of_root;
	char path[4096];
	int ret;

	*place = (struct seal_place){ 0 };
	machine_path(root, path, sizeof(path), SEAL_CONF);
	ret = seal_conf_read(&place->conf, path, false, err);
	if (ret)
		return ret;
	place->root_is_encrypted = storage_find(&of_root, root, "/") && of_root.is_encrypted;
	place->is_wanted = place->conf.when == SEAL_WHEN_ALWAYS ||
			   (place->conf.when == SEAL_WHEN_ENCRYPTED && place->root_is_encrypted);
	if (place->conf.place)
		snprintf(place->dir, sizeof(place->dir), "%s", place->conf.place);
	else
		choose_dir(place, root);
	place->is_raw = !strncmp(place->dir, "/dev/", strlen("/dev/"));
	if (place->is_raw)
		judge_device(place, root);
	else if (!*place->dir)
		snprintf(place->why_not, sizeof(place->why_not),
			 "neither /boot nor an ESP is a file system of its own that is not encrypted; PLACE= in " SEAL_CONF " names another directory");
	else if (storage_find(&place->storage, root, place->dir))
		judge_dir(place, root);
	return 0;
}

int seal_place_try(const struct seal_place *place, struct err *err)
{
	int dir = new_file_open_dir(AT_FDCWD, place->dir, err), fd, ret = 0;

	if (dir < 0)
		return dir;
	unlinkat(dir, TRIAL, 0);
	fd = new_file_create(dir, TRIAL, err);
	if (fd < 0)
		ret = fd;
	else if (new_file_write(fd, "x", 1, 0) != 1 || fsync(fd))
		ret = err_sys(err, TRIAL);
	if (fd >= 0)
		close(fd);
	unlinkat(dir, TRIAL, 0);
	close(dir);
	return ret ? err_while(err, "%s", place->dir) : 0;
}

static const char *const savers[] = { "epitaph-recover", "epitaph-harvest", "epitaph-capture" };

static void put_drop_in_path(char path[4096], const char *root, const char *unit, const char *file)
{
	char name[128];

	snprintf(name, sizeof(name), "/etc/systemd/system/%s.service.d%s", unit, file);
	machine_path(root, path, 4096, name);
}

/*
 * A device is awaited: DeviceAllow= counts for what is there when a unit starts.  What PrivateDevices=
 * shows has no disk; DevicePolicy= still closes all but what is named here.
 */
#define DEVICE_DROP_IN	"[Unit]\nWants=epitaph-place.service\nAfter=epitaph-place.service\n\n" \
			"[Service]\nPrivateDevices=no\nDeviceAllow="

/* systemd.unit(5) expands "%", and a path with a blank is quoted. */
static void put_unit_drop_in(char *buf, size_t size, const struct seal_place *place)
{
	const char *dir = place->dir;
	size_t n = snprintf(buf, size, "# Written by epitaph setup: where sealed traces go.\n%s",
			    place->is_raw ? DEVICE_DROP_IN : "[Service]\nReadWritePaths=\"-");

	for (; *dir && n + 8 < size; dir++) {
		if (*dir == '"' || *dir == '\\')
			buf[n++] = '\\';
		if (*dir == '%')
			buf[n++] = '%';
		buf[n++] = *dir;
	}
	snprintf(buf + n, size - n, place->is_raw ? " rw\n" : "\"\n");
}

/* What the units name themselves. */
static bool is_in_units(const char *dir)
{
	return !strcmp(dir, "/boot/epitaph") || !strcmp(dir, "/efi/epitaph") || !strcmp(dir, "/boot/efi/epitaph") ||
	       lies_below(dir, "/var/lib/epitaph");
}

bool seal_place_is_writable(const struct seal_place *place, const char *root)
{
	char path[4096], want[2300], have[2300];
	size_t i;

	if (is_in_units(place->dir))
		return true;
	put_unit_drop_in(want, sizeof(want), place);
	want[strlen(want) - 1] = 0;
	for (i = 0; i < ARRAY_SIZE(savers); i++) {
		put_drop_in_path(path, root, savers[i], "/seal-place.conf");
		if (machine_read("", path, have, sizeof(have)) <= 0 || strcmp(have, want))
			return false;
	}
	return true;
}

static int write_drop_in_of(const char *root, const char *unit, const char *text, struct err *err)
{
	char path[4096];
	FILE *f;

	put_drop_in_path(path, root, unit, "");
	if (mkdir(path, 0755) && errno != EEXIST)
		return err_sys(err, "%s", path);
	put_drop_in_path(path, root, unit, "/seal-place.conf");
	f = fopen(path, "we");
	if (!f)
		return err_sys(err, "%s", path);
	fputs(text, f);
	return fclose(f) ? err_sys(err, "%s", path) : 0;
}

int seal_place_allow(const struct seal_place *place, const char *root, struct err *err)
{
	char text[2300];
	size_t i;
	int ret = 0;

	if (seal_place_is_writable(place, root))
		return 0;
	put_unit_drop_in(text, sizeof(text), place);
	for (i = 0; !ret && i < ARRAY_SIZE(savers); i++)
		ret = write_drop_in_of(root, savers[i], text, err);
	return ret;
}

void seal_place_plan(const struct seal_place *place, const char *keys, char *buf, size_t size)
{
	const struct storage *s = &place->storage;

	if (place->is_raw)
		snprintf(buf, size, "DEVICE=%s\nDIGEST=%s\nQUOTA=%llu\nRESERVE=0\n", place->dir, keys, place->conf.quota);
	else
		snprintf(buf, size, "MOUNT=%s\nUUID=%s\nTYPE=%s\nDIR=%s\nDIGEST=%s\nQUOTA=%llu\nRESERVE=%llu\n", s->mount, s->uuid,
			 s->type, s->path_in, keys, place->conf.quota, place->conf.reserve);
}
