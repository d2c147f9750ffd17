/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connections of others, a process for each, and not too many. */
#ifndef EPITAPH_TRANSFER_LISTEN_H
#define EPITAPH_TRANSFER_LISTEN_H

#include "base/err.h"

#define LISTEN_PEER	64	/* characters of an address, with the zero */

#define LISTEN_PEERS	64	/* connections that are served at the same time */
#define LISTEN_OF_ONE	8	/* of one address, or one /64 of IPv6 */

/**
 * struct listen - what is done with one
 * @serve: in a process of its own, which ends when it returns
 *	@peer: whose it is
 *	@proved: to be set as soon as it has proved who it is
 */
struct listen {
	void (*serve)(void *arg, int fd, const char *peer, bool *proved);
	void *arg;
};

/* "PORT", "ADDRESS:PORT", "[ADDRESS]:PORT"; a descriptor, or < 0. */
int listen_open(const char *where, struct err *err);

/* What systemd has opened for us; -1: nothing. */
int listen_inherited(void);

/*
 * Until it fails.  When all places are taken, the newcomer gets that of one who has proved nothing
 * yet, of the address that has the most such; or none, if its own has.
 */
int listen_serve(const struct listen *l, int fd, struct err *err);

#endif
