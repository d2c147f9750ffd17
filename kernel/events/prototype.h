/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether functions of this kernel take what we read of them. */
#ifndef EPITAPH_EVENTS_PROTOTYPE_H
#define EPITAPH_EVENTS_PROTOTYPE_H

#include <linux/types.h>

/**
 * epitaph_prototype_is_other() - this kernel's function takes something else than we know
 * @function: that we are about to follow
 *
 * By the kernel's BTF; where there is none, no function is another one.  The log says it.
 *
 * Context: process, may sleep; one at a time.
 */
bool epitaph_prototype_is_other(const char *function);

/* The names of those that were asked for and are others, with blanks between them. */
ssize_t epitaph_prototypes_name_others(char *buf, size_t size);

/* What was found out is forgotten.  Context: process. */
void epitaph_prototypes_stop(void);

#endif /* EPITAPH_EVENTS_PROTOTYPE_H */
