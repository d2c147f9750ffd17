// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the record of a steered event is put together: memory of this CPU, the room of a nested
 * writer behind that of the interrupted one.  It ends before that one goes on, so a pointer to
 * the first free byte is enough.  This memory is not in the region: a CPU that stops here has not recorded.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/trace_events.h>
#include "control/context.h"
#include "control/event_config.h"
#include "control/trigger.h"
#include "events/fields.h"
#include "recorder.h"

/* The largest event of a ring, with what all have in common, and others that interrupt it. */
#define LARGEST	(EPITAPH_FAST_WORDS * 4)
#define ROOMS	(2 * LARGEST)
/* A filter loads whole words, from the last byte of a record too. */
#define LOADED	8

/**
 * struct stage - of one CPU
 * @rooms: ROOMS bytes, up to @end
 * @free: the first of them that no record has
 */
struct stage {
	u8 *rooms;
	u8 *free;
	u8 *end;
};

static DEFINE_PER_CPU(struct stage, stages);

int epitaph_stages_start(void)
{
	struct stage *stage;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		stage = per_cpu_ptr(&stages, cpu);
		if (stage->rooms)
			continue;
		stage->rooms = kmalloc_node(ROOMS, GFP_KERNEL, cpu_to_node(cpu));
		if (!stage->rooms)
			return -ENOMEM;
		stage->free = stage->rooms;
		stage->end = stage->rooms + ROOMS;
	}
	return 0;
}

void epitaph_stages_stop(void)
{
	struct stage *stage;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		stage = per_cpu_ptr(&stages, cpu);
		kfree(stage->rooms);
		*stage = (struct stage){};
	}
}

/* Before the payload there is room for what all events have in common.  False: there is no room. */
bool epitaph_stage(u32 payload, struct epitaph_claim *claim)
{
	struct stage *stage = this_cpu_ptr(&stages);
	u8 *room = READ_ONCE(stage->free);
	u8 *end = room + round_up(EPITAPH_COMMON_BYTES + payload * 4 + LOADED, 8);

	if (unlikely(end > stage->end))
		return false;
	WRITE_ONCE(stage->free, end);
	/* order:stage is local: a nested writer begins behind this room */
	barrier();
	plat_zero(room, end - room);
	/* A first word of 0 has the payload in the second. */
	*claim = (struct epitaph_claim){
		.w = (__le32 *)(room + EPITAPH_COMMON_BYTES) - 1,
		.words = EPITAPH_STAGED,
	};
	return true;
}

void epitaph_stage_abandon(void)
{
	this_cpu_write(stages.free, this_cpu_read(stages.rooms));
}

void epitaph_unstage(struct epitaph_claim claim)
{
	/* order:unstage is local: a nested writer may take the room from then on */
	barrier();
	this_cpu_write(stages.free, (u8 *)(claim.w + 1) - EPITAPH_COMMON_BYTES);
}

/* What is not known here is refused before: see predicate.c. */
static void fill_common(const struct epitaph_steer *steer, struct epitaph_entry *entry)
{
	entry->type = steer->type;
	entry->flags = epitaph_irq_flags();
	entry->preempt_count = epitaph_preempt_depth();
	entry->pid = current->pid;
}

static bool record_passes_filter(struct event_filter *filter, void *record)
{
	return !filter || filter_match_preds(filter, record);
}

static void set_off(const struct epitaph_steer *steer, void *record)
{
	unsigned int i;

	for (i = 0; i < steer->nr; i++)
		epitaph_trigger_saw(steer->triggers[i].trigger,
				    record_passes_filter(steer->triggers[i].when, record));
}

bool epitaph_kernel_passes(const struct epitaph_steer *steer, void *record)
{
	if (steer->wants_common)
		fill_common(steer, record);
	if (unlikely(steer->nr))
		set_off(steer, record);
	return record_passes_filter(steer->filter, record);
}
