// SPDX-License-Identifier: GPL-2.0-or-later
/* Guests of this host: docs/virtual-machines.md. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common.h"

#ifdef EPITAPH_NO_GUESTS

int cmd_guest(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	fprintf(stderr, "epitaph guest: this build is for capture kernels, which have no guests\n");
	return ERR_USAGE;
}

#else

#include "base/escape.h"
#include "base/text.h"
#include "guest/guest_capture.h"
#include "guest/guest_state.h"
#include "guest/guest_watch.h"

#define CONF	"/etc/epitaph/guests.conf"

struct guest_options {
	struct guest_watch watch;
	const char *memory;
};

/* The memory of one guest, and which it is. */
struct guest_to_save {
	char label[256];
	char dir[GUEST_NAME];
	int memory[GUEST_STATE_MEMORIES];
	size_t nr_memory;
};

static int open_memory_file(struct guest_to_save *guest, const char *path, bool follow,
			    struct err *err)
{
	int fd = guest_open_memory(path, follow, err);

	if (fd < 0)
		return fd;
	guest->memory[guest->nr_memory++] = fd;
	return 0;
}

/* By what the service says of it. */
static int find_guest(struct guest_to_save *guest, const struct guest_options *opt, const char *name,
		      struct err *err)
{
	static struct guest_state state;
	int ret = guest_state_find(&state, opt->watch.state, name, err);
	size_t i;

	if (ret < 0)
		return ret;
	if (!ret)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "no guest %s is watched; \"epitaph status\" lists them, and --memory FILE needs no service",
			       name);
	snprintf(guest->dir, sizeof(guest->dir), "%.*s", GUEST_NAME - 1, state.dir);
	for (i = 0, ret = 0; i < state.nr_memory && !ret; i++)
		ret = open_memory_file(guest, state.memory[i], false, err);
	if (!ret && !guest->nr_memory)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "%s has no file of memory", name);
	return ret;
}

static void report_copy(const struct guest_options *opt, const struct guest_to_save *guest,
			const struct guest_saved *saved)
{
	char size[32];

	text_size(size, sizeof(size), saved->region.size);
	printf("%s %s/%s/%s: %s, %s\n", saved->was_there ? "saved before, in" : "saved", opt->watch.store, guest->dir,
	       saved->name, size, saved->region.words);
}

static int save_guest(const struct guest_options *opt, const char *name)
{
	struct guest_to_save guest = { .nr_memory = 0 };
	struct guest_saved *saved = guest_saved_new();
	struct err err = ERR_INIT;
	struct guest_capture capture = {
		.label = guest.label, .memory = guest.memory, .console = "",
		.words = "saved by epitaph guest save\n", .known = "", .keep_ended = true,
	};
	int status;

	escape_text(guest.label, sizeof(guest.label), name, strlen(name));
	guest_dir_name(guest.dir, name, "");
	if (!saved)
		err_sys(&err, "no memory");
	else if (opt->memory)
		open_memory_file(&guest, opt->memory, true, &err);
	else
		find_guest(&guest, opt, name, &err);
	if (!err.code)
		capture.store = guest_open_store(opt->watch.store, guest.dir, false, &err);
	if (err.code)
		return status_fail("guest save", &err);
	capture.nr_memory = guest.nr_memory;
	status = guest_capture_make(&capture, saved);
	if (*saved->name)
		report_copy(opt, &guest, saved);
	return status_worse(status, status_flush("guest save"));
}

int cmd_guest(int argc, char **argv)
{
	struct guest_options opt = { .watch = { CONF, GUEST_STORE, GUEST_STATE } };
	int c;

	while ((c = cmd_next_option(argc, argv)) != -1) {
		if (c == 'f')
			opt.watch.conf = optarg;
		else if (c == 'o')
			opt.watch.store = optarg;
		else if (c == 's')
			opt.watch.state = optarg;
		else if (c == 'm')
			opt.memory = optarg;
		else
			return cmd_usage("guest");
	}
	if (argc - optind == 1 && !strcmp(argv[optind], "watch"))
		return guest_watch_run(&opt.watch);
	if (argc - optind == 2 && !strcmp(argv[optind], "save"))
		return save_guest(&opt, argv[optind + 1]);
	return cmd_misuse("guest", "watch, or save and the NAME of a guest");
}

#endif
