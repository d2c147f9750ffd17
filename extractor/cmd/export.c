// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "explain/explain_files.h"
#include "export/export_files.h"
#include "common.h"

/* Nothing is left of what did not succeed. */
static int export_to(const char *path, struct export_request *r, int argc, char **argv)
{
	struct reading reading = { .name = "export", .run = export_files, .arg = r };
	struct err err = ERR_INIT;
	int status;

	if ((r->target->to_dir ? output_dir : output_file)(&r->out, path, &err))
		return status_fail("export", &err);
	reading.make_dir = r->out.dir;
	reading.turns = r->choice.turns;
	if (r->target->by_turns && (r->choice.jobs || !(r->choice.has_ns || r->choice.has_events)))
		reading.jobs = choice_jobs(&r->choice);
	status = reading_run(&reading, cmd_files(argc, argv));
	if (status > ERR_DAMAGED)
		output_discard(&r->out);
	else if (output_finish(&r->out, &err))
		return status_fail("export", &err);
	return status;
}

static const struct export_target *find_target(const char *name)
{
	const struct export_target *target;
	char names[200] = "";
	size_t n = 0;

	for (target = export_targets; target->name; target++) {
		if (!strcmp(target->name, name))
			return target;
		n += snprintf(names + n, sizeof(names) - n, " %s", target->name);
	}
	cmd_misuse("export", "--to %s: this version writes%s", name, names);
	return NULL;
}

int cmd_export(int argc, char **argv)
{
	struct export_request r = { .choice = CHOICE_INIT };
	struct turns turns = { 0 };
	const char *to = NULL, *path = NULL;
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 't')
			to = optarg;
		else if (opt == 'o')
			path = optarg;
		else if (cmd_take_choice(&r.choice, "export", opt))
			return ERR_USAGE;
	}
	if (!to)
		return cmd_misuse("export", "--to NAME is missing");
	if (!path)
		return cmd_misuse("export", "-o OUT is missing");
	if (optind == argc)
		return cmd_misuse("export", "no FILE: name a vmcore or a region");
	r.target = find_target(to);
	if (!r.target)
		return ERR_USAGE;
	if (r.choice.nr_with && ((!r.target->joint_to_file && !r.target->joint_to_page) || r.choice.guest))
		return cmd_misuse("export", "--with: not together with %s", r.choice.guest ? "--guest" : to);
	if (!strcmp(path, "-") && r.target->to_dir)
		return cmd_misuse("export", "-o -: %s is a directory of files", to);
	if (!strcmp(path, "-") && r.target->seeks)
		return cmd_misuse("export", "-o -: %s cannot be written as a stream: what a CPU recorded lies together in it",
				  to);
	r.choice.turns = &turns;
	turns.asked = r.choice.jobs;
	/* The page says why it died. */
	explain_prepare();
	return export_to(path, &r, argc, argv);
}
