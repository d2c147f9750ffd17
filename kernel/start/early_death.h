/* SPDX-License-Identifier: GPL-2.0-only */
/* A panic before recording begins. */
#ifndef EPITAPH_START_EARLY_DEATH_H
#define EPITAPH_START_EARLY_DEATH_H

#include <linux/types.h>

/* epitaph=off */
extern bool epitaph_is_off;

/* Recording begins, or will not: from here on a panic is not ours. */
void epitaph_early_death_leave(void);

#endif /* EPITAPH_START_EARLY_DEATH_H */
