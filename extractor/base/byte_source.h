/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes at an offset of one section of a region, from a dump or from memory: rings are read
 * without knowing where they lie.
 */
#ifndef EPITAPH_BASE_BYTE_SOURCE_H
#define EPITAPH_BASE_BYTE_SOURCE_H

#include "err.h"
#include "types.h"

/**
 * struct source - where the bytes of a section come from
 * @read: up to @size bytes from @off on; fewer where bytes are missing; < 0: -ERR_IO
 * @next: the first @next >= @off with bytes, and how many; false: none
 * @repair: as generation_repair(), of bytes that @read gave; NULL: none
 * @priv: the first argument of all
 * @place: the offset that the check of a sub-buffer at @off is seeded by; NULL: @off
 */
struct source {
	ssize_t (*read)(void *priv, u64 off, void *buf, size_t size, struct err *err);
	bool (*next)(void *priv, u64 off, u64 *next, u64 *len);
	bool (*repair)(void *priv, u64 off, void *buf, size_t size);
	void *priv;
	u64 (*place)(void *priv, u64 off);
};

/* Bytes in memory, which the caller owns as it owns @mem. */
struct source_memory {
	const void *data;
	size_t size;
};

struct source source_of_memory(struct source_memory *mem);

#endif
