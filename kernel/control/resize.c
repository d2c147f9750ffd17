// SPDX-License-Identifier: GPL-2.0-only
/*
 * "channel set": the rings of a channel move to other memory of the pool while they are written.
 * docs/sizes.md has what a reader finds between any two steps.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include "core/history.h"
#include "added_channel.h"
#include "answer.h"
#include "channels.h"
#include "consume.h"
#include "members.h"
#include "recorder.h"
#include "resize.h"

/* For a writer that was interrupted to end: longer takes one whose task oopsed and runs no more. */
#define LONGEST_WAIT_MS	5000

/**
 * struct move - of one CPU's ring
 * @ring: its data, size and sub_size are new afterwards
 * @to: where to
 * @old: as @ring was
 * @err: of epitaph_ring_move()
 * @history: that follows
 * @room: for one of its sub-buffers
 */
struct move {
	struct epitaph_ring *ring;
	struct epitaph_ring to;
	struct epitaph_ring old;
	int err;
	struct epitaph_history history;
	u64 room[];
};

static void move_here(void *arg)
{
	struct move *move = arg;

	move->to.pid = current->pid;
	move->err = epitaph_ring_move(move->ring, &move->to, &move->old);
}

static void narrow_here(void *arg)
{
	struct move *move = arg;

	epitaph_history_narrow(&move->history, move->ring);
}

static void widen_here(void *arg)
{
	struct move *move = arg;

	WRITE_ONCE(move->ring->size, move->to.size);
}

/* A CPU that is off has no writer, and stays off: cpus_read_lock() is held. */
static void call_on(unsigned int cpu, void (*fn)(void *arg), struct move *move)
{
	unsigned long flags;

	if (cpu_online(cpu)) {
		smp_call_function_single(cpu, fn, move, 1);
		return;
	}
	local_irq_save(flags);
	fn(move);
	local_irq_restore(flags);
}

static int move_ring(unsigned int cpu, struct move *move)
{
	unsigned int waited;

	for (waited = 0; waited < LONGEST_WAIT_MS; waited++) {
		epitaph_channels_hold(true);
		cpus_read_lock();
		/* The clock of this CPU says nothing of a ring of another one. */
		move->to.last = cpu_online(cpu) ? 0 : move->ring->last;
		call_on(cpu, move_here, move);
		cpus_read_unlock();
		epitaph_channels_hold(false);
		if (move->err != -EAGAIN)
			return move->err;
		usleep_range(500, 1000);
	}
	return -EBUSY;
}

/* Quickly: writers do without what the batch takes.  Return: there may be more. */
static bool keep_batch(struct move *move, unsigned int cpu)
{
	bool has_room, more = true;

	cpus_read_lock();
	preempt_disable();
	call_on(cpu, narrow_here, move);
	has_room = epitaph_history_has_room(&move->history);
	while (more && epitaph_history_has_room(&move->history))
		more = epitaph_history_step(&move->history);
	call_on(cpu, widen_here, move);
	preempt_enable();
	cpus_read_unlock();
	return has_room && more;
}

/* Return: sub-buffers that stay. */
static u32 keep_history(struct move *move, unsigned int cpu)
{
	bool more = epitaph_history_start(&move->history, &move->old, move->ring, move->room);

	while (more) {
		more = keep_batch(move, cpu);
		cond_resched();
	}
	return move->history.nr;
}

static void clear_checks(const struct epitaph_added *shape, unsigned int cpu)
{
	u64 size = le64_to_cpu(shape->ring_size), off;
	u8 *data = epitaph_region.base + le64_to_cpu(shape->off) + cpu * size;

	for (off = 0; off < size; off += le32_to_cpu(shape->unit))
		((struct epitaph_sub *)(data + off))->check = 0;
	cond_resched();
}

static u32 room_for(const struct epitaph_added *a, const struct epitaph_added *b)
{
	return max(le32_to_cpu(a->unit), le32_to_cpu(b->unit));
}

static void fill_move(struct move *move, const struct epitaph_added_channel *channel,
		      const struct epitaph_added *shape, unsigned int cpu)
{
	u32 size = le64_to_cpu(shape->ring_size);

	memset(move, 0, sizeof(*move) + room_for(shape, &channel->shape));
	move->ring = per_cpu_ptr(channel->rings, cpu);
	move->to.data = epitaph_region.base + le64_to_cpu(shape->off) + (u64)cpu * size;
	move->to.size = size;
	move->to.sub_size = le32_to_cpu(shape->unit);
}

/**
 * struct moved - what has moved
 * @cpus: rings
 * @kept: sub-buffers that stay, of all CPUs
 */
struct moved {
	u32 cpus;
	u64 kept;
};

/* Each CPU in turn, its history at once. */
static int move_rings(struct epitaph_added_channel *channel, const struct epitaph_added *shape,
		      struct move *move, struct moved *moved)
{
	unsigned int cpu;
	int err;

	for_each_possible_cpu(cpu) {
		fill_move(move, channel, shape, cpu);
		err = move_ring(cpu, move);
		if (err)
			return err;
		moved->cpus++;
		moved->kept += keep_history(move, cpu);
	}
	return 0;
}

