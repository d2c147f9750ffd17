// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/json.h"

void doctor_run(struct doctor *d)
{
	machine_read(d->root, "/proc/cmdline", d->cmdline, sizeof(d->cmdline));
	machine_release(d->root, d->release);
	doctor_check_crash(d);
	doctor_check_region(d);
	doctor_check_hook(d);
	doctor_check_kdump_settings(d);
	doctor_check_capture_boot(d);
	doctor_check_seal(d);
	doctor_check_reset(d);
	doctor_check_modules(d);
	doctor_check_after(d);
	doctor_check_room(d);
	doctor_check_send(d);
	doctor_check_memory_errors(d);
}

void doctor_say(struct doctor *d, const char *check, enum doctor_verdict verdict,
		const char *advice, const char *fmt, ...)
{
	struct doctor_finding *f;
	char raw[sizeof(f->found)];
	va_list ap;

	if (d->nr == DOCTOR_MAX)
		return;
	f = &d->list[d->nr++];
	f->check = check;
	f->verdict = verdict;
	f->seconds = -1;
	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	escape_text(f->found, sizeof(f->found), raw, strlen(raw));
	snprintf(f->advice, sizeof(f->advice), "%s", advice ? advice : "");
}

void doctor_took(struct doctor *d, s64 seconds)
{
	if (d->nr && seconds >= 0)
		d->list[d->nr - 1].seconds = seconds;
}

unsigned int doctor_count(const struct doctor *d, enum doctor_verdict verdict)
{
	unsigned int i, n = 0;

	for (i = 0; i < d->nr; i++)
		n += d->list[i].verdict == verdict;
	return n;
}

static const char *const verdicts[] = {
	[DOCTOR_OK] = "ok",
	[DOCTOR_WARNING] = "warning",
	[DOCTOR_FAILURE] = "failure",
};

void doctor_put_text(const struct doctor *d)
{
	const struct doctor_finding *f;
	unsigned int i;

	for (i = 0; i < d->nr; i++) {
		f = &d->list[i];
		printf("%-8s %-11s  %s\n", verdicts[f->verdict], f->check, f->found);
		if (f->advice[0])
			printf("%-8s %-11s  -> %s\n", "", "", f->advice);
	}
}

void doctor_put_json(const struct doctor *d)
{
	struct json j = { .f = stdout };
	unsigned int i;

	json_open(&j, NULL, '[');
	for (i = 0; i < d->nr; i++) {
		json_open(&j, NULL, '{');
		json_str(&j, "check", d->list[i].check);
		json_str(&j, "verdict", verdicts[d->list[i].verdict]);
		json_str(&j, "found", d->list[i].found);
		if (d->list[i].advice[0])
			json_str(&j, "advice", d->list[i].advice);
		else
			json_null(&j, "advice");
		if (d->list[i].seconds >= 0)
			json_u64(&j, "seconds", d->list[i].seconds);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_end(&j);
}
