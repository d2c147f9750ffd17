// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/requests.h"
#include "common.h"

int cmd_mce(int argc, char **argv)
{
	struct report_request request = { .choice = CHOICE_INIT };
	const struct reading reading = { .name = "mce", .run = mce_files, .arg = &request, .make_dir = -1, .paged = true };
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'j')
			request.json = true;
		else if (opt == 'r')
			request.raw = true;
		else if (opt == 'R')
			request.sql = true;
		else if (cmd_take_choice(&request.choice, "mce", opt))
			return ERR_USAGE;
		if (request.json + request.raw + request.sql > 1)
			return cmd_misuse("mce", "only one of --json, --raw and --rasdaemon");
	}
	return cmd_print(&reading, argc, argv);
}