/* No reader needs the rings before any more.  Their counters stay where they are. */
static void leave_old(struct epitaph_added_channel *channel, const struct epitaph_added *before)
{
	int old = channel->old;

	channel->old = -1;
	/*
	 * The checks of what came along, of all CPUs, before the check of the entry before: a CPU's own
	 * ring was moved without a call to another one.
	 * order:stays pairs with order:added in extractor/recording/added_channels.c
	 */
	smp_wmb();
	if (channel->counted >= 0) {
		epitaph_pool_give(&epitaph_pool, old);
		return;
	}
	epitaph_pool_retract(&epitaph_pool, old);
	epitaph_pool_shrink(&epitaph_pool, old, epitaph_added_counters(before));
	channel->counted = old;
}

static int say_stuck(struct epitaph_answer *answer, const struct epitaph_added_channel *channel, int err)
{
	if (channel->old < 0)
		epitaph_answer(answer, "'%s' keeps its size: a CPU's writer does not end (%d)\n",
			       channel->shape.name, err);
	else
		epitaph_answer(answer, "'%s' is in its old memory and in its new one: a CPU's writer does not end (%d); remove the channel\n",
			       channel->shape.name, err);
	return err;
}

static int move_with(struct epitaph_answer *answer, struct epitaph_added_channel *channel,
		     struct epitaph_added *shape, struct move *move)
{
	struct epitaph_added before = channel->shape;
	u32 moves = before.flags & cpu_to_le32(EPITAPH_ADDED_MOVED) ? le32_to_cpu(before.origin) : 0;
	struct moved moved = {};
	unsigned int cpu;
	int entry, err;

	err = epitaph_added_take_rings(answer, shape, &entry);
	if (err)
		return err;
	for_each_possible_cpu(cpu)
		clear_checks(shape, cpu);
	shape->flags |= cpu_to_le32(EPITAPH_ADDED_MOVED);
	shape->origin = cpu_to_le32(moves + 1);
	epitaph_pool_publish(&epitaph_pool, entry, shape);
	err = move_rings(channel, shape, move, &moved);
	if (err && !moved.cpus) {
		epitaph_pool_give(&epitaph_pool, entry);
		return say_stuck(answer, channel, err);
	}
	channel->old = channel->entry;
	channel->entry = entry;
	channel->shape = *shape;
	if (err)
		return say_stuck(answer, channel, err);
	leave_old(channel, &before);
	epitaph_answer(answer, "channel %s moved, %llu sub-buffers of its history stay\n",
		       channel->shape.name, moved.kept);
	return 0;
}

/* What a move needs beside the pool is there before it begins. */
static int resize(struct epitaph_answer *answer, struct epitaph_added_channel *channel,
		  struct epitaph_added *shape)
{
	struct move *move = kvmalloc(sizeof(*move) + room_for(shape, &channel->shape), GFP_KERNEL);
	int err;

	if (!move) {
		epitaph_answer(answer, "'%s' keeps its size: no memory\n", channel->shape.name);
		return -ENOMEM;
	}
	err = move_with(answer, channel, shape, move);
	kvfree(move);
	return err;
}

/* --- what is not possible ---------------------------------------------------------- */

static int refuse_others(struct epitaph_answer *answer, const char *name)
{
	if (epitaph_channel_own(name) < 0)
		return epitaph_channel_say_names(answer, name);
	epitaph_answer(answer, "'%s' keeps its size: it lies where the region's header says, which does not change while it is recorded into. A region of another size needs another reservation (epitaph size, epitaph setup)\n",
		       name);
	return -EINVAL;
}

static int check_channel(struct epitaph_answer *answer, const struct epitaph_added_channel *channel)
{
	const char *name = channel->shape.name;

	if (channel->shape.mode == cpu_to_le32(EPITAPH_RINGS))
		epitaph_answer(answer, "'%s' has programs' rings, which programs have mapped: it keeps its size\n", name);
	else if (!channel->rings)
		epitaph_answer(answer, "'%s' is a copy: it keeps its size\n", name);
	else if (channel->reader)
		epitaph_answer(answer, "'%s' is read by %s: its rings cannot move\n", name,
			       epitaph_consume_who(channel->reader));
	else if (channel->shape.mode != cpu_to_le32(EPITAPH_OVERWRITE))
		epitaph_answer(answer, "'%s' does not overwrite: only a channel in mode overwrite changes its size; remove it and add it anew\n",
			       name);
	else if (channel->old >= 0)
		epitaph_answer(answer, "'%s' is in two places since its size was changed: remove it\n", name);
	else
		return 0;
	return channel->reader || channel->old >= 0 ? -EBUSY : -EINVAL;
}

static int change_size(struct epitaph_answer *answer, const char *name, const struct epitaph_resize *to)
{
	struct epitaph_added_channel *channel = epitaph_channel_find(name);
	struct epitaph_added shape;
	u64 size;
	int err;

	if (!channel)
		return refuse_others(answer, name);
	err = check_channel(answer, channel);
	if (err)
		return err;
	shape = channel->shape;
	if (to->sub_size)
		shape.unit = cpu_to_le32(to->sub_size);
	size = to->size ?: epitaph_added_size_of(&shape, to->nr_subs ?:
			div_u64(le64_to_cpu(shape.ring_size), le32_to_cpu(shape.unit)));
	err = epitaph_added_plan(answer, &shape, size);
	if (err)
		return err;
	if (shape.unit == channel->shape.unit && shape.ring_size == channel->shape.ring_size) {
		epitaph_answer(answer, "channel %s has that size\n", name);
		return 0;
	}
	return resize(answer, channel, &shape);
}

int epitaph_added_resize(struct epitaph_answer *answer, const char *name, const struct epitaph_resize *to)
{
	int err;

	epitaph_events_lock();
	err = change_size(answer, name, to);
	epitaph_events_unlock();
	return err;
}
