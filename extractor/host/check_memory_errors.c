// SPDX-License-Identifier: GPL-2.0-or-later
/* Does a memory module have more errors than a good one has? By what the kernel's EDAC counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "mce/corrected_rate.h"

#define EDAC	"/sys/devices/system/edac/mc"
#define DAY_S	(24 * 3600)

/**
 * struct module - one module, by its corrected errors
 * @errors: in @seconds since its counters began; 0: since when is not known
 * @a_day: so many on average; all of them, if it is not a day yet or not known
 */
struct module {
	char name[160];
	s64 errors;
	s64 seconds;
	s64 a_day;
};

/**
 * struct modules - what was counted
 * @controller: the directory of the memory controller
 * @seconds: since its counters began; 0: not known
 * @longest: of all controllers
 * @nr: modules, with @errors together
 * @worst: most errors a day
 * @uncorrected: a word on one that had such an error
 */
struct modules {
	struct doctor *d;
	char controller[300];
	s64 seconds;
	s64 longest;
	u32 nr;
	s64 errors;
	struct module worst;
	char uncorrected[160];
};

static s64 errors_in(const struct modules *m, const char *module, const char *file)
{
	char path[700];
	s64 n;

	snprintf(path, sizeof(path), "%s/%.200s/%s", m->controller, module, file);
	return machine_number(m->d->root, path, &n) && n > 0 ? n : 0;
}

/* Its label on the board, or where it is. */
static void name_module(const struct modules *m, const char *module, char *buf, size_t size)
{
	char path[700], label[100] = "";

	snprintf(path, sizeof(path), "%s/%.200s/dimm_label", m->controller, module);
	if (machine_read(m->d->root, path, label, sizeof(label)) <= 0 || !*label) {
		snprintf(path, sizeof(path), "%s/%.200s/dimm_location", m->controller, module);
		machine_read(m->d->root, path, label, sizeof(label));
	}
	snprintf(buf, size, "%s/%.40s%s%s%s", strrchr(m->controller, '/') + 1, module, *label ? " (" : "", label,
		 *label ? ")" : "");
}

static bool look_at_module(const char *name, void *arg)
{
	struct modules *m = arg;
	struct module module = { .seconds = m->seconds };

	if (strncmp(name, "dimm", 4) && strncmp(name, "rank", 4))
		return false;
	m->nr++;
	module.errors = errors_in(m, name, "dimm_ce_count");
	module.a_day = m->seconds > DAY_S ? (s64)((double)module.errors * DAY_S / m->seconds) : module.errors;
	m->errors += module.errors;
	if (module.a_day > m->worst.a_day) {
		m->worst = module;
		name_module(m, name, m->worst.name, sizeof(m->worst.name));
	}
	if (!*m->uncorrected && errors_in(m, name, "dimm_ue_count"))
		name_module(m, name, m->uncorrected, sizeof(m->uncorrected));
	return false;
}

static bool look_at_controller(const char *name, void *arg)
{
	struct modules *m = arg;
	char path[400];

	if (strncmp(name, "mc", 2))
		return false;
	snprintf(m->controller, sizeof(m->controller), EDAC "/%.200s", name);
	snprintf(path, sizeof(path), "%s/seconds_since_reset", m->controller);
	if (!machine_number(m->d->root, path, &m->seconds) || m->seconds < 0)
		m->seconds = 0;
	if (m->seconds > m->longest)
		m->longest = m->seconds;
	machine_each(m->d->root, m->controller, look_at_module, m);
	return false;
}

/* EDAC has sums since a time, and not when the errors were: a day with many may hide in an average. */
static void say_worst(struct doctor *d, const struct module *worst)
{
	static const char advice[] = "replace it before an error comes that cannot be corrected";

	if (!worst->seconds)
		doctor_say(d, "dimm", DOCTOR_WARNING, advice,
			   "the memory module %s has %lld corrected errors, since when is not known", worst->name,
			   worst->errors);
	else if (worst->seconds <= DAY_S)
		doctor_say(d, "dimm", DOCTOR_WARNING, advice,
			   "the memory module %s had %lld corrected errors in %lld s, more than %d within a day",
			   worst->name, worst->errors, worst->seconds, CORRECTED_MANY);
	else
		doctor_say(d, "dimm", DOCTOR_WARNING, advice,
			   "the memory module %s had %lld corrected errors in %lld days, on average %lld a day, more than %d",
			   worst->name, worst->errors, worst->seconds / DAY_S, worst->a_day, CORRECTED_MANY);
}

/* @m has no bad module, on average. */
static void say_good(struct doctor *d, const struct modules *m)
{
	if (!m->errors)
		doctor_say(d, "dimm", DOCTOR_OK, NULL, "no memory module had an error (modules: %u)", m->nr);
	else if (m->longest > DAY_S)
		doctor_say(d, "dimm", DOCTOR_OK, NULL,
			   "no memory module had more than %d corrected errors a day on average of up to %lld days (modules: %u, errors: %lld)",
			   CORRECTED_MANY, m->longest / DAY_S, m->nr, m->errors);
	else
		doctor_say(d, "dimm", DOCTOR_OK, NULL,
			   "no memory module had more than %d corrected errors (modules: %u, errors: %lld)",
			   CORRECTED_MANY, m->nr, m->errors);
}

void doctor_check_memory_errors(struct doctor *d)
{
	struct modules m = { .d = d };

	machine_each(d->root, EDAC, look_at_controller, &m);
	if (!m.nr)
		return;
	if (*m.uncorrected)
		doctor_say(d, "dimm", DOCTOR_WARNING, "replace it; epitaph mce and the log say what was hit",
			   "the memory module %s had an error that was not corrected", m.uncorrected);
	else if (m.worst.a_day > CORRECTED_MANY)
		say_worst(d, &m.worst);
	else
		say_good(d, &m);
}
