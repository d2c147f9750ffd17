/* SPDX-License-Identifier: GPL-2.0-only */
/* The header of a generation that began before all of it was known. */
#ifndef EPITAPH_CORE_REGION_COMPLETE_H
#define EPITAPH_CORE_REGION_COMPLETE_H

/**
 * epitaph_region_complete() - boot id, build id and KASLR offset into the header
 *
 * @again: when it began, too, by clocks that are good now
 *
 * The copy of the table first: a CPU that stops in the middle leaves one of the two whole.
 *
 * Context: process; files can be read.
 */
void epitaph_region_complete(bool again);

#endif /* EPITAPH_CORE_REGION_COMPLETE_H */
