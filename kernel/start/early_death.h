/* SPDX-License-Identifier: GPL-2.0-only */
/* A panic before recording begins. */
#ifndef EPITAPH_START_EARLY_DEATH_H
#define EPITAPH_START_EARLY_DEATH_H

/* Recording begins, or will not: from here on a panic is not ours. */
void epitaph_early_death_leave(void);

#endif /* EPITAPH_START_EARLY_DEATH_H */
