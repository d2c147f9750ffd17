/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/epitaph: the whole region, to be read. */
#ifndef EPITAPH_HANDOUT_DEVICE_H
#define EPITAPH_HANDOUT_DEVICE_H

/**
 * epitaph_device_start() - the device appears
 *
 * If it cannot, the log says so, and the recorder does without.
 *
 * Context: process, may sleep.
 */
void epitaph_device_start(void);

/**
 * epitaph_device_stop() - unregister the device
 *
 * The device cannot be open: an open file pins the module.
 *
 * Context: process, may sleep; after epitaph_device_start().
 */
void epitaph_device_stop(void);

#endif /* EPITAPH_HANDOUT_DEVICE_H */
