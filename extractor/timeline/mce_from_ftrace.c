// SPDX-License-Identifier: GPL-2.0-or-later
#include "mce_from_ftrace.h"

#include <string.h>

#include "event/field_iter.h"
#include "timeline.h"

static u64 number_of(const struct entry *entry, const char *name)
{
	struct field field;

	return fields_find(entry, name, &field) && field.kind == FIELD_NUMBER ? field.number : 0;
}

/* The names are those of include/trace/events/mce.h; what a kernel's event lacks is 0. */
static struct mce mce_of(const struct account *account, const struct entry *entry)
{
	struct mce mce = {
		.mono_ns = entry->time, .real_ns = account_real(account, entry), .pid = -1,
		.sources = 1U << EPITAPH_MCE_LOGGED, .recorded_by = entry->cpu,
		.status = number_of(entry, "status"), .addr = number_of(entry, "addr"),
		.misc = number_of(entry, "misc"), .synd = number_of(entry, "synd"),
		.ipid = number_of(entry, "ipid"), .mcgstatus = number_of(entry, "mcgstatus"),
		.mcgcap = number_of(entry, "mcgcap"), .tsc = number_of(entry, "tsc"),
		.time = number_of(entry, "walltime"), .ip = number_of(entry, "ip"),
		.ppin = number_of(entry, "ppin"), .cpu = number_of(entry, "cpu"),
		.bank = number_of(entry, "bank"), .cpuid = number_of(entry, "cpuid"),
		.apicid = number_of(entry, "apicid"), .socket = number_of(entry, "socketid"),
		.microcode = number_of(entry, "microcode"), .cs = number_of(entry, "cs"),
		.vendor = number_of(entry, "cpuvendor"),
	};

	if (entry->pid < 0 || !entry->comm)
		return mce;
	mce.pid = entry->pid;
	strncpy(mce.comm, entry->comm, sizeof(mce.comm) - 1);
	return mce;
}

static bool is_one(const struct entry *entry)
{
	const char *name = entry->kind == ENTRY_EVENT ? entry_name(entry) : NULL;

	return name && !strcmp(name, "mce:mce_record");
}

int mce_ftrace_take(struct account *account, struct err *err)
{
	const struct entry *entry;
	struct timeline *timeline;
	int ret = timeline_open(&timeline, account, 0, false, err);

	if (ret)
		return ret;
	while (!ret && (entry = timeline_next(timeline))) {
		struct mce mce;

		if (!is_one(entry))
			continue;
		mce = mce_of(account, entry);
		ret = mces_add(&account->mces, &mce, err);
	}
	timeline_close(timeline);
	mces_join(&account->mces);
	return ret;
}
