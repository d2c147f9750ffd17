// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include "report/requests.h"
#include "common.h"
#include "latest.h"

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
	return latest ? cmd_print_latest("report", report_files, &request, argv + optind) :
			cmd_print(report_files, &request, argc, argv);
}
