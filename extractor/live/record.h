/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a channel in mode "consume" out, into a directory: docs/consume.md. */
#ifndef EPITAPH_LIVE_RECORD_H
#define EPITAPH_LIVE_RECORD_H

#include <epitaph/consume.h>

#include "base/err.h"
#include "base/types.h"

/**
 * struct record_request - what is read, and where to
 * @fd: of /dev/epitaph, reader of the channel by EPITAPH_CONSUME_TAKE
 * @take: what that returned
 * @salt: of the generation
 * @dir: where the pieces go
 * @for_ns: end after so long; 0: when @stop is set
 * @rotate_size: bytes after which a new piece begins; 0: no limit
 * @rotate_ns: the same by time
 * @keep: pieces that stay; 0: all
 * @sync: a sub-buffer is on the disk before it is given back
 * @refresh: called every RECORD_REFRESH_NS, and must return soon
 */
struct record_request {
	int fd;
	struct epitaph_consume_take take;
	u64 salt;
	int dir;
	u64 for_ns;
	u64 rotate_size;
	u64 rotate_ns;
	u64 keep;
	bool sync;
	volatile const int *stop;
	void (*refresh)(void *priv);
	void *priv;
};

#define RECORD_REFRESH_NS	5000000000ULL

/**
 * struct record_counts - the result of record_channel()
 * @bytes: of sub-buffers
 * @pieces: that this call began
 */
struct record_counts {
	u64 subs;
	u64 bytes;
	u32 pieces;
};

/**
 * record_channel() - read until the time is over, and then what there is
 *
 * Begins a new piece; touches no old one, but for @keep.
 * @counts: filled in, also after an error
 *
 * Return: 0, or -ERR_IO: what was not stored was not given back.
 */
int record_channel(const struct record_request *request, struct record_counts *counts,
		   struct err *err);

/* The channel that the first chunk of the directory is of; false: there is none yet. */
bool record_dir_channel(int dir, u32 *channel);

#endif
