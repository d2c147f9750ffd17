// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/doctor.h"
#include "common.h"

/* "kdump, space"; what does not fit is left out. */
static void list_checks(const struct doctor *d, enum doctor_verdict verdict, char *buf,
			size_t size)
{
	size_t len = 0;
	unsigned int i;

	buf[0] = '\0';
	for (i = 0; i < d->nr; i++)
		if (d->list[i].verdict == verdict && len < size)
			len += snprintf(buf + len, size - len, "%s%s", len ? ", " : "",
					d->list[i].check);
}

/* One line; in the journal, with the priority of the verdict: err, warning or notice. */
static void put_brief(const struct doctor *d)
{
	unsigned int failures = doctor_count(d, DOCTOR_FAILURE);
	unsigned int warnings = doctor_count(d, DOCTOR_WARNING);
	char failed[256], warned[256];

	list_checks(d, DOCTOR_FAILURE, failed, sizeof(failed));
	list_checks(d, DOCTOR_WARNING, warned, sizeof(warned));
	if (getenv("JOURNAL_STREAM"))
		fputs(failures ? "<3>" : warnings ? "<4>" : "<5>", stdout);
	if (failures)
		printf("a crash would not leave what it should; failed: %s%s%s (epitaph doctor says what to do)\n",
		       failed, warnings ? "; warnings: " : "", warned);
	else if (warnings)
		printf("a crash would leave a trace; warnings: %s (epitaph doctor has them)\n", warned);
	else
		printf("a crash would leave a trace: %u checks, all well\n", d->nr);
}

static void put_summary(const struct doctor *d)
{
	fflush(stdout);
	fprintf(stderr, "epitaph doctor: %u checks, %u failed, %u with a warning\n", d->nr,
		doctor_count(d, DOCTOR_FAILURE), doctor_count(d, DOCTOR_WARNING));
}

static int examine(const char *root, int how)
{
	struct doctor d = { .root = root };

	doctor_run(&d);
	if (how == 'b')
		put_brief(&d);
	else if (how == 'j')
		doctor_put_json(&d);
	else
		doctor_put_text(&d);
	if (how != 'b')
		put_summary(&d);
	return status_worse(doctor_count(&d, DOCTOR_FAILURE) ? ERR_DAMAGED : ERR_OK,
			 status_flush("doctor"));
}

int cmd_doctor(int argc, char **argv)
{
	const char *root = "";
	int opt, how = 't';

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'j' || opt == 'b')
			how = opt;
		else if (opt == 'r')
			root = optarg;
		else
			return cmd_usage("doctor");
	}
	if (optind < argc)
		return cmd_misuse("doctor", "it looks at this machine, not at files");
	if (cmd_check_root("doctor", root))
		return ERR_USAGE;
	if (!*root && geteuid())
		return cmd_needs_root("doctor", "it reads addresses and files that others may not read");
	return examine(root, how);
}
