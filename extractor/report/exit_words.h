/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What it means that a virtual CPU left its guest for that reason. */
#ifndef EPITAPH_REPORT_EXIT_WORDS_H
#define EPITAPH_REPORT_EXIT_WORDS_H

#include <stdio.h>

#include "event/stream.h"

/* " (it sleeps: nothing to do)" of a kvm:kvm_exit; nothing of all else, and of a reason without words. */
void put_exit_words(FILE *f, const struct item *item);

#endif
