// SPDX-License-Identifier: GPL-2.0-or-later
#include <epitaph/epitaph.h>

#include "report/requests.h"
#include "common.h"

int cmd_info(int argc, char **argv)
{
	struct report_request request = { .choice = CHOICE_INIT };
	u32 sources;
	const struct reading reading = { .name = "info", .run = info_files, .arg = &request, .make_dir = -1, .paged = true };
	int opt;

	request.choice.all_generations = true;
	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'j')
			request.json = true;
		else if (opt == 'k')
			request.stacks = true;
		else if (cmd_take_choice(&request.choice, "info", opt))
			return ERR_USAGE;
	}
	/* Both would be two accounts of the same kernel. */
	sources = request.choice.sources;
	if (optind < argc && (sources & EPITAPH_RECORDER) &&
	    (sources & (EPITAPH_FTRACE | EPITAPH_KERNEL_LOG)))
		return cmd_misuse("info", "--source: the recorder's region, or what the kernel has itself (ftrace,log); not both");
	if (request.stacks && (sources & EPITAPH_RECORDER))
		return cmd_misuse("info", "--stacks reads the dumped kernel's memory, which --source region leaves out");
	if (request.stacks && request.choice.generation)
		return cmd_misuse("info", "--stacks: the stacks are those of the dumped kernel; generations of the recorder have none");
	/* What the dump has without its trace: a region beside it would be taken else. */
	if (request.stacks && !sources)
		request.choice.sources = EPITAPH_KERNEL_LOG;
	return cmd_print(&reading, argc, argv);
}
