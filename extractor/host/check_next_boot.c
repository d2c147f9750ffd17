// SPDX-License-Identifier: GPL-2.0-or-later
/* Will the trace be saved after the reboot? */
#include <stdio.h>
#include <string.h>

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
};

static bool count_one(const char *number, void *arg)
{
	struct evidence *evidence = arg;
	char path[sizeof(GENERATIONS) + 300], state[32];

	snprintf(path, sizeof(path), GENERATIONS "/%s/state", number);
	evidence->nr += machine_read(evidence->d->root, path, state, sizeof(state)) > 0 &&
			!strcmp(state, "evidence");
	return false;
}

static void check_harvest(struct doctor *d)
{
	struct evidence evidence = { d, 0 };
	unsigned int n;
	s64 lost;

	machine_each(d->root, GENERATIONS, count_one, &evidence);
	n = evidence.nr;
	if (!machine_exists(d->root, GENERATIONS))
		doctor_say(d, "harvest", DOCTOR_WARNING, "load the recorder: it finds them",
			   "whether earlier boots left anything is not known");
	else if (n)
		doctor_say(d, "harvest", DOCTOR_WARNING,
			   "epitaph harvest, and systemctl enable epitaph-recover.service",
			   "what %u earlier boot%s left has not been saved", n, n == 1 ? "" : "s");
	else
		doctor_say(d, "harvest", DOCTOR_OK, NULL, "nothing waits to be saved");
	if (machine_number(d->root, "/sys/kernel/epitaph/lost", &lost) && lost > 0)
		doctor_say(d, "lost", DOCTOR_WARNING,
			   "harvest at every boot: systemctl enable epitaph-recover.service",
			   "%lld generation%s overwritten before anybody had saved %s",
			   (long long)lost, lost == 1 ? " was" : "s were",
			   lost == 1 ? "it" : "them");
}

struct systemd_unit {
	const struct doctor *d;
	const char *name;
};

static bool has_wants_link(const char *target, void *arg)
{
	const struct systemd_unit *unit = arg;
	char link[512];

	snprintf(link, sizeof(link), "/etc/systemd/system/%s/%s", target, unit->name);
	return strstr(target, ".wants") && machine_mtime(unit->d->root, link);
}

static void check_units(struct doctor *d)
{
	static const char *const units[] = {
		"epitaph.service", "epitaph-recover.service", "epitaph-harvest.service",
	};
	struct systemd_unit unit = { .d = d };
	char lib[64], usr[64], advice[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(units); i++) {
		snprintf(lib, sizeof(lib), "/lib/systemd/system/%s", units[i]);
		snprintf(usr, sizeof(usr), "/usr/lib/systemd/system/%s", units[i]);
		unit.name = units[i];
		if ((!machine_exists(d->root, lib) && !machine_exists(d->root, usr)) ||
		    machine_each(d->root, "/etc/systemd/system", has_wants_link, &unit))
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
