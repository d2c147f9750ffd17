// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/parse_number.h"
#include "rehearsal/agreement.h"
#include "rehearsal/corrected_error.h"
#include "rehearsal/deliberate_crash.h"
#include "common.h"

#define NAME	"inject"

struct inject_options {
	const char *root;
	struct corrected_error error;
	bool has_place;		/* --cpu or --bank */
	bool yes;
	bool force;
};

/* Whom it would surprise, and what would not be recorded. */
static bool is_refused(const struct inject_options *opt)
{
	if (machine_exists(opt->root, "/proc/vmcore"))
		fputs("epitaph " NAME ": /proc/vmcore is there: this is a capture kernel; expected the system that is to be tested; run it there\n",
		      stderr);
	else if (!opt->force && !machine_exists(opt->root, "/sys/kernel/epitaph/current"))
		fputs("epitaph " NAME ": /sys/kernel/epitaph/current is not there: the recorder is not loaded; expected one that records what is injected; run: modprobe epitaph, or use --force\n",
		      stderr);
	else
		return !opt->force && !agreement_alone(opt->root, NAME);
	return true;
}

static int inject_corrected(const struct inject_options *opt)
{
	struct corrected_error error = opt->error;
	struct err err = ERR_INIT;

	if (is_refused(opt))
		return ERR_DAMAGED;
	if (corrected_error_find(&error, opt->root, &err) ||
	    corrected_error_check(&error, opt->root, &err))
		return status_fail(NAME, &err);
	if (error.way == CORRECTED_BY_FIRMWARE && opt->has_place)
		return cmd_misuse(NAME, "--cpu and --bank: the firmware (EINJ) chooses both; expected neither; leave them out, or run: modprobe mce_inject");
	if (error.way == CORRECTED_BY_KERNEL)
		printf("The kernel will report one corrected error of CPU %u, bank %u, although there was none.\n",
		       error.cpu, error.bank);
	else
		puts("The firmware will make one memory error that is corrected.");
	if (!agreement_get(opt->root, "do so", opt->yes))
		return ERR_DAMAGED;
	if (corrected_error_make(&error, opt->root, &err))
		return status_fail(NAME, &err);
	puts("It is done. What was recorded: epitaph save -o DIR --live, then epitaph mce DIR/region");
	return status_flush(NAME);
}

/* As epitaph test-crash does, which can verify it afterwards. */
static int inject_crash(const struct inject_options *opt)
{
	struct crash_test test;
	struct err err = ERR_INIT;
	s64 loaded = 0;

	if (is_refused(opt))
		return ERR_DAMAGED;
	machine_number(opt->root, "/sys/kernel/kexec_crash_loaded", &loaded);
	printf("This machine will crash now, %s. After that: epitaph test-crash --verify\n",
	       loaded ? "and the capture kernel saves it" : "without a capture kernel");
	if (!agreement_get(opt->root, "crash it", opt->yes))
		return ERR_DAMAGED;
	fflush(stdout);
	if (crash_test_begin(&test, opt->root, !loaded, &err) ||
	    crash_test_keep(&test, opt->root, &err))
		return status_fail(NAME, &err);
	crash_test_crash(&test, opt->root, &err);
	return status_fail(NAME, &err);
}

static bool take_place(struct inject_options *opt, const char *option, u32 most, u32 *ret)
{
	u64 n;

	if (parse_number(optarg, most, &n)) {
		*ret = n;
		return opt->has_place = true;
	}
	cmd_misuse(NAME, "--%s: %s; expected a number from 0 to %u; give one", option, optarg, most);
	return false;
}

int cmd_inject(int argc, char **argv)
{
	struct inject_options opt = { .root = "" };
	const char *what;
	int c;

	while ((c = cmd_next_option(argc, argv)) != -1) {
		if (c == 'r')
			opt.root = optarg;
		else if (c == 'y')
			opt.yes = true;
		else if (c == 'f')
			opt.force = true;
		else if (c == 'c' && !take_place(&opt, "cpu", 8191, &opt.error.cpu))
			return ERR_USAGE;
		else if (c == 'b' && !take_place(&opt, "bank", 255, &opt.error.bank))
			return ERR_USAGE;
		else if (c != 'c' && c != 'b')
			return cmd_usage(NAME);
	}
	if (argc - optind != 1)
		return cmd_misuse(NAME, "%d words behind the options; expected one, corrected or crash; say which",
				  argc - optind);
	what = argv[optind];
	if (strcmp(what, "corrected") && strcmp(what, "crash"))
		return cmd_misuse(NAME, "cannot inject: %s; expected corrected or crash; say which", what);
	if (!strcmp(what, "crash") && opt.has_place)
		return cmd_misuse(NAME, "--cpu and --bank with crash; expected them with corrected alone; leave them out");
	if (cmd_check_root(NAME, opt.root))
		return ERR_USAGE;
	if (!*opt.root && geteuid())
		return cmd_needs_root(NAME, "it writes to files of the kernel");
	return strcmp(what, "crash") ? inject_corrected(&opt) : inject_crash(&opt);
}
