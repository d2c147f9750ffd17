// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parity of each page, made behind the writers' backs: nothing waits, and no instruction is
 * added where events are written.  A page is seen by a hash of what tells its states apart: all of
 * it, or of a sub-buffer the header, whose sums change with each commit.  The hash is taken before
 * the parity is made, so that a change meanwhile shows the next time.
 *
 * A CPU that stops in between leaves an entry that fits no page, which a reader notices.
 */
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <epitaph/parity.h>
#include "lost.h"
#include "parity.h"
#include "recorder.h"

#define SWEEP_PAGES	1024	/* of rings, and a quarter of it of the pool, each second */
#define SAME_IN_A_ROW	8	/* behind these all others are seen: each level holds one at most */

static struct epitaph_gf gf;
static u8 *entries;
static u32 *seen;		/* by page of the generation: its hash */
static struct task_struct *thread;
static u32 nr_made;		/* by the thread, in this round */

/* Pages of the generation, from @begin up to @end. */
struct span {
	u32	begin;
	u32	end;
};

static struct span of_header, of_tables, of_pool, of_rings, of_copy;

static bool see_page(u32 page, u32 hashed)
{
	const u8 *at = epitaph_region.base + (u64)page * EPITAPH_PAGE;
	u64 hash = epitaph_check(0, at, hashed);

	if ((u32)hash == READ_ONCE(seen[page]))
		return false;
	WRITE_ONCE(seen[page], hash);
	/* The image of hibernation has the thread anywhere in its round, but not between these two. */
	preempt_disable();
	if (!epitaph_lost())
		epitaph_parity_encode(&gf, at, entries + (u64)page * EPITAPH_PARITY_SIZE);
	preempt_enable();
	nr_made++;
	return true;
}

/* Sub-buffers of the main channel are pages. */
static bool see_subbuf(u32 page)
{
	return see_page(page, sizeof(struct epitaph_sub));
}

/* Returns false: there is no more time. */
static bool see_span(struct span span, u64 deadline)
{
	u32 page;

	for (page = span.begin; page < span.end; page++) {
		see_page(page, EPITAPH_PAGE);
		if (ktime_get_mono_fast_ns() > deadline)
			return false;
		if (deadline == U64_MAX)
			cond_resched();
	}
	return true;
}

/* From the newest sub-buffer back. */
static bool see_ring(unsigned int cpu, u64 deadline)
{
	const struct epitaph_ring *ring = per_cpu_ptr(&epitaph_rings[EPITAPH_CHANNEL_MAIN], cpu);
	u32 first = (ring->data - epitaph_region.base) / EPITAPH_PAGE;
	u32 nr = ring->size / EPITAPH_PAGE, same = 0, i;
	u32 newest = ((u32)READ_ONCE(ring->head) + ring->size - 1) % ring->size / EPITAPH_PAGE;

	for (i = 0; i < nr && same < SAME_IN_A_ROW; i++) {
		same = see_subbuf(first + (newest + nr - i) % nr) ? 0 : same + 1;
		if (ktime_get_mono_fast_ns() > deadline)
			return false;
		if (deadline == U64_MAX)
			cond_resched();
	}
	return true;
}

static bool see_what_changes(u64 deadline)
{
	unsigned int cpu;

	if (epitaph_lost() || !see_span(of_tables, deadline))
		return false;
	for_each_possible_cpu(cpu)
		if (!see_ring(cpu, deadline))
			return false;
	return true;
}

/* The next @nr pages of @span from *@at on, in turn. */
static struct span next_pages(struct span span, u32 *at, u32 nr)
{
	struct span next;

	next.begin = *at < span.begin || *at >= span.end ? span.begin : *at;
	next.end = min(span.end, next.begin + nr);
	*at = next.end;
	return next;
}

/* What no short way finds: sub-buffers in which a writer was interrupted for long, and the pool. */
static void sweep(void)
{
	static u32 ring_at, pool_at;
	struct span next = next_pages(of_rings, &ring_at, SWEEP_PAGES);
	u32 page;

	for (page = next.begin; page < next.end; page++) {
		see_subbuf(page);
		cond_resched();
	}
	see_span(next_pages(of_pool, &pool_at, SWEEP_PAGES / 4), U64_MAX);
}

/* Rings that would be overwritten within 8 seconds are looked at more often. */
static long until_next_round(void)
{
	return nr_made > (of_rings.end - of_rings.begin) / 8 ? HZ / 10 : HZ;
}

static int keep_parity(void *unused)
{
	set_user_nice(current, MAX_NICE);
	while (!kthread_should_stop()) {
		nr_made = 0;
		if (see_what_changes(U64_MAX))
			sweep();
		schedule_timeout_interruptible(until_next_round());
	}
	return 0;
}

void epitaph_parity_finish(unsigned int ms)
{
	if (seen)
		see_what_changes(ktime_get_mono_fast_ns() + ms * NSEC_PER_MSEC);
}

static struct span span_of(u64 begin, u64 end)
{
	return (struct span){ .begin = begin / EPITAPH_PAGE, .end = end / EPITAPH_PAGE };
}

static void find_spans(void)
{
	const struct epitaph_header *header = (const void *)epitaph_region.base;
	size_t size, pool_size;
	u8 *pool = epitaph_section(EPITAPH_SEC_POOL, &pool_size);
	u64 pool_at = pool - epitaph_region.base, copy_at = le64_to_cpu(header->copy_off), behind;

	entries = epitaph_section(EPITAPH_SEC_PARITY, &size);
	behind = round_up(entries + size - epitaph_region.base, EPITAPH_PAGE);
	of_header = span_of(0, le32_to_cpu(header->table_size));
	of_tables = span_of(behind, pool_at);
	of_pool = span_of(pool_at, pool_at + pool_size);
	of_rings = span_of(pool_at + pool_size, copy_at);
	of_copy = span_of(copy_at, epitaph_region.size);
}

void epitaph_parity_start(void)
{
	find_spans();
	epitaph_gf_init(&gf);
	seen = kvcalloc(of_copy.end, sizeof(*seen), GFP_KERNEL);
	if (!seen) {
		pr_warn("no memory to keep parity: a flipped bit loses what it is in\n");
		return;
	}
	see_span(of_header, U64_MAX);
	see_span(of_copy, U64_MAX);
	thread = kthread_run(keep_parity, NULL, "epitaph-parity");
	if (!IS_ERR(thread))
		return;
	pr_warn("no thread to keep parity (%ld): a flipped bit loses what it is in\n", PTR_ERR(thread));
	thread = NULL;
}

void epitaph_parity_stop(void)
{
	if (thread)
		kthread_stop(thread);
	thread = NULL;
	kvfree(seen);
	seen = NULL;
}
