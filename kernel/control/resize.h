/* SPDX-License-Identifier: GPL-2.0-only */
/* The size of a channel that was added, changed while it records: docs/sizes.md. */
#ifndef EPITAPH_CONTROL_RESIZE_H
#define EPITAPH_CONTROL_RESIZE_H

#include <linux/types.h>

struct epitaph_answer;

/**
 * struct epitaph_resize - what is wanted; 0: as it is
 * @size: bytes of the pool, all CPUs together; excludes @nr_subs
 * @sub_size: of a sub-buffer: a power of two from 1024 to EPITAPH_MAX_SUB
 * @nr_subs: sub-buffers of each CPU
 */
struct epitaph_resize {
	u64 size;
	u32 sub_size;
	u32 nr_subs;
};

/**
 * epitaph_added_resize() - the rings of a channel move to memory of another size
 * @answer: what stays of the history, or what is wrong
 * @name: of a channel that overwrites
 *
 * Writers go on; what fits of the history stays, the newest first.
 *
 * Context: process, may sleep; between epitaph_probes_start() and epitaph_probes_stop().
 * Return: 0 also if it has that size; -ENOENT, -EINVAL, -ENOSPC, -EBUSY, -ENOMEM.
 */
int epitaph_added_resize(struct epitaph_answer *answer, const char *name, const struct epitaph_resize *to);

#endif /* EPITAPH_CONTROL_RESIZE_H */
