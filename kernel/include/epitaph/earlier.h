/* SPDX-License-Identifier: GPL-2.0-only */
/* Generations of earlier boots in the region, for the files that hand them out. */
#ifndef _EPITAPH_EARLIER_H
#define _EPITAPH_EARLIER_H

#include <linux/types.h>
#include <epitaph/generation.h>

/**
 * epitaph_region_memory() - the whole region
 * @size: bytes, set on return
 * @phys: where it is, set on return unless NULL
 *
 * The generation of this boot changes while it is looked at; the others only
 * by epitaph_earlier_take().
 *
 * Context: any, NMI included, while the recorder is loaded.
 * Return: the start, mapped.
 */
const void *epitaph_region_memory(u64 *size, phys_addr_t *phys);

/**
 * epitaph_region_is_gone() - was the device with the region removed?
 *
 * Then what stands behind pointers into the region may be another device's.  Who asks in an
 * rcu_read_lock() may read up to its end: who loses the region waits for that.
 *
 * Context: any, while the recorder is loaded.
 */
bool epitaph_region_is_gone(void);

/**
 * epitaph_region_read() - copy bytes of the region, which may have bad pages
 * @off: in the region; @off + @size lies within it
 *
 * Context: any, while the recorder is loaded.
 * Return: bytes copied; fewer than @size: the page behind them cannot be read, or none can any more.
 */
size_t epitaph_region_read(void *to, u64 off, size_t size);

/**
 * epitaph_earlier() - a generation that an earlier boot left
 * @i: from 0, the oldest
 *
 * Those that this boot has overwritten are not among them.
 *
 * Context: any, while the recorder is loaded.
 * Return: valid until it is unloaded; NULL past the end.
 */
const struct epitaph_gen *epitaph_earlier(unsigned int i);

/**
 * epitaph_current() - the generation that is recorded into
 *
 * Its off, size, number, salt and table are set, nothing else.
 *
 * Context: any, while the recorder is loaded.
 */
const struct epitaph_gen *epitaph_current(void);

/**
 * epitaph_earlier_take() - note that a generation is harvested
 * @gen: of epitaph_earlier()
 * @how: by which way
 * @where: for people: the directory
 *
 * From then on a later boot may overwrite it.
 *
 * Context: process; may sleep.
 * Return: 0, -EINVAL if @how is none, -ENXIO if the generation has no room
 *	for the note (its writer was older than format 1.1), or -EHWPOISON if
 *	the room is in a page that cannot be read.
 */
int epitaph_earlier_take(const struct epitaph_gen *gen, enum epitaph_taken_how how,
			 const char *where);

/**
 * epitaph_earlier_lost() - which generations were overwritten unharvested
 * @number: of the last one, set on return if there is one
 * @count: how many since the region was first used, set on return if there is one
 *
 * Context: any, while the recorder is loaded.
 * Return: false if none was.
 */
bool epitaph_earlier_lost(u64 *number, u32 *count);

#endif /* _EPITAPH_EARLIER_H */
