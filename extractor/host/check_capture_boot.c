// SPDX-License-Identifier: GPL-2.0-or-later
/* Does a capture kernel end, whatever happens to it? */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

#define HOOK		"/usr/share/initramfs-tools/scripts/init-top/epitaph-capture"
#define MAX_DEPTH	8	/* LVM on LUKS on RAID ... */

/* What is to be added to the capture kernel's command line, as the shell's variables have it. */
static const char *const settings[][2] = {
	{ "/etc/default/kdump-tools", "KDUMP_CMDLINE=" },
	{ "/etc/default/kdump-tools", "KDUMP_CMDLINE_APPEND=" },
	{ "/etc/sysconfig/kdump", "KDUMP_COMMANDLINE=" },
	{ "/etc/sysconfig/kdump", "KDUMP_COMMANDLINE_APPEND=" },
};

/* What SUSE loads its capture kernel by; it adds words of its own. */
#define SUSE_LOAD	"/usr/lib/kdump/load.sh"

/* panic= of a command line, the last as in the kernel; -1: there is none, else is it not 0? */
static int restarts_after_panic(const char *line)
{
	const char *word;
	int ret = -1;
	size_t len;

	while ((word = cmdline_next(line, "panic=", &len))) {
		ret = strtol(word + strlen("panic="), NULL, 10) != 0;
		line = word + len;
	}
	return ret;
}

/* Does the capture kernel's command line say that it restarts after a panic? */
static bool capture_restarts(const struct doctor *d)
{
	char value[16384];
	int ret = -1;
	size_t i;

	for (i = 0; ret < 0 && i < ARRAY_SIZE(settings); i++)
		if (machine_setting(d->root, settings[i][0], settings[i][1], value, sizeof(value)))
			ret = restarts_after_panic(value);
	if (ret < 0 && machine_read(d->root, SUSE_LOAD, value, sizeof(value)) > 0 &&
	    strstr(value, " panic="))
		return true;
	return ret < 0 ? restarts_after_panic(d->cmdline) > 0 : ret;
}

static void check_capture_panic(struct doctor *d)
{
	if (capture_restarts(d))
		doctor_say(d, "panic", DOCTOR_OK, NULL,
			   "a capture kernel that panics restarts the machine");
	else
		doctor_say(d, "panic", DOCTOR_WARNING,
			   "boot with panic=10; the capture kernel gets the same command line",
			   "a capture kernel that panics %sstops the machine until somebody resets it",
			   machine_exists(d->root, HOOK) ? "before its initramfs runs " : "");
}

/* A device below another one: @path is its directory in sysfs. */
struct device_below {
	const char *root;
	const char *path;
	unsigned int depth;
};

static bool is_encrypted(const char *root, const char *path, unsigned int depth);

static bool is_slave_encrypted(const char *name, void *arg)
{
	const struct device_below *below = arg;
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/slaves/%s", below->path, name) >= (int)sizeof(path))
		return false;
	return is_encrypted(below->root, path, below->depth + 1);
}

/* dm-crypt names its devices CRYPT-TYPE-UUID-NAME (cryptsetup, lib/libdevmapper.c). */
static bool is_encrypted(const char *root, const char *path, unsigned int depth)
{
	struct device_below below = { root, path, depth };
	char file[PATH_MAX], uuid[256];

	if (depth > MAX_DEPTH)
		return false;
	if (snprintf(file, sizeof(file), "%s/dm/uuid", path) >= (int)sizeof(file))
		return false;
	if (machine_read(root, file, uuid, sizeof(uuid)) > 0 && !strncmp(uuid, "CRYPT-", 6))
		return true;
	snprintf(file, sizeof(file), "%.*s/slaves", PATH_MAX - 8, path);
	return machine_each(root, file, is_slave_encrypted, &below);
}

/* The device of the root file system, in sysfs; false: it has none, as with NFS. */
static bool find_root_device(const struct doctor *d, char *path, size_t size)
{
	char text[16384], *line, *next, mount[PATH_MAX];
	unsigned int major, minor;

	if (machine_read(d->root, "/proc/self/mountinfo", text, sizeof(text)) <= 0)
		return false;
	for (line = text; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		/* proc(5): id, parent, major:minor, root of the mount, mount point */
		if (sscanf(line, "%*d %*d %u:%u %*s %4095s", &major, &minor, mount) == 3 &&
		    !strcmp(mount, "/") && major) {
			snprintf(path, size, "/sys/dev/block/%u:%u", major, minor);
			return true;
		}
	}
	return false;
}

static void check_encrypted_root(struct doctor *d)
{
	char path[64];

	if (!find_root_device(d, path, sizeof(path)) || !is_encrypted(d->root, path, 0))
		return;
	if (machine_exists(d->root, HOOK))
		doctor_say(d, "encrypted", DOCTOR_WARNING,
			   "nothing, if the trace is enough; a vmcore needs a disk that is opened without a passphrase",
			   "/ is encrypted: a capture kernel restarts after 60 s without the passphrase, and the next boot saves the trace");
	else
		doctor_say(d, "encrypted", DOCTOR_FAILURE, "install epitaph-kdump",
			   "/ is encrypted: the capture kernel waits for the passphrase for ever");
}

void doctor_check_capture_boot(struct doctor *d)
{
	if (!d->has_kdump)
		return;
	check_capture_panic(d);
	check_encrypted_root(d);
}
