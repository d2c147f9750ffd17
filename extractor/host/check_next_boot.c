// SPDX-License-Identifier: GPL-2.0-or-later
/* Will the trace be saved after the reboot? */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "doctor.h"

#define GENERATIONS	"/sys/kernel/epitaph/generations"

static void check_pstore(struct doctor *d)
{
	char name[64];

	if (machine_read(d->root, "/sys/module/pstore/parameters/backend", name, sizeof(name)) <= 0 ||
	    !strcmp(name, "(null)"))
		doctor_say(d, "pstore", DOCTOR_OK, NULL,
			   "pstore has no backend; epitaph harvest does not need it");
	else if (!strcmp(name, "epitaph"))
		doctor_say(d, "pstore", DOCTOR_OK, NULL, "pstore is ours");
	else
		doctor_say(d, "pstore", DOCTOR_OK,
			   "for epitaph_pstore to have it: pstore.backend=epitaph on the kernel command line",
			   "pstore belongs to %s; epitaph harvest does not need it", name);
}

struct evidence {
	const struct doctor *d;
	unsigned int nr;
	u64 bytes;
};

static bool count_one(const char *number, void *arg)
{
	struct evidence *evidence = arg;
	char path[sizeof(GENERATIONS) + 300], state[32];
	s64 size;

	snprintf(path, sizeof(path), GENERATIONS "/%s/state", number);
	if (machine_read(evidence->d->root, path, state, sizeof(state)) <= 0 ||
	    strcmp(state, "evidence"))
		return false;
	evidence->nr++;
	snprintf(path, sizeof(path), GENERATIONS "/%s/size", number);
	if (machine_number(evidence->d->root, path, &size) && size > 0)
		evidence->bytes += size;
	return false;
}

/* The next crash but one overwrites it, and a power cut takes it away. */
static void say_only_copy(struct doctor *d, const struct evidence *evidence)
{
	const char *s = evidence->nr == 1 ? "" : "s";
	u64 room = evidence->bytes;
	struct statvfs vfs;
	char advice[320];

	if (doctor_file_system(d, DOCTOR_STORE, &vfs))
		room = (u64)vfs.f_bavail * vfs.f_frsize;
	if (room < evidence->bytes) {
		snprintf(advice, sizeof(advice),
			 "make %llu KiB of room there, then epitaph harvest; by itself it is tried every 5 minutes (epitaph-recover.timer)",
			 evidence->bytes >> 10);
		doctor_say(d, "harvest", DOCTOR_FAILURE, advice,
			   "the only copy of what %u earlier boot%s left is in memory: it has %llu KiB, and %llu KiB are free for " DOCTOR_STORE,
			   evidence->nr, s, evidence->bytes >> 10, room >> 10);
		return;
	}
	doctor_say(d, "harvest", DOCTOR_FAILURE,
		   "epitaph harvest; why it is not saved yet: journalctl -b -u epitaph-recover",
		   "the only copy of what %u earlier boot%s left is in memory, %llu KiB; there is room for it in " DOCTOR_STORE,
		   evidence->nr, s, evidence->bytes >> 10);
}

static void check_harvest(struct doctor *d)
{
	struct evidence evidence = { d, 0, 0 };
	s64 lost;

	machine_each(d->root, GENERATIONS, count_one, &evidence);
	if (!machine_exists(d->root, GENERATIONS))
		doctor_say(d, "harvest", DOCTOR_WARNING, "load the recorder: it finds them",
			   "whether earlier boots left anything is not known");
	else if (evidence.nr)
		say_only_copy(d, &evidence);
	else
		doctor_say(d, "harvest", DOCTOR_OK, NULL, "nothing waits to be saved");
	if (machine_number(d->root, "/sys/kernel/epitaph/lost", &lost) && lost > 0)
		doctor_say(d, "lost", DOCTOR_WARNING,
			   "they died before they could save, or had no room to: options epitaph generations=4 in /etc/modprobe.d keeps more boots",
			   "%lld generation%s overwritten before %s saved",
			   (long long)lost, lost == 1 ? " was" : "s were",
			   lost == 1 ? "it was" : "they were");
}

/* systemd.unit(5): where administrator, image and package have units and links to them. */
static const char *const unit_dirs[] = {
	"/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
};

struct systemd_unit {
	const struct doctor *d;
	const char *name;
	const char *dir;
};

static bool has_wants_link(const char *target, void *arg)
{
	const struct systemd_unit *unit = arg;
	char link[512];

	snprintf(link, sizeof(link), "%s/%s/%s", unit->dir, target, unit->name);
	return (strstr(target, ".wants") || strstr(target, ".requires")) && machine_mtime(unit->d->root, link);
}

static bool is_enabled(const struct doctor *d, const char *name)
{
	struct systemd_unit unit = { d, name, NULL };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(unit_dirs); i++) {
		unit.dir = unit_dirs[i];
		if (machine_each(d->root, unit.dir, has_wants_link, &unit))
			return true;
	}
	return false;
}

/* sd_booted(3) */
static bool has_other_init(const struct doctor *d)
{
	return machine_exists(d->root, "/proc/1/comm") && !machine_exists(d->root, "/run/systemd/system");
}

/* systemd.unit(5): by a link to /dev/null, or an empty file. */
static bool is_masked(const struct doctor *d, const char *name)
{
	char path[512], whole[4096], target[sizeof("/dev/null")];
	struct stat st;
	ssize_t n;

	snprintf(path, sizeof(path), "/etc/systemd/system/%s", name);
	machine_path(d->root, whole, sizeof(whole), path);
	n = readlink(whole, target, sizeof(target));
	if (n >= 0)
		return n == (ssize_t)strlen("/dev/null") && !memcmp(target, "/dev/null", n);
	return !lstat(whole, &st) && S_ISREG(st.st_mode) && !st.st_size;
}

static void check_units(struct doctor *d)
{
	static const char *const units[] = {
		"epitaph.service", "epitaph-recover.service", "epitaph-recover.timer",
		"epitaph-harvest.service", "epitaph-harvest.timer",
		/* A unit of kdump-tools wants it, and it needs no enabling. */
		"epitaph-capture.service",
	};
	char lib[64], usr[64], advice[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(units); i++) {
		snprintf(lib, sizeof(lib), "/lib/systemd/system/%s", units[i]);
		snprintf(usr, sizeof(usr), "/usr/lib/systemd/system/%s", units[i]);
		if (!machine_exists(d->root, lib) && !machine_exists(d->root, usr))
			continue;
		if (has_other_init(d)) {
			doctor_say(d, "units", DOCTOR_WARNING, "have each boot run: modprobe epitaph; epitaph harvest",
				   "systemd does not run this machine: none of the units loads the recorder, or saves what a crash left");
			return;
		}
		if (is_masked(d, units[i])) {
			snprintf(advice, sizeof(advice), "systemctl unmask %s", units[i]);
			doctor_say(d, "units", DOCTOR_WARNING, advice, "%s is masked: nothing starts it", units[i]);
			continue;
		}
		if (!strcmp(units[i], "epitaph-capture.service") || is_enabled(d, units[i]))
			continue;
		snprintf(advice, sizeof(advice), "systemctl enable %s", units[i]);
		doctor_say(d, "units", DOCTOR_WARNING, advice, "%s is not started at boot", units[i]);
	}
}

void doctor_check_after(struct doctor *d)
{
	check_pstore(d);
	check_harvest(d);
	check_units(d);
}
