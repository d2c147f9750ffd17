/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sender's side of one connection. */
#ifndef EPITAPH_TRANSFER_TRANSMIT_H
#define EPITAPH_TRANSFER_TRANSMIT_H

#include "spool/manifest.h"
#include "wire.h"

/**
 * transmit() - give one trace to a collector
 * @dir: descriptor of its directory; -1: a check, of which @m has the host only
 * @placed: whether the collector had it already
 *
 * No byte of a file is given before the collector has proved that it has @key.
 *
 * Return: 0: it is stored there, durable; -ERR_CORRUPT: it will not be, without
 *	something being mended; -ERR_IO: it may be the next time.
 */
int transmit(struct wire *w, const struct manifest *m, int dir, const struct secret *key,
	     struct placed *placed, struct err *err);

#endif
