/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who reads a rwsem: its word names the last reader alone, who may have left while another one reads still. */
#ifndef EPITAPH_JUDGE_READER_H
#define EPITAPH_JUDGE_READER_H

#include "owners.h"

/**
 * reader_holds() - does the last reader of a rwsem hold it by its code?
 * @wait: for the rwsem
 *
 * Return: true: it has one reader, and code on the last reader's stack took a rwsem to read and did not give one
 * back since, in the order of its instructions. False: it did not, or that is not known.
 */
bool reader_holds(const struct explain *explain, const struct owners *owners, const struct kernel_wait *wait);

#endif
