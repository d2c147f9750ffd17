/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that wait for themselves, though for no lock: for a work item, a reader, or a callback that they are. */
#ifndef EPITAPH_JUDGE_OWN_WAIT_H
#define EPITAPH_JUDGE_OWN_WAIT_H

#include "owners.h"

/* Does the last task of the chain, or else one of the @nr of @pids? Then that is the claim. */
void own_wait_claim(struct explain *explain, const struct owners *owners, const u64 *pids, u32 nr);

#endif
