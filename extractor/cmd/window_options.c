// SPDX-License-Identifier: GPL-2.0-or-later
#include "window_options.h"

#include "debuginfo/debuginfo_path.h"
#include "debuginfo/debuginfod_client.h"
#include "common.h"

/* @possible: what it could have been */
static int wrong(const char *name, const char *option, const char *arg, const char *possible)
{
	cmd_misuse(name, "--%s: %s, and not \"%s\"", option, possible, arg);
	return -1;
}

/* --last, --events and --all exclude each other. */
static int set_kind(struct window *window, const char *name, enum window_kind kind)
{
	if (window->kind != WINDOW_DEFAULT && window->kind != kind) {
		cmd_misuse(name, "only one of --last, --events and --all");
		return -1;
	}
	window->kind = kind;
	return 1;
}

int options_take(struct window *window, const char *name, int opt, const char *arg)
{
	u64 n;

	switch (opt) {
	case 'l':
		if (!cmd_seconds(arg, &window->ns))
			return wrong(name, "last", arg, "seconds, like 0.25 or 10");
		return set_kind(window, name, WINDOW_LAST_NS);
	case 'n':
		if (!cmd_number(arg, 1ULL << 62, &window->events))
			return wrong(name, "events", arg, "a whole number");
		return set_kind(window, name, WINDOW_LAST_EVENTS);
	case 'a':
		return set_kind(window, name, WINDOW_ALL);
	case 'C':
		if (!cmd_number(arg, UINT32_MAX - 1, &n))
			return wrong(name, "cpu", arg, "the number of one CPU, from 0");
		window->cpu = n;
		return 1;
	case 'P':
		if (!cmd_number(arg, UINT32_MAX, &n))
			return wrong(name, "pid", arg, "the number of one thread, from 0");
		window->pid = n;
		return 1;
	case 'c':
		window->comm = arg;
		return 1;
	case 'e':
		window->event = arg;
		return 1;
	case 'h':
		window->channel = arg;
		return 1;
	case 'd':
		window->damaged = true;
		return 1;
	}
	return 0;
}

bool options_take_debug(const char *name, int opt, const char *arg)
{
	struct err err = ERR_INIT;
	int ret = 0;

	if (opt == 'D')
		ret = debug_places_add(arg, &err);
	else if (opt == 'F')
		ret = debuginfod_want(&err);
	if (ret)
		cmd_misuse(name, "%s", err.msg);
	return !ret;
}
