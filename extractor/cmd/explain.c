// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include "explain/explain_files.h"
#include "common.h"
#include "latest.h"

int cmd_explain(int argc, char **argv)
{
	struct explain_request request = { .choice = CHOICE_INIT };
	bool latest = false;
	const struct reading reading = { .name = "explain", .run = explain_files, .arg = &request, .make_dir = -1, .paged = true };
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'j')
			request.json = true;
		else if (opt == 'L')
			latest = true;
		else if (cmd_take_choice(&request.choice, "explain", opt))
			return ERR_USAGE;
	}
	if (request.choice.nr_with && (request.json || request.choice.guest))
		return cmd_misuse("explain", "--with: not together with %s", request.json ? "--json" : "--guest");
	explain_prepare();
	return latest ? cmd_print_latest(&reading, NULL, argv + optind) :
			cmd_print(&reading, argc, argv);
}
