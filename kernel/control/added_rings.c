// SPDX-License-Identifier: GPL-2.0-only
/* The rings of an added channel: how large, where in the pool, and their first moment. */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include "added_channel.h"
#include "answer.h"
#include "recorder.h"

#define LEAST_SUB	1024

static u64 counters_size(void)
{
	return round_up(nr_cpu_ids * sizeof(struct epitaph_counters), EPITAPH_PAGE);
}

static u32 sub_size_for(u64 per_cpu)
{
	u32 size = EPITAPH_SUB_SIZE;

	while (size > LEAST_SUB && per_cpu < (u64)EPITAPH_MIN_SUBS * size)
		size /= 2;
	return size;
}

static u64 least_size(void)
{
	return counters_size() + (u64)nr_cpu_ids * EPITAPH_MIN_SUBS * LEAST_SUB;
}

int epitaph_added_plan(struct epitaph_answer *answer, struct epitaph_added *shape, u64 size)
{
	u64 per_cpu;

	if (size < least_size()) {
		epitaph_answer(answer, "%lluK are too few for %u CPUs: the least is %lluK\n",
			       size >> 10, nr_cpu_ids, least_size() >> 10);
		return -EINVAL;
	}
	per_cpu = min_t(u64, div_u64(size - counters_size(), nr_cpu_ids), 1U << 30);
	shape->unit = cpu_to_le32(sub_size_for(per_cpu));
	shape->ring_size = cpu_to_le64(round_down(per_cpu, sub_size_for(per_cpu)));
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

int epitaph_added_take_room(struct epitaph_answer *answer, struct epitaph_added_channel *channel)
{
	struct epitaph_added *shape = &channel->shape;
	u64 size = counters_size() + nr_cpu_ids * le64_to_cpu(shape->ring_size), off;

	channel->entry = epitaph_pool_take(&epitaph_pool, size, &off);
	if (channel->entry < 0)
		return epitaph_added_say_no_room(answer, size, channel->entry);
	shape->counters = cpu_to_le64(off);
	shape->off = cpu_to_le64(off + counters_size());
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
