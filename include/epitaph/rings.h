/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How a process gets a ring of its own: a call of ioctl() for /dev/epitaph-ring, then mmap() of
 * EPITAPH_SLOT_SIZE bytes, shared, from offset 0 on.  docs/rings.md has every error.
 */
#ifndef _EPITAPH_RINGS_H
#define _EPITAPH_RINGS_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define EPITAPH_RING_DEVICE	"/dev/epitaph-ring"

/**
 * struct epitaph_ring_request - a ring for the thread that calls
 * @name: of the ring, terminated: letters, digits or _
 * @salt: seed of the checks in the slot; set on return, as all that follows
 * @slot: number of the slot
 * @clock_id: enum epitaph_clock_id, what the events are stamped with
 * @clock_shift: an event's time is clock >> clock_shift
 * @pid: of the thread, in its own namespace, for the sub-buffers' headers
 * @error: if the call failed, why, in one line, terminated; else empty
 */
struct epitaph_ring_request {
	char	name[32];
	__u64	salt;
	__u32	slot;
	__u32	clock_id;
	__u32	clock_shift;
	__u32	pid;
	char	error[200];
};

#define EPITAPH_RING_OPEN	_IOWR('E', 0x60, struct epitaph_ring_request)

#endif /* _EPITAPH_RINGS_H */
