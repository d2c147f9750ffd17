/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How a program reads a channel in mode "consume" out: calls of ioctl() for /dev/epitaph.
 * docs/consume.md has the order of calls and every error.
 */
#ifndef _EPITAPH_CONSUME_H
#define _EPITAPH_CONSUME_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * struct epitaph_consume_take - be the reader of a channel until the file is closed
 * @name: of the channel, terminated
 * @ring_size: bytes of each ring; set on return, as all that follows.  mmap() has them from
 *	offset 0 on, one behind the other
 * @off: of the first ring in the file: read() has them as well
 * @nr_rings: one a CPU, by its number
 * @unit: bytes of a sub-buffer
 * @id: of the channel
 */
struct epitaph_consume_take {
	char	name[32];
	__u64	ring_size;
	__u64	off;
	__u32	nr_rings;
	__u32	unit;
	__u32	id;
	__u32	reserved;
};

#define EPITAPH_CONSUME_CLOSE	1U	/* also what is being written to, if it has an event */

/**
 * struct epitaph_consume_ready - what may be read of a ring
 * @cpu: of the ring
 * @flags: EPITAPH_CONSUME_*
 * @begin: set on return: an offset in the ring
 * @end: of it; the same: there is nothing; before @begin: it goes around the end of the ring
 */
struct epitaph_consume_ready {
	__u32	cpu;
	__u32	flags;
	__u32	begin;
	__u32	end;
};

/**
 * struct epitaph_consume_give - it has been read, and may be overwritten
 * @from: the begin of what was ready
 * @to: its end, or that of a sub-buffer before
 */
struct epitaph_consume_give {
	__u32	cpu;
	__u32	from;
	__u32	to;
	__u32	reserved;
};

/**
 * struct epitaph_consume_wait - when poll() wakes
 * @watermark: a ring has so many sub-buffers that may be read; 0: as many as half of it
 * @ms: anything was written so long after the last EPITAPH_CONSUME_CLOSE; 0: that is no reason
 */
struct epitaph_consume_wait {
	__u32	watermark;
	__u32	ms;
};

#define EPITAPH_CONSUME_TAKE	_IOWR('E', 0x50, struct epitaph_consume_take)
#define EPITAPH_CONSUME_READY	_IOWR('E', 0x51, struct epitaph_consume_ready)
#define EPITAPH_CONSUME_GIVE	_IOW('E', 0x52, struct epitaph_consume_give)
#define EPITAPH_CONSUME_WAIT	_IOW('E', 0x53, struct epitaph_consume_wait)

#endif /* _EPITAPH_CONSUME_H */
