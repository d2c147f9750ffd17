/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The collector's side of one connection. */
#ifndef EPITAPH_TRANSFER_RECEIVE_H
#define EPITAPH_TRANSFER_RECEIVE_H

#include "depot.h"
#include "wire.h"

/**
 * struct receive - how to treat it
 * @host: what it must call itself; "": anything
 * @from: who it is, for people
 * @proved: set when it has the key, or has said its lines where there is none; NULL: nobody asks
 */
struct receive {
	const struct depot *depot;
	const struct secret *key;
	const char *host;
	const char *from;
	bool *proved;
};

/**
 * receive() - take one trace, and answer
 * @said: one line about it, escaped, to be logged; "" where nothing came of it
 *
 * Return: 0: stored, or there already, or a check; else why not, which the
 *	sender has been told if it is still there.
 */
int receive(const struct receive *r, struct wire *w, char *said, size_t size, struct err *err);

#endif
