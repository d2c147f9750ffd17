// SPDX-License-Identifier: GPL-2.0-or-later
/* What happens to a trace after the reboot: who takes it, and is there room? */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "doctor.h"

#define GENERATIONS	"/sys/kernel/epitaph/generations"
#define STORE		"/var/lib/epitaph"

static void check_pstore(struct doctor *d)
{
	char name[64];

	if (doctor_read(d, "/sys/module/pstore/parameters/backend", name, sizeof(name)) <= 0 ||
	    !strcmp(name, "(null)"))
		doctor_say(d, "pstore", DOCTOR_OK, NULL,
			   "nobody has pstore; epitaph harvest does not need it");
	else if (!strcmp(name, "epitaph"))
		doctor_say(d, "pstore", DOCTOR_OK, NULL, "pstore is ours");
	else
		doctor_say(d, "pstore", DOCTOR_OK, NULL,
			   "pstore belongs to %s; epitaph harvest does not need it", name);
}

static bool is_evidence(const struct doctor *d, const char *number)
{
	char path[sizeof(GENERATIONS) + 300], state[32];

	snprintf(path, sizeof(path), GENERATIONS "/%s/state", number);
	return doctor_read(d, path, state, sizeof(state)) > 0 && !strcmp(state, "evidence");
}

static unsigned int count_evidence(const struct doctor *d)
{
	char path[4096];
	struct dirent *entry;
	unsigned int n = 0;
	DIR *dir;

	doctor_path(d, path, sizeof(path), GENERATIONS);
	dir = opendir(path);
	if (!dir)
		return 0;
	while ((entry = readdir(dir)))
		n += entry->d_name[0] != '.' && is_evidence(d, entry->d_name);
	closedir(dir);
	return n;
}

static void check_harvest(struct doctor *d)
{
	unsigned int n = count_evidence(d);
	s64 lost;

	if (!doctor_exists(d, GENERATIONS))
		doctor_say(d, "harvest", DOCTOR_WARNING, "load the recorder: it finds them",
			   "whether earlier boots left anything is not known");
	else if (n)
		doctor_say(d, "harvest", DOCTOR_WARNING,
			   "epitaph harvest, and systemctl enable epitaph-recover.service",
			   "what %u earlier boot%s left has not been saved", n, n == 1 ? "" : "s");
	else
		doctor_say(d, "harvest", DOCTOR_OK, NULL, "nothing waits to be saved");
	if (doctor_number(d, "/sys/kernel/epitaph/lost", &lost) && lost > 0)
		doctor_say(d, "lost", DOCTOR_WARNING,
			   "harvest at every boot: systemctl enable epitaph-recover.service",
			   "%lld generation%s overwritten before anybody had saved %s",
			   (long long)lost, lost == 1 ? " was" : "s were",
			   lost == 1 ? "it" : "them");
}

/* Where the store will be made, if it is not there yet. */
static bool stat_store(const struct doctor *d, struct statvfs *vfs)
{
	static const char *const places[] = { STORE, "/var/lib", "/var", "/" };
	char path[4096];
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		doctor_path(d, path, sizeof(path), places[i]);
		if (!statvfs(path, vfs))
			return true;
	}
	return false;
}

static void check_space(struct doctor *d)
{
	struct statvfs vfs;
	u64 room;

	if (!stat_store(d, &vfs))
		return;
	room = (u64)vfs.f_bavail * vfs.f_frsize;
	if (room < 2 * d->region_size)
		doctor_say(d, "space", DOCTOR_FAILURE, "make room there",
			   "%llu KiB are free for " STORE ", a harvest may need %llu KiB",
			   (unsigned long long)room >> 10,
			   (unsigned long long)d->region_size >> 9);
	else
		doctor_say(d, "space", DOCTOR_OK, NULL, "%llu MiB are free for " STORE,
			   (unsigned long long)room >> 20);
}

void doctor_check_after(struct doctor *d)
{
	check_pstore(d);
	check_harvest(d);
	check_space(d);
}
