/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of kernel/recorder.h what kernel/core/subbuf_walk.c needs; a test defines it. */
#ifndef _EPITAPH_TEST_RECORDER_H
#define _EPITAPH_TEST_RECORDER_H

#include <stddef.h>

#include <epitaph/format.h>

void *epitaph_section(unsigned int type, size_t *size);

#endif
