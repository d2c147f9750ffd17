// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/requests.h"
#include "common.h"

int cmd_report(int argc, char **argv)
{
	struct report_request request = { .choice = CHOICE_INIT };
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'm')
			request.monotonic = true;
		else if (opt == 'j')
			request.json = true;
		else if (cmd_take_choice(&request.choice, "report", opt))
			return ERR_USAGE;
	}
	return cmd_print(report_files, &request, argc, argv);
}
