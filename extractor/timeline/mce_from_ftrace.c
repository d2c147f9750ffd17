// SPDX-License-Identifier: GPL-2.0-or-later
#include "mce_from_ftrace.h"

#include <string.h>

#include "event/field_iter.h"
#include "timeline.h"

static u64 number_of(const struct item *item, const char *name)
{
	struct field field;

	return field_iter_find(item, name, &field) && field.kind == FIELD_NUMBER ? field.number : 0;
}

/* The names are those of include/trace/events/mce.h; what a kernel's event lacks is 0. */
static struct mce mce_of(const struct postmortem *pm, const struct item *item)
{
	struct mce mce = {
		.mono_ns = item->time, .real_ns = pm_real(pm, item), .pid = -1,
		.sources = 1U << EPITAPH_MCE_LOGGED, .recorded_by = item->cpu,
		.status = number_of(item, "status"), .addr = number_of(item, "addr"),
		.misc = number_of(item, "misc"), .synd = number_of(item, "synd"),
		.ipid = number_of(item, "ipid"), .mcgstatus = number_of(item, "mcgstatus"),
		.mcgcap = number_of(item, "mcgcap"), .tsc = number_of(item, "tsc"),
		.time = number_of(item, "walltime"), .ip = number_of(item, "ip"),
		.ppin = number_of(item, "ppin"), .cpu = number_of(item, "cpu"),
		.bank = number_of(item, "bank"), .cpuid = number_of(item, "cpuid"),
		.apicid = number_of(item, "apicid"), .socket = number_of(item, "socketid"),
		.microcode = number_of(item, "microcode"), .cs = number_of(item, "cs"),
		.vendor = number_of(item, "cpuvendor"),
	};

	if (item->pid < 0 || !item->comm)
		return mce;
	mce.pid = item->pid;
	strncpy(mce.comm, item->comm, sizeof(mce.comm) - 1);
	return mce;
}

static bool is_one(const struct item *item)
{
	const char *name = item->kind == ITEM_EVENT ? item_name(item) : NULL;

	return name && !strcmp(name, "mce:mce_record");
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

		if (!is_one(item))
			continue;
		mce = mce_of(pm, item);
		ret = mces_add(&pm->mces, &mce, err);
	}
	timeline_close(timeline);
	mces_join(&pm->mces);
	return ret;
}
