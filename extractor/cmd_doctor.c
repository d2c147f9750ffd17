// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "doctor.h"
#include "json.h"

static const char *const verdicts[] = {
	[DOCTOR_OK] = "ok",
	[DOCTOR_WARNING] = "warning",
	[DOCTOR_FAILURE] = "failure",
};

static void put_text(const struct doctor *d)
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

static void put_json(const struct doctor *d)
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

static unsigned int count(const struct doctor *d, enum doctor_verdict verdict)
{
	unsigned int i, n = 0;

	for (i = 0; i < d->nr; i++)
		n += d->list[i].verdict == verdict;
	return n;
}

/* Also the one line that a daily timer logs. */
static int conclude(const struct doctor *d)
{
	unsigned int failures = count(d, DOCTOR_FAILURE);
	unsigned int warnings = count(d, DOCTOR_WARNING);

	fflush(stdout);
	fprintf(stderr, "epitaph doctor: %u checks, %u failed, %u with a warning\n",
		d->nr, failures, warnings);
	return failures ? ERR_DAMAGED : ERR_OK;
}

static int examine(const char *root, bool json)
{
	struct doctor d = { .root = root };

	doctor_run(&d);
	if (json)
		put_json(&d);
	else
		put_text(&d);
	return cmd_worse(conclude(&d), cmd_flush("doctor"));
}

int cmd_doctor(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "root", required_argument, NULL, 'r' },
		{ 0 },
	};
	const char *root = "";
	bool json = false;
	int opt;

	while ((opt = cmd_getopt(argc, argv, "", options)) != -1) {
		if (opt == 'j')
			json = true;
		else if (opt == 'r')
			root = optarg;
		else
			return cmd_usage("doctor");
	}
	if (optind < argc)
		return cmd_misuse("doctor", "it looks at this machine, not at files");
	if (!*root && geteuid())
		return cmd_misuse("doctor", "only root can see what it has to look at");
	return examine(root, json);
}
