/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel writes in front of a buffer of its trace that outlives a reboot
 * (since 6.12): where each CPU's sub-buffers are, and in which order.  It is the kernel's
 * own memory, without a checksum: a field is believed if it is one of those that can be.
 */
#ifndef EPITAPH_FTRACE_PERSISTENT_META_H
#define EPITAPH_FTRACE_PERSISTENT_META_H

#include "base/byte_reader.h"
#include "dump/dump.h"

#define FTRACE_META_NO_CLOCK	(~0U)

/**
 * struct ftrace_meta - of one buffer
 * @base: physical address of its first byte
 * @end: behind its last byte; ~0: it does not say
 * @first: where the first CPU's header is
 * @size: bytes of such a header
 * @pointers: where in it the first of its three pointers is
 * @each_magic: each begins with the magic
 * @text: virtual address of something in the code of the kernel that wrote; 0: unknown
 * @text_symbol: of what; NULL: @text is how far that kernel was moved
 * @clock: number of its clock, in the kernel's table, or FTRACE_META_NO_CLOCK
 */
struct ftrace_meta {
	u64 base;
	u64 end;
	u64 first;
	u32 size;
	u32 pointers;
	bool each_magic;
	enum byte_order order;
	u64 text;
	const char *text_symbol;
	u32 clock;
};

/**
 * struct ftrace_meta_cpu - of one CPU in it; addresses are physical
 * @index: the array that has their order, @nr of u32: the one for readers, then the circle
 * @subs: first of @nr sub-buffers, @unit bytes each
 * @next: where the next CPU's header is
 * @head: number of the oldest of the circle, by place in memory
 * @commit: number of the newest
 * @is_empty: the kernel took what was there for damaged, and forgot it
 */
struct ftrace_meta_cpu {
	u64 index;
	u64 subs;
	u64 next;
	u32 nr;
	u32 unit;
	u32 head;
	u32 commit;
	bool is_empty;
};

/* false: there is none at @paddr, or of no layout that is known. */
bool ftrace_meta_read(struct ftrace_meta *meta, struct dump *in, u64 paddr);

/* The CPU whose header is at @at; false: there is none, or it cannot be one. */
bool ftrace_meta_cpu_read(struct ftrace_meta_cpu *cpu, const struct ftrace_meta *meta,
			  struct dump *in, u64 at);

#endif
