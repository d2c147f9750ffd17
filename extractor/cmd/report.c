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
	if (request.choice.nr_with && request.choice.guest)
		return cmd_misuse("report", "--with: not together with --guest");
	if (!latest && optind == argc - 1)
		read_why(&request, argv[optind]);
	return latest ? cmd_print_latest("report", report_files, &request, read_why, argv + optind) :
			cmd_print(report_files, &request, argc, argv);
}
