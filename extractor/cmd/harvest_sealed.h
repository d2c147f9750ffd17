/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sealed traces and epitaph harvest: docs/seal.md. */
#ifndef EPITAPH_CMD_HARVEST_SEALED_H
#define EPITAPH_CMD_HARVEST_SEALED_H

#include "spool/harvest.h"
#include "sealing.h"

/**
 * harvest_sealed_put() - seal a generation instead of saving it
 * @out: name, words and unreadable pages
 *
 * It is on disk afterwards.  Return: 0; -ERR_IO; -ERR_NOT_OURS.
 */
int harvest_sealed_put(struct sealing *s, const struct harvest *h, const struct sysfs_generation *gen,
		       bool ended, bool json, struct harvested *out, struct err *err);

/**
 * harvest_sealed_drop() - the capture @name is on disk and whole: its sealed copy goes
 *
 * Not with WHEN=always.  What cannot be removed is printed, and stays.
 */
void harvest_sealed_drop(const char *name, bool json);

#endif
