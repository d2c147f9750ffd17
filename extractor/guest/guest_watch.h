/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The service that watches guests: docs/virtual-machines.md. */
#ifndef EPITAPH_GUEST_GUEST_WATCH_H
#define EPITAPH_GUEST_GUEST_WATCH_H

/**
 * struct guest_watch - where its files are
 * @conf: settings
 * @store: of captures
 * @state: of what it says of its guests
 */
struct guest_watch {
	const char *conf;
	const char *store;
	const char *state;
};

/* Until a signal ends it.  Return: the exit status; errors are printed. */
int guest_watch_run(const struct guest_watch *watch);

#endif
