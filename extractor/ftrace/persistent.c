// SPDX-License-Identifier: GPL-2.0-or-later
#include "persistent.h"

#include <stdio.h>
#include <stdlib.h>

#include "dump/page_heads.h"
#include "persistent_meta.h"

#define MAX_CPUS	8192		/* in one of them */
#define MAX_TABLE	64		/* of reserve_mem=; the kernel has room for 8 */

/*
 * One CPU's sub-buffers on the way into its ring.
 * @order: their numbers, by place in memory: the one for readers, then the circle
 * @nr_broken: sub-buffers that end in what can be no event
 * @nr_stale: that are older than the one before them
 */
struct persistent_walk {
	struct ftrace *ftrace;
	const char *name;
	struct ftrace_meta_cpu cpu;
	struct ftrace_ring *ring;
	u32 *order;
	u32 nr_broken;
	u32 nr_stale;
	void *data;
};

static void note_persistent_damage(const struct persistent_walk *w, const char *what)
{
	damage_notes_add(&w->ftrace->notes, NOTE_NOWHERE, "%s, CPU %u: %s", w->name, w->ring->cpu, what);
}

/* Each number once, or it is no order. */
static bool is_order(const u32 *order, u32 nr)
{
	u8 *seen = calloc(1, nr / 8 + 1);
	bool good = seen != NULL;
	u32 i;

	for (i = 0; i < nr && good; i++) {
		good = order[i] < nr && !(seen[order[i] / 8] & 1 << order[i] % 8);
		if (good)
			seen[order[i] / 8] |= 1 << order[i] % 8;
	}
	free(seen);
	return good;
}

