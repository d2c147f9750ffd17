/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of kernel/start/start.h what kernel/crash/firmware.c needs; a test defines it. */
#ifndef _EPITAPH_TEST_START_H
#define _EPITAPH_TEST_START_H

#include <stdbool.h>

bool epitaph_is_early(void);

#endif
