/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A region that is recorded into, by the recorder's own ring, in memory that is a file. */
#ifndef _EPITAPH_LIVE_IMAGE_H
#define _EPITAPH_LIVE_IMAGE_H

#include <stdint.h>

#include "region_image.h"

/* The file. The reader closes it. */
extern int live_image_fd;

/* By CPU: numbers of its events are below it. */
extern uint32_t live_written[IMAGE_CPUS];

/* Empty rings.  One at a time. */
void live_image_start(void);
void live_image_end(void);

/*
 * live_record() - an event test:fixed, of the next number, whose value is that times LIVE_FACTOR
 *
 * Context: one thread for each CPU.
 */
void live_record(uint32_t cpu);

#define LIVE_FACTOR	0x123456789abcdefULL

/* The place in its ring of the sub-buffer that the CPU writes to, from 0 on. */
uint32_t live_subbuf(uint32_t cpu);

/* The same, begun, and done; those in between interrupt it. */
void live_claim(uint32_t cpu);
void live_commit(uint32_t cpu);

/* A kind of events joins, test:late; before that there is none. */
void live_add_format(void);
void live_record_late(uint32_t cpu);

#endif
