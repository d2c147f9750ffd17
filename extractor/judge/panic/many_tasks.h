/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that tasks take by being there: their stacks. */
#ifndef EPITAPH_JUDGE_MANY_TASKS_H
#define EPITAPH_JUDGE_MANY_TASKS_H

#include "judge/judge.h"

/* Most tasks of the dump that have one name, if they are more than half; where they sleep. False: there is none such. */
struct many_tasks {
	u32 nr;
	u32 all;
	char comm[17];
	char place[KERNEL_SYMBOL_MAX];
};

bool many_tasks_find(struct many_tasks *many, const struct explain *explain);

#endif
