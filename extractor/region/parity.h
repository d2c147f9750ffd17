/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Corrects bytes of a generation by the parity of their pages. See docs/parity.md. */
#ifndef EPITAPH_REGION_PARITY_H
#define EPITAPH_REGION_PARITY_H

#include "generation.h"

/* Sets @generation->parity; NULL where it has none. Return: 0, or -ERR_IO. */
int parity_open(struct generation *generation, struct err *err);

/* Accepts NULL. */
void parity_close(struct parity *parity);

/**
 * parity_read_table() - header and section table, corrected by their parity
 * @gf: initialized
 * @addr: of the header at the start of a generation
 * @size: of both, a multiple of EPITAPH_PAGE: the parity lies behind them
 *
 * Return: @size bytes, the caller's; NULL: with this @size, no parity gives a header at @addr.
 */
u8 *parity_read_table(const struct epitaph_gf *gf, struct dump *in, u64 addr, u32 size);

#endif
