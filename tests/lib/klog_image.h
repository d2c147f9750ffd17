/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A dump with printk's ring in it, as kernels since 5.10 have it; shares nothing with the extractor. */
#ifndef KLOG_IMAGE_H
#define KLOG_IMAGE_H

#include "kmem_image.h"

#define DESC_SIZE	24
#define INFO_SIZE	88
#define FIRST_ID	0x3fffffffffffff00ULL

enum log_state { RESERVED, COMMITTED, FINALIZED, REUSABLE };

/* A ring as the kernel has it, and where the next line goes. */
struct log {
	struct kmem k;
	uint32_t nr_bits;		/* 1 << this many descriptors */
	uint32_t size_bits;		/* 1 << this many bytes of text */
	uint8_t facility;		/* of what is said; 0 is the kernel's own */
	uint64_t descs, infos, text, ring;
	uint64_t id, seq, lpos;
};

/* Of the facility 1. */
struct log log_make(uint32_t nr_bits, uint32_t size_bits);

void log_put64(struct log *log, uint64_t va, uint64_t value);

/* One more line, of level 3, by an interrupt on CPU 1, 1 us after the one before. */
void log_say(struct log *log, enum log_state state, const char *text);

/* The ring has the last @nr lines. */
void log_set_ids(struct log *log, uint64_t nr);

#endif
