// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "captures.h"
#include "common.h"

/* The first of the list that is a crash, or may be one: @latest gets it. */
static int find_latest(struct found_capture *latest, char *const *dirs)
{
	struct captures all;
	struct cause cause;
	bool found = false;
	int status;
	size_t i;

	captures_find(&all, "report", dirs, NULL);
	status = all.status;
	for (i = 0; i < all.nr && !found; i++) {
		capture_cause(&cause, &all.list[i]);
		found = cause.end != CAUSE_ENDED;
		*latest = all.list[i];
	}
	captures_free(&all);
	if (found || status)
		return found ? ERR_OK : status;
	fputs("epitaph report: --latest: found no capture of a boot that did not end in order; \"epitaph list\" lists all captures\n",
	      stderr);
	return ERR_NOT_OURS;
}

static int report_latest(struct report_request *request, char **dirs)
{
	static struct found_capture latest;
	char *argv[] = { "report", latest.region, NULL };
	char escaped[4400];
	int status = find_latest(&latest, dirs);

	if (status)
		return status;
	escape_text(escaped, sizeof(escaped), latest.region, strlen(latest.region));
	fprintf(stderr, "epitaph report: %s\n", escaped);
	optind = 1;
	status = cmd_print(report_files, request, 2, argv);
	/* Who has read it need not be reminded at each login: docs/after-crash.md. */
	if (status <= ERR_DAMAGED)
		unlink("/run/motd.d/epitaph");
	return status;
}

int cmd_report(int argc, char **argv)
{
	struct report_request request = { .choice = CHOICE_INIT };
	bool latest = false;
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'm')
			request.monotonic = true;
		else if (opt == 'L')
			latest = true;
		else if (opt == 'j')
			request.json = true;
		else if (cmd_take_choice(&request.choice, "report", opt))
			return ERR_USAGE;
	}
	return latest ? report_latest(&request, argv + optind) :
			cmd_print(report_files, &request, argc, argv);
}
