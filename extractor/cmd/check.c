// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/requests.h"
#include "common.h"

int cmd_check(int argc, char **argv)
{
	struct report_request request = { .choice = CHOICE_INIT };
	const struct reading reading = { .name = "check", .run = check_files, .arg = &request, .make_dir = -1, .paged = true };
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'j')
			request.json = true;
		else if (cmd_take_choice(&request.choice, "check", opt))
			return ERR_USAGE;
	}
	return cmd_print(&reading, argc, argv);
}
