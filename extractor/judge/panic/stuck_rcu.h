/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that was given to RCU to be freed, and is not, as a grace period does not end. */
#ifndef EPITAPH_JUDGE_STUCK_RCU_H
#define EPITAPH_JUDGE_STUCK_RCU_H

#include "judge/judge.h"

/*
 * Is a grace period under way since long ago, by the dump, and do so many objects wait for it that they are half of @pages, if each is of
 * @cache? Then that is in the claim; the CPU that it waits for is asked about.
 */
void stuck_rcu_claim(struct explain *explain, u64 pages, const char *cache, const char *why);

#endif
