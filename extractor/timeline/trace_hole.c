// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_hole.h"

#include "recording/recording.h"

/* From here on the recorder has fewer events, or more. */
static bool is_switched(const struct recording_mark *mark)
{
	return mark->type == EPITAPH_MARK_STOP || mark->type == EPITAPH_MARK_START || mark->type == EPITAPH_MARK_CHANNEL ||
	       mark->type == EPITAPH_MARK_FILTER;
}

/* Does the item itself say that others are not there?  A torn one says it of its own CPU alone. */
static bool tells_of_loss(const struct item *item)
{
	return item->kind == ITEM_DAMAGED || item->kind == ITEM_LOSS ||
	       (item->marks & (ITEM_LOST_BEFORE | ITEM_LAPPED | ITEM_IN_DAMAGED));
}

bool trace_hole_before(struct trace_holes *holes, const struct item *item, bool is_kind)
{
	struct trace_cpu *cpu = item->cpu < TRACE_HOLE_CPUS ? &holes->cpus[item->cpu] : NULL;
	bool is_hole;

	if (!item->stream)
		return item->kind == ITEM_MARK && is_switched(item->mark);
	is_hole = tells_of_loss(item);
	if (cpu && item->kind == ITEM_TORN)
		cpu->stream = NULL;
	if (cpu && cpu->stream == item->stream)
		cpu->last = item->time;
	if (!is_kind)
		return is_hole;
	is_hole |= !cpu || !cpu->stream || !holes->any || item->time > holes->last + TRACE_HOLE_NS;
	if (cpu)
		*cpu = (struct trace_cpu){ item->stream, item->time };
	holes->any = true;
	holes->last = item->time;
	return is_hole;
}

u64 trace_known_until(const struct trace_holes *holes, u32 cpu)
{
	return cpu < TRACE_HOLE_CPUS && holes->cpus[cpu].stream ? holes->cpus[cpu].last : 0;
}
