/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of kernel/recorder.h what files of kernel/core/ need that are tested by themselves; a test defines it. */
#ifndef _EPITAPH_TEST_RECORDER_H
#define _EPITAPH_TEST_RECORDER_H

#include <stddef.h>

#include <epitaph/check.h>
#include <epitaph/format.h>
#include <epitaph/layout.h>
#include <epitaph/ring.h>

struct epitaph_region {
	u8 *base;
	u64 size;
};

extern struct epitaph_region epitaph_region;
extern struct epitaph_ring epitaph_rings[];

void *epitaph_section(unsigned int type, size_t *size);

#endif
