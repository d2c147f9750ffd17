// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "rehearsal/agreement.h"
#include "rehearsal/deliberate_crash.h"
#include "common.h"

#define NAME	"test-crash"

struct test_crash_options {
	const char *root;
	bool warm;
	bool yes;
	bool force;
	bool verify;
	bool json;
};

static int summary(const struct doctor *d)
{
	unsigned int failures = doctor_count(d, DOCTOR_FAILURE), i;
	s64 last = -1;

	for (i = 0; i < d->nr; i++)
		last = d->list[i].seconds > last ? d->list[i].seconds : last;
	fflush(stdout);
	if (failures)
		fputs("epitaph " NAME ": not everything came back\n", stderr);
	else if (last < 0)
		fputs("epitaph " NAME ": the trace came back\n", stderr);
	else
		fprintf(stderr, "epitaph " NAME ": the trace came back; the last step was done %lld s after the crash\n",
			(long long)last);
	return failures ? ERR_DAMAGED : ERR_OK;
}

static int verify(const struct test_crash_options *opt)
{
	struct doctor d = { .root = opt->root };
	struct crash_test test;
	struct err err = ERR_INIT;
	char when[48];

	if (crash_test_read(&test, opt->root, &err))
		return status_fail(NAME, &err);
	crash_test_verify(&test, &d);
	if (opt->json) {
		doctor_put_json(&d);
	} else {
		text_date(when, sizeof(when), test.when * 1000000000ULL);
		printf("test crash %s, %s, %s\n", test.token, test.warm ? "without kdump" : "by kdump",
		       when);
		doctor_put_text(&d);
	}
	return status_worse(summary(&d), status_flush(NAME));
}

/* Nothing would come back, and that is known now. */
static bool is_red(const struct test_crash_options *opt, struct doctor *d)
{
	unsigned int i;

	*d = (struct doctor){ .root = opt->root, .without_kdump = opt->warm };
	doctor_run(d);
	for (i = 0; i < d->nr; i++)
		if (d->list[i].verdict == DOCTOR_FAILURE)
			fprintf(stderr, "epitaph " NAME ": %s: %s\n", d->list[i].check,
				d->list[i].found);
	return doctor_count(d, DOCTOR_FAILURE);
}

static void say_what_comes(bool warm)
{
	printf("This machine will crash now, and everything that runs on it ends:\n"
	       "  - file systems are synced; what programs have not written is lost\n");
	if (warm)
		puts("  - without a capture kernel: it panics and restarts, and the next boot harvests the trace");
	else
		puts("  - the capture kernel saves the trace and a vmcore, and restarts the machine");
	puts("  - then: epitaph test-crash --verify");
}

static int make_test_crash(const struct test_crash_options *opt)
{
	struct crash_test test;
	struct err err = ERR_INIT;
	struct doctor d;
	bool red, warm;

	if (machine_exists(opt->root, "/proc/vmcore"))
		return cmd_misuse(NAME, "this is a capture kernel");
	red = is_red(opt, &d);
	if (red && !opt->force) {
		fputs("epitaph " NAME ": epitaph doctor says what to do; --force crashes all the same\n",
		      stderr);
		return ERR_DAMAGED;
	}
	warm = opt->warm || !d.has_kdump;
	say_what_comes(warm);
	if (!agreement_get(opt->root, "crash it", opt->yes))
		return ERR_DAMAGED;
	fflush(stdout);
	if (crash_test_begin(&test, opt->root, warm, &err) ||
	    crash_test_keep(&test, opt->root, &err))
		return status_fail(NAME, &err);
	crash_test_crash(&test, opt->root, &err);
	return status_fail(NAME, &err);
}

int cmd_test_crash(int argc, char **argv)
{
	struct test_crash_options opt = { .root = "" };
	int c;

	while ((c = cmd_next_option(argc, argv)) != -1) {
		if (c == 'r')
			opt.root = optarg;
		else if (c == 'w')
			opt.warm = true;
		else if (c == 'y')
			opt.yes = true;
		else if (c == 'f')
			opt.force = true;
		else if (c == 'V')
			opt.verify = true;
		else if (c == 'j')
			opt.json = true;
		else
			return cmd_usage(NAME);
	}
	if (optind < argc)
		return cmd_misuse(NAME, "it takes no FILE: %s", argv[optind]);
	if (opt.verify && (opt.warm || opt.yes || opt.force))
		return cmd_misuse(NAME, "--verify looks, and crashes nothing");
	if (cmd_check_root(NAME, opt.root))
		return ERR_USAGE;
	if (!*opt.root && geteuid())
		return cmd_needs_root(NAME, "it crashes the machine, or reads what came back");
	return opt.verify ? verify(&opt) : make_test_crash(&opt);
}
