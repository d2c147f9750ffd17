/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A task that waits to write to a file system which is frozen: which one, by the semaphore that it waits for. */
#ifndef EPITAPH_KERNEL_STATE_FROZEN_H
#define EPITAPH_KERNEL_STATE_FROZEN_H

#include "waits.h"

/**
 * struct frozen_wait - the file system
 * @id: of its block device, as /proc/mounts has it without "/dev/"; not escaped
 * @type: "ext4"; "": not known; not escaped
 * @is_complete: it is frozen; false: something freezes it, and has not come to an end
 */
struct frozen_wait {
	char id[32];
	char type[32];
	bool is_complete;
};

/* False: @wait is for something else, or the file system is not frozen, or the types are not there. */
bool frozen_wait_read(struct frozen_wait *ret, const struct kernel *kernel, const struct kernel_wait *wait);

#endif
