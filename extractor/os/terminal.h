/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who reads what is printed. */
#ifndef EPITAPH_OS_TERMINAL_H
#define EPITAPH_OS_TERMINAL_H

#include "base/types.h"

/* Is @fd a terminal that obeys control sequences?  TERM says so: not without it, nor for "dumb". */
bool terminal_obeys(int fd);

#endif
