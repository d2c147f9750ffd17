/* SPDX-License-Identifier: GPL-2.0-only */
/* /sys/kernel/epitaph: what the region holds.  docs/sysfs.md is its ABI. */
#ifndef _EPITAPH_SYSFS_H
#define _EPITAPH_SYSFS_H

/**
 * epitaph_sysfs_start() - the directory appears
 *
 * If it cannot, or not whole, the log says so, and the recorder does without.
 *
 * Context: process, may sleep; what earlier boots left has been found.
 */
void epitaph_sysfs_start(void);

/**
 * epitaph_sysfs_stop() - and goes; afterwards nobody reads or writes there
 *
 * Context: process, may sleep; after epitaph_sysfs_start().
 */
void epitaph_sysfs_stop(void);

#endif /* _EPITAPH_SYSFS_H */
