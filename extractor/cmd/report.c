// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include "report/requests.h"
#include "spool/side_files.h"
#include "common.h"
#include "latest.h"

/* In front of cmd_print(): what reads a dump opens no other file. */
static void read_why(void *arg, const char *region)
{
	struct report_request *request = arg;

	side_file_read_why(region, request->why, sizeof(request->why));
}

int cmd_report(int argc, char **argv)
{
	struct report_request request = { .choice = CHOICE_INIT };
	struct turns turns = { 0 };
	bool latest = false;
	struct reading reading = { .name = "report", .run = report_files, .arg = &request, .make_dir = -1, .paged = true, .turns = &turns };
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
	if (request.choice.nr_with && request.choice.guest)
		return cmd_misuse("report", "--with: not together with --guest");
	request.choice.turns = &turns;
	turns.asked = request.choice.jobs;
	/* What a line of text costs is mostly to find its event, which each process does. */
	if (turns.asked || (request.choice.all && request.json))
		reading.jobs = choice_jobs(&request.choice);
	if (!latest && optind == argc - 1)
		read_why(&request, argv[optind]);
	return latest ? cmd_print_latest(&reading, read_why, argv + optind) :
			cmd_print(&reading, argc, argv);
}
