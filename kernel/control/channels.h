/* SPDX-License-Identifier: GPL-2.0-only */
/* /sys/kernel/epitaph/channels: how each ring is doing.  docs/sysfs.md is the ABI. */
#ifndef EPITAPH_CONTROL_CHANNELS_H
#define EPITAPH_CONTROL_CHANNELS_H

#include <linux/types.h>

struct kobject;

/**
 * epitaph_channels_start() - the directory appears
 * @parent: where
 *
 * Context: process, may sleep; the rings are there.
 * Return: 0, or an error; what there is of it goes with epitaph_channels_stop().
 */
int epitaph_channels_start(struct kobject *parent);

/**
 * epitaph_channels_stop() - remove the files; afterwards no reader is left
 *
 * Context: process, may sleep.
 */
void epitaph_channels_stop(void);

/* While held no file of a ring is read, so that the ring may move.  Context: process, may sleep. */
void epitaph_channels_hold(bool hold);

struct epitaph_channel_dir;
struct epitaph_ring;

/**
 * epitaph_channel_dir_add() - the same for a channel that was added
 * @name: of the channel
 * @rings: by CPU; they stay until epitaph_channel_dir_remove()
 *
 * Context: as above, and not at once with the removal of that channel.
 * Return: for epitaph_channel_dir_remove(); NULL: the directory could not be made.  The
 *	channel records without it.
 */
struct epitaph_channel_dir *epitaph_channel_dir_add(const char *name,
						    struct epitaph_ring __percpu *rings);

/* Afterwards no reader of the files is left.  NULL is fine. */
void epitaph_channel_dir_remove(struct epitaph_channel_dir *dir);

#endif /* EPITAPH_CONTROL_CHANNELS_H */
