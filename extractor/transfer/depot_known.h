/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which generations a host's traces have.  kdump saves a region and the next boot
 * harvests a generation of it: two traces, and one content.
 */
#ifndef EPITAPH_TRANSFER_DEPOT_KNOWN_H
#define EPITAPH_TRANSFER_DEPOT_KNOWN_H

#include "spool/manifest.h"

/* Beside a trace's files: a digest on each line, as its sender told them. */
#define DEPOT_KNOWN	"generations"

/**
 * depot_known() - are all generations of a trace in other traces of its host?
 * @host: descriptor of the host's directory
 * @name: if so, of the trace that has the newest one
 *
 * Return: 0: not all, or it is not known which it has; DEPOSIT_WITHIN: they are, on disk; -ERR_IO.
 */
int depot_known(int host, const struct manifest *m, char name[MANIFEST_PLACE], struct err *err);

#define DEPOT_KNOWN_TEXT	(MANIFEST_GENERATIONS * DIGEST_TEXT + 1)

/* What is in that file. */
void depot_known_text(const struct manifest *m, char text[DEPOT_KNOWN_TEXT]);

#endif
