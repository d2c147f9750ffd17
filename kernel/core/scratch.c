// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the record of a steered event is put together: memory of this CPU, a room for each level,
 * behind that of the level underneath.  A nested writer ends before the interrupted one goes on, so
 * a counter is enough.  This memory is not in the region: a CPU that stops here has not recorded.
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

/**
 * struct stage - of one CPU
 * @rooms: ROOMS bytes
 * @nest: levels that have a room
 * @end: of the room of each level
 */
struct stage {
	u8 *rooms;
	u32 nest;
	u32 end[EPITAPH_LEVELS];
};

static DEFINE_PER_CPU(struct stage, stages);

int epitaph_stages_start(void)
{
	struct stage *stage;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		stage = per_cpu_ptr(&stages, cpu);
		if (!stage->rooms)
			stage->rooms = kmalloc_node(ROOMS, GFP_KERNEL, cpu_to_node(cpu));
		if (!stage->rooms)
			return -ENOMEM;
	}
	return 0;
}

void epitaph_stages_stop(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		kfree(per_cpu_ptr(&stages, cpu)->rooms);
		per_cpu_ptr(&stages, cpu)->rooms = NULL;
	}
}

/* Before the payload there is room for what all events have in common.  False: there is no room. */
bool epitaph_stage(u32 payload, struct epitaph_claim *claim)
{
	struct stage *stage = this_cpu_ptr(&stages);
	u32 level = READ_ONCE(stage->nest), size = round_up(EPITAPH_COMMON_BYTES + payload * 4, 8), begin;
	u8 *room;

	if (unlikely(level >= EPITAPH_LEVELS))
		return false;
	begin = level ? stage->end[level - 1] : 0;
	if (unlikely(size > ROOMS - begin))
		return false;
	WRITE_ONCE(stage->nest, level + 1);
	/*
	 * order:stage is local: a nested writer has the next room.  Before @end is stored it begins
	 * anywhere in @rooms, and has ended before this room is used.
	 */
	barrier();
	WRITE_ONCE(stage->end[level], begin + size);
	/* order:room-ends is local: a nested writer begins behind it */
	barrier();
	room = stage->rooms + begin;
	plat_zero(room, size);
	/* A first word of 0 has the payload in the second. */
	*claim = (struct epitaph_claim){
		.w = (__le32 *)(room + EPITAPH_COMMON_BYTES) - 1,
		.words = EPITAPH_STAGED,
	};
	return true;
}

void epitaph_stage_abandon(void)
{
	this_cpu_write(stages.nest, 0);
}

void epitaph_unstage(void)
{
	/* order:unstage is local: a nested writer may take the room from then on */
	barrier();
	this_cpu_dec(stages.nest);
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

bool epitaph_stage_passes(const struct epitaph_event *ev, struct epitaph_claim claim)
{
	const struct epitaph_steer *steer = READ_ONCE(ev->steer);
	void *record = epitaph_claim_payload(claim) - EPITAPH_COMMON_BYTES;

	if (!steer)
		return true;
	if (steer->wants_common)
		fill_common(steer, record);
	if (unlikely(steer->nr))
		set_off(steer, record);
	return record_passes_filter(steer->filter, record);
}
