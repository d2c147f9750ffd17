// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <sys/stat.h>

#include "base/parse_number.h"
#include "live/follow.h"
#include "common.h"

#define DEVICE	"/dev/epitaph"

static int open_trace(struct follow_request *r, const char *path, struct err *err)
{
	if (mkdir(path, 0700))
		return err_sys(err, "%s", path);
	r->dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return r->dir < 0 ? err_sys(err, "%s", path) : 0;
}

static int follow(struct follow_request *r, const char *ctf_path)
{
	struct reading reading = { .name = "live", .run = follow_device, .arg = r };
	struct err err = ERR_INIT;

	r->fd = open(r->device, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (r->fd < 0) {
		cmd_no_device(&err, r->device);
		return status_fail("live", &err);
	}
	if (ctf_path && open_trace(r, ctf_path, &err))
		return status_fail("live", &err);
	reading.make_dir = r->dir;
	return reading_run(&reading, (struct file_list){ 0 });
}

int cmd_live(int argc, char **argv)
{
	struct follow_request r = { .choice = CHOICE_INIT, .device = DEVICE, .dir = -1 };
	const char *ctf_path = NULL;
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'j')
			r.json = true;
		else if (opt == 't')
			ctf_path = optarg;
		else if (opt == 'd')
			r.device = optarg;
		else if (opt == 'l' && !parse_seconds(optarg, &r.last_ns))
			return cmd_misuse("live", "--last: not a possible number: %s", optarg);
		else if (opt == 'f' && (!parse_seconds(optarg, &r.for_ns) || !r.for_ns))
			return cmd_misuse("live", "--for: not a possible number: %s", optarg);
		else if (opt != 'l' && opt != 'f' && cmd_take_choice(&r.choice, "live", opt))
			return ERR_USAGE;
	}
	if (optind < argc)
		return cmd_misuse("live", "it takes no FILE: %s", argv[optind]);
	if (r.json && ctf_path)
		return cmd_misuse("live", "only one of --json and --ctf");
	return follow(&r, ctf_path);
}
