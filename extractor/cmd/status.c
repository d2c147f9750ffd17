// SPDX-License-Identifier: GPL-2.0-or-later
/* How the recorder of this machine is doing: docs/services.md. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/parse_number.h"
#include "host/device_tree.h"
#include "host/doctor.h"
#include "guest/guest_state.h"
#include "os/sd_notify.h"
#include "spool/recorder_status.h"
#include "common.h"

#define SYSFS	"/sys/kernel/epitaph"
#define EVERY	10	/* seconds between two lines for the manager */

struct status_options {
	const char *sysfs;
	bool json;
	bool notify;
	u64 every_ns;
};

/* The next step for a user whose recorder does not record. */
static const char *advice(void)
{
	struct device_tree_memory tree;
	struct cmdline_memory memory;
	char cmdline[CMDLINE_SIZE];

	if (!access("/proc/vmcore", F_OK))
		return "this is a capture kernel, in which the recorder does not run; epitaph capture saves what the dead one recorded";
	if (!access("/sys/module/epitaph", F_OK))
		return "the module epitaph is loaded and has no such directory: use the epitaph.ko that belongs to this tool";
	if (machine_read("", "/proc/cmdline", cmdline, sizeof(cmdline)) > 0 &&
	    !cmdline_memory(cmdline, &memory) && !strstr(cmdline, "epitaph.pages=") && !device_tree_memory("", &tree))
		return "no memory is reserved for it: epitaph setup --write, then reboot";
	return "modprobe epitaph, and look at dmesg for what it says; epitaph doctor looks at everything";
}

/* A host of guests need not record itself. */
static unsigned int put_guests(void)
{
#ifdef EPITAPH_NO_GUESTS
	return 0;
#else
	return guest_state_print(stdout, GUEST_STATE);
#endif
}

static int fail(struct err *err)
{
	int status = status_fail("status", err);

	if (status == ERR_NOT_OURS)
		fprintf(stderr, "epitaph status: nothing is recorded: %s\n", advice());
	else if (geteuid())
		fprintf(stderr, "epitaph status: this is for root\n");
	return status;
}

static int show(const struct status_options *opt)
{
	struct err err = ERR_INIT;
	struct recorder_status status;
	bool is_lost;
	int ret;

	if (recorder_status_read(&status, opt->sysfs, &err)) {
		ret = fail(&err);
		if (!opt->json)
			put_guests();
		return status_worse(ret, status_flush("status"));
	}
	if (opt->json)
		recorder_status_json(stdout, &status);
	else
		recorder_status_text(stdout, &status);
	if (!opt->json)
		put_guests();
	is_lost = recorder_status_loss(&status) != NULL;
	recorder_status_free(&status);
	ret = status_flush("status");
	return ret || !is_lost ? ret : ERR_NOT_OURS;
}

/* Return: 0, or an error after which no further status can be sent. */
static int report_status(const struct status_options *opt, const struct notify *notify,
			 const char *before,
			 struct err *err)
{
	char line[512], text[600];
	struct recorder_status status;

	if (recorder_status_read(&status, opt->sysfs, err))
		return -err->code;
	recorder_status_line(line, sizeof(line), &status);
	recorder_status_free(&status);
	snprintf(text, sizeof(text), "%sWATCHDOG=1\nSTATUS=%s", before, line);
	return notify_send(notify, text, err);
}

static void rest(u64 ns)
{
	struct timespec time = { ns / 1000000000, ns % 1000000000 };

	nanosleep(&time, NULL);
}

/* Until the manager ends it, or the recorder is gone. */
static int keep_telling(const struct status_options *opt)
{
	struct err err = ERR_INIT;
	struct notify notify;
	u64 every = opt->every_ns;

	if (notify_open(&notify, &err))
		return status_fail("status", &err);
	if (notify.watchdog_ns && every > notify.watchdog_ns / 2)
		every = notify.watchdog_ns / 2;
	if (!report_status(opt, &notify, "READY=1\n", &err))
		do
			rest(every);
		while (!report_status(opt, &notify, "", &err));
	notify_send(&notify, "STATUS=Nothing is recorded any more", NULL);
	close(notify.fd);
	return fail(&err);
}

int cmd_status(int argc, char **argv)
{
	struct status_options opt = { SYSFS, false, false, EVERY * 1000000000ULL };
	int c;

	while ((c = cmd_next_option(argc, argv)) != -1) {
		if (c == 'j')
			opt.json = true;
		else if (c == 'n')
			opt.notify = true;
		else if (c == 's')
			opt.sysfs = optarg;
		else if (c != 'e')
			return cmd_usage("status");
		else if (!parse_seconds(optarg, &opt.every_ns) || opt.every_ns < 100000000)
			return cmd_misuse("status", "--every: not seconds, or less than 0.1: %s", optarg);
	}
	if (optind < argc)
		return cmd_misuse("status", "it looks at this machine, not at files");
	return opt.notify ? keep_telling(&opt) : show(&opt);
}
