/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the end of a chain waits for, when that is no lock of another task: work, pages, RCU, programs, disks. */
#ifndef EPITAPH_JUDGE_WAITED_FOR_H
#define EPITAPH_JUDGE_WAITED_FOR_H

#include "owners.h"

/* Claims, or leaves open, what the memory says of it. */
void waited_for_claim(struct explain *explain, const struct owners *owners);

#endif
