/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the extractor makes of a sub-buffer, against what ring_reader does. */
#ifndef _EPITAPH_RING_SECOND_H
#define _EPITAPH_RING_SECOND_H

#include "ring_reader.h"

/**
 * second_opinion() - read the same bytes with the extractor's own code
 * @first: as reader_sub() left it, from the same arguments
 *
 * Return: what they do not agree on, or NULL.
 */
const char *second_opinion(const struct reader_sub *first, const uint8_t *data,
			   uint32_t size, uint32_t off, uint64_t salt,
			   const uint16_t *words);

#endif /* _EPITAPH_RING_SECOND_H */
