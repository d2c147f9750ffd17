/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that choose a part of the timeline. */
#ifndef EPITAPH_CMD_WINDOW_OPTIONS_H
#define EPITAPH_CMD_WINDOW_OPTIONS_H

#include <getopt.h>

#include "timeline/window.h"

/* Rows for getopt_long(): what options_take() understands. */
#define OPTIONS_WINDOW						\
	{ "last", required_argument, NULL, 'l' },		\
	{ "events", required_argument, NULL, 'n' },		\
	{ "all", no_argument, NULL, 'a' },			\
	{ "cpu", required_argument, NULL, 'C' },		\
	{ "pid", required_argument, NULL, 'P' },		\
	{ "comm", required_argument, NULL, 'c' },		\
	{ "event", required_argument, NULL, 'e' },		\
	{ "channel", required_argument, NULL, 'h' },		\
	{ "damaged", no_argument, NULL, 'd' }

/* Rows for options_take_debug(). */
#define OPTIONS_DEBUG						\
	{ "debug-dir", required_argument, NULL, 'D' },		\
	{ "debuginfod", no_argument, NULL, 'F' }

/* Where debuginfo is; false: @opt is one of these, wrong, and that is told for command @name. */
bool options_take_debug(const char *name, int opt, const char *arg);

/* 1: taken; 0: not one of these; -1: wrong, and told for command @name. */
int options_take(struct window *window, const char *name, int opt, const char *arg);

#endif
