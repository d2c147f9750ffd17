// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each ring of the copy has the newest sub-buffer first.  Their order and what lacks
 * between them, a reader knows from their numbers, as in a ring.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "core/subbuf_copy.h"
#include "sources/user_mark.h"
#include "recorder.h"
#include "snapshot.h"

/**
 * struct copy - one ring's, under way
 * @at: the sub-buffer copied last
 * @nr: of them; 0: none could be
 */
struct copy {
	struct epitaph_subcopy at;
	u32 nr;
};

static unsigned int nr_rings(const struct epitaph_source *source)
{
	return source->rings ? nr_cpu_ids : 1;
}

static const struct epitaph_ring *ring_at(const struct epitaph_source *source, unsigned int i)
{
	return source->rings ? per_cpu_ptr(source->rings, i) : epitaph_user_ring();
}

static bool source_subbuf_is_there(const struct epitaph_source *source, unsigned int i)
{
	return !source->rings || cpu_possible(i);
}

u64 epitaph_snapshot_least(const struct epitaph_source *source)
{
	return 2ULL * nr_rings(source) * ring_at(source, cpumask_first(cpu_possible_mask))->sub_size;
}

/* What the fullest ring has in use, and one to come. */
static u64 ring_size_needed(const struct epitaph_source *source)
{
	u64 need = 0;
	unsigned int i;

	for (i = 0; i < nr_rings(source); i++) {
		const struct epitaph_ring *ring = ring_at(source, i);

		if (source_subbuf_is_there(source, i))
			need = max(need, min_t(u64, (READ_ONCE(ring->seq) + 1) * ring->sub_size,
					       ring->size));
	}
	return need;
}

static u8 *place(const struct epitaph_added *shape, unsigned int i, u32 nr)
{
	return epitaph_region.base + le64_to_cpu(shape->off) + i * le64_to_cpu(shape->ring_size) +
	       (u64)nr * le32_to_cpu(shape->unit);
}

/* The sub-buffer copied last becomes one of the copy. */
static void take_subbuf_copy(struct copy *copy, const struct epitaph_added *shape, bool is_newest)
{
	u32 off = copy->nr * le32_to_cpu(shape->unit);

	epitaph_subcopy_seal(&copy->at, le32_to_cpu(shape->unit), epitaph_region.salt ^ off,
			     is_newest);
	copy->nr++;
}

static void copy_newest(struct copy *copy, const struct epitaph_ring *ring,
			const struct epitaph_added *shape, unsigned int i)
{
	copy->at.data = place(shape, i, 0);
	if (epitaph_subcopy_newest(&copy->at, ring))
		plat_zero(copy->at.data, le32_to_cpu(shape->unit));
	else
		take_subbuf_copy(copy, shape, true);
}

static void copy_rest(struct copy *copy, const struct epitaph_ring *ring,
		      const struct epitaph_added *shape, unsigned int i)
{
	u32 room = le64_to_cpu(shape->ring_size) / le32_to_cpu(shape->unit);

	while (copy->nr && copy->nr < room && copy->at.prev) {
		copy->at.data = place(shape, i, copy->nr);
		if (epitaph_subcopy_before(&copy->at, ring, &copy->at)) {
			plat_zero(copy->at.data, le32_to_cpu(shape->unit));
			return;
		}
		take_subbuf_copy(copy, shape, false);
		cond_resched();
	}
}

static bool copy_rings(const struct epitaph_source *source, const struct epitaph_added *shape,
		       struct copy *copies)
{
	unsigned int i;
	bool any = false;

	for (i = 0; i < nr_rings(source); i++)
		if (source_subbuf_is_there(source, i))
			copy_newest(&copies[i], ring_at(source, i), shape, i);
	for (i = 0; i < nr_rings(source); i++) {
		if (source_subbuf_is_there(source, i))
			copy_rest(&copies[i], ring_at(source, i), shape, i);
		any |= copies[i].nr > 0;
	}
	return any;
}

static int plan(struct epitaph_pool *pool, const struct epitaph_source *source,
		struct epitaph_added *shape, u64 size, int *entry)
{
	const struct epitaph_ring *ring = ring_at(source, cpumask_first(cpu_possible_mask));
	u64 most = size ?: epitaph_pool_largest(pool) / 2, ring_size, off;

	ring_size = min(div_u64(most, nr_rings(source)), ring_size_needed(source));
	ring_size = round_down(ring_size, ring->sub_size);
	if (ring_size < 2 * ring->sub_size)
		return -ENOSPC;
	*entry = epitaph_pool_take(pool, ring_size * nr_rings(source), &off);
	if (*entry < 0)
		return *entry;
	shape->off = cpu_to_le64(off);
	shape->ring_size = cpu_to_le64(ring_size);
	shape->unit = cpu_to_le32(ring->sub_size);
	shape->nr_rings = cpu_to_le32(nr_rings(source));
	shape->origin = cpu_to_le32(source->id);
	shape->flags = cpu_to_le32(EPITAPH_ADDED_COPY |
				   (source->rings ? 0 : EPITAPH_ADDED_SHARED));
	plat_zero(epitaph_region.base + off, ring_size * nr_rings(source));
	return 0;
}

int epitaph_snapshot(struct epitaph_pool *pool, const struct epitaph_source *source,
		     struct epitaph_added *shape, u64 size, int *entry)
{
	struct copy *copies;
	int err = plan(pool, source, shape, size, entry);
	bool any;

	if (err)
		return err;
	copies = kcalloc(nr_rings(source), sizeof(*copies), GFP_KERNEL);
	any = copies && copy_rings(source, shape, copies);
	err = any ? 0 : copies ? -EAGAIN : -ENOMEM;
	kfree(copies);
	if (!err)
		return 0;
	epitaph_pool_give(pool, *entry);
	*entry = -1;
	return err;
}
