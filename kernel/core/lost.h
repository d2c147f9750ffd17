/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether the region is still ours. */
#ifndef EPITAPH_CORE_LOST_H
#define EPITAPH_CORE_LOST_H

#include <linux/types.h>

/**
 * enum epitaph_loss - why what is written to the region is not found, or lies in memory of others
 */
enum epitaph_loss {
	EPITAPH_NOT_LOST,
	EPITAPH_LOST_IN_HIBERNATION,
	EPITAPH_LOST_DEVICE,
};

/* Any context. Code that writes to the region, and is no probe, asks first. */
enum epitaph_loss epitaph_lost(void);

/* The memory is not there: what is read may be another device's. Any context. */
static inline bool epitaph_is_gone(void)
{
	return epitaph_lost() == EPITAPH_LOST_DEVICE;
}

/* For good, until the module is loaded again. What is written meanwhile goes on. Any context. */
void epitaph_lose(enum epitaph_loss why);

/* A phrase, as "the region was lost in hibernation"; NULL: it is not lost. */
const char *epitaph_loss_text(void);

#endif /* EPITAPH_CORE_LOST_H */
