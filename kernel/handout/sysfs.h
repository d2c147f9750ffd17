/* SPDX-License-Identifier: GPL-2.0-only */
/* /sys/kernel/epitaph: what the region holds.  docs/sysfs.md is its ABI. */
#ifndef EPITAPH_HANDOUT_SYSFS_H
#define EPITAPH_HANDOUT_SYSFS_H

struct epitaph_gen;
struct kobject;

/**
 * epitaph_sysfs_start() - the directory appears
 *
 * If it cannot, or not whole, the log says so, and the recorder does without.
 *
 * Context: process, may sleep; what earlier boots left has been found.
 */
void epitaph_sysfs_start(void);

/**
 * epitaph_sysfs_stop() - remove the files; afterwards no reader or writer is left
 *
 * Context: process, may sleep; after epitaph_sysfs_start().
 */
void epitaph_sysfs_stop(void);

/**
 * epitaph_sysfs_taken() - a generation is harvested: it is no longer linked as waiting
 * @gen: of epitaph_earlier()
 *
 * Context: process, may sleep.
 */
void epitaph_sysfs_taken(const struct epitaph_gen *gen);

/* A directory of kobject_create_and_add() goes; afterwards no reader is left.  NULL is fine. */
void epitaph_sysfs_remove_dir(struct kobject *dir);

#endif /* EPITAPH_HANDOUT_SYSFS_H */
