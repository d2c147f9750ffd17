// SPDX-License-Identifier: GPL-2.0-or-later
#include "mce_from_ftrace.h"

#include <string.h>

#include "event/field_iter.h"
#include "timeline.h"

static u64 mce_field(const struct item *item, const char *name)
{
	struct field field;

	return field_iter_find(item, name, &field) && field.kind == FIELD_NUMBER ? field.number : 0;
}

/* Fields are named as in include/trace/events/mce.h. A field that an older kernel lacks is 0. */
static struct mce mce_of_event(const struct postmortem *pm, const struct item *item)
{
	struct mce mce = {
		.mono_ns = item->time, .real_ns = pm_real(pm, item), .pid = -1,
		.sources = 1U << EPITAPH_MCE_LOGGED, .recorded_by = item->cpu,
		.status = mce_field(item, "status"), .addr = mce_field(item, "addr"),
		.misc = mce_field(item, "misc"), .synd = mce_field(item, "synd"),
		.ipid = mce_field(item, "ipid"), .mcgstatus = mce_field(item, "mcgstatus"),
		.mcgcap = mce_field(item, "mcgcap"), .tsc = mce_field(item, "tsc"),
		.time = mce_field(item, "walltime"), .ip = mce_field(item, "ip"),
		.ppin = mce_field(item, "ppin"), .cpu = mce_field(item, "cpu"),
		.bank = mce_field(item, "bank"), .cpuid = mce_field(item, "cpuid"),
		.apicid = mce_field(item, "apicid"), .socket = mce_field(item, "socketid"),
		.microcode = mce_field(item, "microcode"), .cs = mce_field(item, "cs"),
		.vendor = mce_field(item, "cpuvendor"),
	};

	if (item->pid < 0 || !item->comm)
		return mce;
	mce.pid = item->pid;
	strncpy(mce.comm, item->comm, sizeof(mce.comm) - 1);
	return mce;
}

int mce_from_ftrace(struct postmortem *pm, struct err *err)
{
	const struct item *item;
	struct timeline *timeline;
	int ret = timeline_open(&timeline, pm, 0, false, err);

	if (ret)
		return ret;
	while (!ret && (item = timeline_next(timeline))) {
		struct mce mce;

		if (item->kind != ITEM_EVENT || strcmp(item_name(item), "mce:mce_record"))
			continue;
		mce = mce_of_event(pm, item);
		ret = mces_add(&pm->mces, &mce, err);
	}
	timeline_close(timeline);
	mces_join(&pm->mces);
	return ret;
}
