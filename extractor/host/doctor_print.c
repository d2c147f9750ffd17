// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "base/json.h"
#include "doctor.h"

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
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_end(&j);
}
