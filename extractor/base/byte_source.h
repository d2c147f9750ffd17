/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "n bytes at an offset" of one section, from a dump or from memory: so that
 * rings are read without knowing what they lie in.
 */
#ifndef EPITAPH_BASE_BYTE_SOURCE_H
#define EPITAPH_BASE_BYTE_SOURCE_H

#include "err.h"
#include "types.h"

/**
 * struct source - where the bytes of a section come from
 * @read: bytes from @off on that are there, at most @size; < 0: a system call failed
 * @next: the first @next >= @off with bytes, and how many; false: there is nothing
 * @priv: theirs
 */
struct source {
	ssize_t (*read)(void *priv, u64 off, void *buf, size_t size, struct err *err);
	bool (*next)(void *priv, u64 off, u64 *next, u64 *len);
	void *priv;
};

/* Bytes in memory; they stay their owner's, and so does @mem. */
struct source_memory {
	const void *data;
	size_t size;
};

struct source source_of_memory(struct source_memory *mem);

#endif
