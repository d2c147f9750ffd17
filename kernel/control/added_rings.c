// SPDX-License-Identifier: GPL-2.0-only
/* The rings of an added channel: how large, where in the pool, and their first moment. */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include "added_channel.h"
#include "answer.h"
#include "program_rings.h"
#include "recorder.h"

#define LEAST_SUB	1024

static bool is_consumed(const struct epitaph_added *shape)
{
	return shape->mode == cpu_to_le32(EPITAPH_CONSUME);
}

/* Counters of all rings, and what their readers say. */
static u64 counters_size(const struct epitaph_added *shape)
{
	u64 one = sizeof(struct epitaph_counters);

	if (is_consumed(shape))
		one += sizeof(struct epitaph_consumed);
	return round_up(nr_cpu_ids * one, EPITAPH_PAGE);
}

u64 epitaph_added_counters(const struct epitaph_added *shape)
{
	return counters_size(shape);
}

static u32 sub_size_for(u64 per_cpu)
{
	u32 size = EPITAPH_SUB_SIZE;

	while (size > LEAST_SUB && per_cpu < (u64)EPITAPH_MIN_SUBS * size)
		size /= 2;
	return size;
}

static u64 least_size(const struct epitaph_added *shape)
{
	u32 unit = le32_to_cpu(shape->unit) ?: LEAST_SUB;

	return counters_size(shape) + (u64)nr_cpu_ids * EPITAPH_MIN_SUBS * unit;
}

u64 epitaph_added_size_of(const struct epitaph_added *shape, u32 nr)
{
	return counters_size(shape) + (u64)nr_cpu_ids * nr * le32_to_cpu(shape->unit);
}

int epitaph_added_plan(struct epitaph_answer *answer, struct epitaph_added *shape, u64 size)
{
	u32 unit = le32_to_cpu(shape->unit);
	u64 per_cpu;

	if (size < least_size(shape)) {
		epitaph_answer(answer, "%lluK are too few for %u CPUs%s: the least is %lluK\n", size >> 10,
			       nr_cpu_ids, unit ? " and sub-buffers of that size" : "",
			       DIV_ROUND_UP_ULL(least_size(shape), 1024));
		return -EINVAL;
	}
	per_cpu = min_t(u64, div_u64(size - counters_size(shape), nr_cpu_ids), 1U << 30);
	if (!unit)
		unit = sub_size_for(per_cpu);
	shape->unit = cpu_to_le32(unit);
	shape->ring_size = cpu_to_le64(round_down(per_cpu, unit));
	shape->nr_rings = cpu_to_le32(nr_cpu_ids);
	return 0;
}

int epitaph_added_say_no_room(struct epitaph_answer *answer, u64 size, int err)
{
	u64 largest = epitaph_pool_largest(&epitaph_pool);

	if (err == -EMFILE)
		epitaph_answer(answer, "there are %u channels and copies already: remove one\n",
			       EPITAPH_MAX_ADDED);
	else if (!epitaph_pool.size)
		epitaph_answer(answer, "there is no room for channels: load the recorder with channels=SIZE\n");
	else
		epitaph_answer(answer, "%lluK do not fit: of the pool's %lluK, %lluK are free, %lluK of them in one piece\n",
			       DIV_ROUND_UP_ULL(size, 1024), epitaph_pool.size >> 10,
			       epitaph_pool_free(&epitaph_pool) >> 10, largest >> 10);
	return -ENOSPC;
}

/* Sub-buffers are aligned to their size in memory, which the pool is not. */
static u64 rings_room(const struct epitaph_added *shape)
{
	u32 unit = le32_to_cpu(shape->unit);

	return le32_to_cpu(shape->nr_rings) * le64_to_cpu(shape->ring_size) +
	       (unit > EPITAPH_PAGE ? unit - EPITAPH_PAGE : 0);
}

static u64 aligned(u64 off, u32 unit)
{
	return off + (-(uintptr_t)(epitaph_region.base + off) & (unit - 1));
}

int epitaph_added_take_rings(struct epitaph_answer *answer, struct epitaph_added *shape, int *entry)
{
	u64 size = rings_room(shape), off;

	*entry = epitaph_pool_take(&epitaph_pool, size, &off);
	if (*entry < 0)
		return epitaph_added_say_no_room(answer, size, *entry);
	shape->off = cpu_to_le64(aligned(off, le32_to_cpu(shape->unit)));
	return 0;
}

int epitaph_added_take_room(struct epitaph_answer *answer, struct epitaph_added_channel *channel)
{
	struct epitaph_added *shape = &channel->shape;
	bool for_programs = shape->mode == cpu_to_le32(EPITAPH_RINGS);
	u64 before = for_programs ? epitaph_program_rings_before(shape) : counters_size(shape);
	u64 size = before + rings_room(shape), off;

	channel->entry = epitaph_pool_take(&epitaph_pool, size, &off);
	if (channel->entry < 0)
		return epitaph_added_say_no_room(answer, size, channel->entry);
	shape->off = cpu_to_le64(aligned(off + before, le32_to_cpu(shape->unit)));
	if (for_programs) {
		shape->owners = cpu_to_le64(off);
		return 0;
	}
	shape->counters = cpu_to_le64(off);
	if (is_consumed(shape))
		shape->consumed = cpu_to_le64(off + nr_cpu_ids * sizeof(struct epitaph_counters));
	return 0;
}

static int begin_ring(const struct epitaph_added_channel *channel, unsigned int cpu)
{
	const struct epitaph_added *shape = &channel->shape;
	struct epitaph_ring *ring = per_cpu_ptr(channel->rings, cpu);

	memset(ring, 0, sizeof(*ring));
	ring->size = le64_to_cpu(shape->ring_size);
	ring->sub_size = le32_to_cpu(shape->unit);
	ring->data = epitaph_region.base + le64_to_cpu(shape->off) + (u64)cpu * ring->size;
	ring->counters = (void *)(epitaph_region.base + le64_to_cpu(shape->counters));
	ring->counters += cpu;
	ring->shift = epitaph_clock_shift();
	ring->salt = epitaph_region.salt;
	ring->pid = EPITAPH_UNKNOWN_PID;
	ring->stops = shape->mode == cpu_to_le32(EPITAPH_STOP);
	if (is_consumed(shape)) {
		ring->consumed = (void *)(epitaph_region.base + le64_to_cpu(shape->consumed));
		ring->consumed += cpu;
	}
	return epitaph_ring_init(ring);
}

int epitaph_added_begin(struct epitaph_added_channel *channel)
{
	unsigned int cpu;
	int err = 0;

	channel->rings = alloc_percpu(struct epitaph_ring);
	if (!channel->rings)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		err = err ?: begin_ring(channel, cpu);
	return err;
}

void epitaph_added_forget_pids(const struct epitaph_added_channel *channel)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu_ptr(channel->rings, cpu)->pid = EPITAPH_UNKNOWN_PID;
}
