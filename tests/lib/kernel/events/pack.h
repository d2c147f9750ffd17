/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of kernel/events/pack.h what kernel/core/subbuf_walk.c needs; a test defines it. */
#ifndef _EPITAPH_TEST_PACK_H
#define _EPITAPH_TEST_PACK_H

#include <stdbool.h>

bool epitaph_packs(void);

#endif
