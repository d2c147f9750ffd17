/* SPDX-License-Identifier: GPL-2.0-only */
/* What the firmware is going to do to the memory. */
#ifndef EPITAPH_CRASH_FIRMWARE_H
#define EPITAPH_CRASH_FIRMWARE_H

#include <linux/types.h>

/**
 * epitaph_firmware_clears() - was the firmware asked to clear memory at a reset?
 *
 * The kernel itself asks at each boot if it was built with
 * CONFIG_RESET_ATTACK_MITIGATION, and the firmware does it if it knows how.
 *
 * Context: process; may sleep.
 * Return: false also while the kernel boots: it cannot be asked yet.
 */
bool epitaph_firmware_clears(void);

#endif /* EPITAPH_CRASH_FIRMWARE_H */