static int subbuf_by_start(const void *a, const void *b)
{
	const struct ftrace_sub *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static bool read_order(struct persistent_walk *w, const struct ftrace_meta *meta)
{
	size_t size = w->cpu.nr * 4ULL;
	struct bytes b;
	u32 i;

	if (dump_read(w->ftrace->mem.in, w->cpu.index, w->order, size, NULL) != (ssize_t)size)
		return false;
	b = bytes_of(w->order, size, meta->order);
	for (i = 0; i < w->cpu.nr; i++)
		w->order[i] = bytes_u32(&b, i * 4ULL);
	return is_order(w->order, w->cpu.nr);
}

/* Counts what is in the sub-buffer that was added last. */
static void count_events(struct persistent_walk *w, struct ftrace_sub *sub)
{
	enum ftrace_page_step step;
	struct ftrace_event event;
	struct ftrace_page page;

	if (!ftrace_ring_load(w->ring, &w->ftrace->mem, w->ring->nr_subs - 1, w->data, &page)) {
		sub->lacks = true;
		return;
	}
	sub->start = page.start;
	w->ring->last = page.start > w->ring->last ? page.start : w->ring->last;
	while ((step = ftrace_page_next(&page, &event)) == FTRACE_PAGE_EVENT) {
		w->ring->last = event.time > w->ring->last ? event.time : w->ring->last;
		sub->nr++;
	}
	w->nr_broken += step == FTRACE_PAGE_BROKEN;
}

/* Sub-buffer number @n, the next one in time.  What is older than the one before is of another lap. */
static void add_persistent_subbuf(struct persistent_walk *w, u32 n)
{
	struct ftrace_ring *ring = w->ring;
	struct ftrace_sub *sub = &ring->subs[ring->nr_subs++];
	u64 before = ring->last;

	*sub = (struct ftrace_sub){ .va = w->cpu.subs + (u64)n * w->cpu.unit };
	count_events(w, sub);
	if (sub->lacks) {
		ring->nr_lacking++;
	} else if (sub->nr && sub->start < before) {
		w->nr_stale++;
		ring->nr_lost += sub->nr;
		ring->nr_subs--;
	} else if (!sub->nr) {
		ring->nr_subs--;
	} else {
		ring->nr_events += sub->nr;
	}
}

/* Where sub-buffer @n stands in the circle; 0: it is the one for readers. */
static u32 place_of(const struct persistent_walk *w, u32 n)
{
	u32 i = 0;

	while (w->order[i] != n)
		i++;
	return i;
}

/* As the kernel would: what readers have taken, then from the oldest to the newest. */
static void follow_persistent_pages(struct persistent_walk *w)
{
	u32 at = place_of(w, w->cpu.head), end = place_of(w, w->cpu.commit), n;

	add_persistent_subbuf(w, w->order[0]);
	if (!end)
		return;
	for (n = 1; n < w->cpu.nr; n++) {
		/* A head that stands where the readers' is: they were about to take it. */
		if (at)
			add_persistent_subbuf(w, w->order[at]);
		if (at == end)
			return;
		at = at + 1 < w->cpu.nr ? at + 1 : 1;
	}
}

/* By their times, where their order is lost. */
static void take_persistent_pages(struct persistent_walk *w)
{
	struct ftrace_ring *ring = w->ring;
	u32 i;

	for (i = 0; i < w->cpu.nr; i++) {
		ring->last = 0;
		add_persistent_subbuf(w, i);
	}
	qsort(ring->subs, ring->nr_subs, sizeof(*ring->subs), subbuf_by_start);
	note_persistent_damage(w, "the order of its sub-buffers is lost; they are read in that of their times");
}

static void tell_damage(const struct persistent_walk *w)
{
	const struct ftrace_ring *ring = w->ring;
	char text[160];

	if (ring->nr_lacking) {
		snprintf(text, sizeof(text), "%u of %u sub-buffers are not there, or cannot be any",
			 ring->nr_lacking, w->cpu.nr);
		note_persistent_damage(w, text);
	}
	if (w->nr_broken) {
		snprintf(text, sizeof(text), "%u sub-buffers end in what can be no event", w->nr_broken);
		note_persistent_damage(w, text);
	}
	if (w->nr_stale) {
		snprintf(text, sizeof(text),
			 "%u sub-buffers with %llu events are older than those before them: left out",
			 w->nr_stale, ring->nr_lost);
		note_persistent_damage(w, text);
	}
}

static int read_cpu(struct persistent_walk *w, const struct ftrace_meta *meta, struct err *err)
{
	struct ftrace_ring *ring = w->ring;

	ring->unit = w->cpu.unit;
	ring->is_physical = true;
	if (w->cpu.nr > w->ftrace->left) {
		note_persistent_damage(w, "there are too many sub-buffers");
		ring->cut = true;
		return 0;
	}
	w->ftrace->left -= w->cpu.nr;
	w->order = calloc(w->cpu.nr, sizeof(*w->order));
	ring->subs = calloc(w->cpu.nr, sizeof(*ring->subs));
	w->data = malloc(w->cpu.unit);
	if (!w->order || !ring->subs || !w->data)
		return err_sys(err, "memory for %u sub-buffers", w->cpu.nr);
	if (w->cpu.is_empty)
		return 0;
	if (read_order(w, meta))
		follow_persistent_pages(w);
	else
		take_persistent_pages(w);
	tell_damage(w);
	return 0;
}

static int add_cpu(struct persistent_walk *w, const struct ftrace_meta *meta, struct ftrace_buffer *buf,
		   struct err *err)
{
	int ret;

	buf->unit = w->cpu.unit;
	ret = read_cpu(w, meta, err);
	free(w->order);
	free(w->data);
	buf->nr_rings++;
	w->ftrace->nr_rings++;
	if (ret || w->ring->nr_subs || w->ring->cut)
		return ret;
	ftrace_ring_free(w->ring);
	buf->nr_rings--;
	return 0;
}

/*
 * The header of the CPU at @at is damaged: is there one behind its sub-buffers, which are as many
 * as those of the others?
 */
static bool skip_cpu(struct persistent_walk *w, const struct ftrace_meta *meta, u64 *at, u32 *cpu)
{
	struct ftrace_meta_cpu next;
	u64 size, skipped = *at;

	if (!w->cpu.nr)
		return false;
	size = (meta->size + w->cpu.nr * 4ULL + w->cpu.unit - 1) & ~(w->cpu.unit - 1ULL);
	skipped += size + (u64)w->cpu.nr * w->cpu.unit;
	if (skipped > meta->end || !ftrace_meta_cpu_read(&next, meta, w->ftrace->mem.in, skipped))
		return false;
	damage_notes_add(&w->ftrace->notes, NOTE_NOWHERE, "%s, CPU %u: what its sub-buffers begin with is damaged: they are lost",
			 w->name, *cpu);
	w->cpu = next;
	*at = skipped;
	++*cpu;
	return true;
}

/* CPU after CPU, as long as there is one.  @end: behind the last one */
static int read_cpus(struct ftrace *ftrace, const struct ftrace_meta *meta,
		     struct ftrace_buffer *buf, u64 *end, struct err *err)
{
	struct persistent_walk w = { 0 };
	u32 cpu;
	int ret = 0;

	*end = meta->first;
	for (cpu = 0; cpu < MAX_CPUS && ftrace->nr_rings < FTRACE_MAX_RINGS && !ret; cpu++) {
		struct ftrace_meta_cpu before = w.cpu;
		void *rings;

		w = (struct persistent_walk){ .ftrace = ftrace, .name = buf->name };
		if (!ftrace_meta_cpu_read(&w.cpu, meta, ftrace->mem.in, *end)) {
			w.cpu = before;
			if (!skip_cpu(&w, meta, end, &cpu))
				break;
		}
		rings = reallocarray(buf->rings, buf->nr_rings + 1, sizeof(*buf->rings));
		if (!rings)
			return err_sys(err, "memory for rings");
		buf->rings = rings;
		w.ring = &buf->rings[buf->nr_rings];
		*w.ring = (struct ftrace_ring){ .cpu = ftrace->lost_first ? NO_CPU : cpu };
		*end = w.cpu.next;
		ret = add_cpu(&w, meta, buf, err);
	}
	return ret;
}

/* A kernel that is there may lie elsewhere than the one that wrote. */
static u64 text_delta(const struct ftrace *ftrace, const struct ftrace_meta *meta)
{
	u64 at;

	if (!ftrace->kernel || !meta->text)
		return 0;
	if (!meta->text_symbol)
		return ftrace->kernel->kaslr - meta->text;
	return kallsyms_address(ftrace->mem.kallsyms, meta->text_symbol, &at) ? at - meta->text : 0;
}

static int add_persistent_buffer(struct ftrace *ftrace, const struct ftrace_meta *meta, u64 *end,
				 struct err *err)
{
	struct ftrace_buffer *buf = &ftrace->buffers[ftrace->nr_buffers];
	int ret;

	if (ftrace->nr_persistent)
		snprintf(buf->name, sizeof(buf->name), "ftrace (persistent %u)", ftrace->nr_persistent + 1);
	else
		snprintf(buf->name, sizeof(buf->name), "ftrace (persistent)");
	buf->is_earlier = true;
	ftrace_clock_number(&buf->clock, meta->clock);
	buf->text_delta = text_delta(ftrace, meta);
	ftrace->nr_buffers++;
	ret = read_cpus(ftrace, meta, buf, end, err);
	if (!buf->nr_rings) {
		free(buf->rings);
		buf->rings = NULL;
		ftrace->nr_buffers--;
	} else {
		ftrace->nr_persistent++;
	}
	return ret;
}

/* Does a ring that was followed lie in it? */
static bool is_mapped(const struct ftrace *ftrace, u64 begin, u64 end)
{
	u64 paddr;
	u32 i, k;

	for (i = 0; i < ftrace->nr_buffers; i++)
		for (k = 0; k < ftrace->buffers[i].nr_rings; k++) {
			const struct ftrace_ring *ring = &ftrace->buffers[i].rings[k];

			if (ring->is_physical || !ring->nr_subs ||
			    !vmem_translate(ftrace->mem.vmem, ring->subs[0].va, &paddr))
				continue;
			if (paddr >= begin && paddr < end)
				return true;
		}
	return false;
}

/* Without its first CPU's header it is not known where it ends, and which CPU's others are. */
static void tell_damaged(struct ftrace *ftrace, const struct ftrace_meta *meta)
{
	ftrace->lost_first |= meta->each_magic;
	damage_notes_add(&ftrace->notes, NOTE_NOWHERE,
			 "at %#llx a trace that outlives reboots begins, but how it goes on is damaged: what it had is lost%s",
			 meta->base, meta->each_magic ? ", and whose CPUs others are is not known" : "");
}

/* Reads what is at @paddr, if something is.  @end: behind it, or @paddr */
static int try(struct ftrace *ftrace, u64 paddr, u64 *end, struct err *err)
{
	struct ftrace_meta meta;
	int ret;

	*end = paddr;
	if (ftrace->nr_persistent == FTRACE_MAX_PERSISTENT ||
	    ftrace->nr_buffers == FTRACE_MAX_BUFFERS ||
	    !ftrace_meta_read(&meta, ftrace->mem.in, paddr))
		return 0;
	if (!ftrace->nr_persistent && !ftrace->kernel)
		ftrace->mem.order = meta.order;
	if (meta.order != ftrace->mem.order)
		return 0;
	ret = add_persistent_buffer(ftrace, &meta, end, err);
	if (*end == meta.first) {
		*end = paddr;
		tell_damaged(ftrace, &meta);
	}
	return ret;
}

static int try_pages(struct ftrace *ftrace, struct err *err)
{
	u64 paddr = 0, end;
	int ret = 0;

	while (!ret && heads_next(ftrace->mem.in, HEAD_FTRACE, NULL, &paddr)) {
		end = paddr;
		ret = try(ftrace, paddr, &end, err);
		paddr = end > paddr ? (end + DUMP_PAGE - 1) & ~(DUMP_PAGE - 1ULL) : paddr + DUMP_PAGE;
	}
	return ret;
}

/* What the kernel notes of its command line's reserve_mem=. */
static int try_reserved(struct ftrace *ftrace, struct err *err)
{
	const struct ftrace_memory *mem = &ftrace->mem;
	struct btf_member_place start, length;
	u64 table, count, at, size, end;
	u32 entry, i;
	int ret = 0;

	if (!kallsyms_address(mem->kallsyms, "reserved_mem_table", &table) ||
	    !kallsyms_address(mem->kallsyms, "reserved_mem_count", &count) ||
	    !vmem_number(mem->vmem, count, 4, &count) ||
	    !kernel_btf_size(mem->types, "reserve_mem_table", &entry) ||
	    !kernel_btf_member(mem->types, "reserve_mem_table", "start", &start) ||
	    !kernel_btf_member(mem->types, "reserve_mem_table", "size", &length))
		return 0;
	for (i = 0; i < count && i < MAX_TABLE && !ret; i++, table += entry)
		if (vmem_u64(mem->vmem, table + start.offset, &at) &&
		    vmem_u64(mem->vmem, table + length.offset, &size) &&
		    !is_mapped(ftrace, at, at + size))
			ret = try(ftrace, at, &end, err);
	return ret;
}

int ftrace_persistent_find(struct ftrace *ftrace, struct err *err)
{
	return ftrace->kernel ? try_reserved(ftrace, err) : try_pages(ftrace, err);
}
