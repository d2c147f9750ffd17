// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring_buffer.h"

#include <stdlib.h>

#include "base/cycle_check.h"

#define POINTER_FLAGS	3ULL	/* in the low bits of list.next */
#define POINTER_HEAD	1	/* it leads to the head page */
#define POINTER_UPDATE	2	/* it does, and a writer is about to move the head on */
#define NO_PAGE		(~0ULL)		/* the address of none */
#define COUNT_MASK	0xfffffULL	/* of buffer_page.write and .entries: above are writers under way */

/* What is under way. */
struct ring_buffer_walk {
	struct ftrace_ring *ring;
	const struct ftrace_memory *mem;
	const char *name;
	struct damage_notes *notes;
	u32 *left;
	u32 room;
};

static u64 list_at(const struct ring_buffer_walk *w, u64 page)
{
	return page + w->mem->at[PAGE_LIST].offset;
}

/* The page after @page, and what the pointer to it says. */
static bool next_of(const struct ring_buffer_walk *w, u64 page, u64 *next, u32 *flags)
{
	u64 to;

	if (!vmem_u64(w->mem->vmem, list_at(w, page), &to) || !(to & ~POINTER_FLAGS))
		return false;
	*flags = to & POINTER_FLAGS;
	*next = (to & ~POINTER_FLAGS) - w->mem->at[PAGE_LIST].offset;
	return true;
}

static bool grow(struct ring_buffer_walk *w)
{
	struct ftrace_ring *ring = w->ring;
	u32 room = w->room ? w->room * 2 : 64;
	void *subs;

	if (ring->nr_subs < w->room)
		return true;
	subs = reallocarray(ring->subs, room, sizeof(*ring->subs));
	if (!subs)
		return false;
	ring->subs = subs;
	w->room = room;
	return true;
}

/* Time and size of a sub-buffer, of which nothing else is read yet. */
static void look_at(struct ring_buffer_walk *w, struct ftrace_sub *sub, u64 *commit)
{
	u8 header[FTRACE_PAGE_HEADER];
	struct ftrace_page page;

	*commit = 0;
	sub->lacks = !vmem_get(w->mem->vmem, sub->va, header, sizeof(header)) ||
		     !ftrace_page_open(&page, header, sizeof(header), w->ring->unit, w->mem->order);
	if (sub->lacks)
		return;
	sub->start = page.start;
	*commit = page.commit;
}

/* -1: no memory or no more room. */
static int add_ring_page(struct ring_buffer_walk *w, u64 page, bool is_reader, bool is_last)
{
	struct ftrace_ring *ring = w->ring;
	struct ftrace_sub sub = { 0 };
	u64 commit, written;

	if (!*w->left || !grow(w))
		return -1;
	--*w->left;
	sub.va = ftrace_value(w->mem, page, PAGE_PAGE);
	sub.nr = ftrace_value(w->mem, page, PAGE_ENTRIES) & COUNT_MASK;
	if (is_reader)
		sub.skip = ftrace_value(w->mem, page, PAGE_READ);
	look_at(w, &sub, &commit);
	written = ftrace_value(w->mem, page, PAGE_WRITE) & COUNT_MASK;
	if (is_last && !sub.lacks && written > commit && written <= ring->unit)
		ring->unfinished = written - commit;
	if (sub.lacks) {
		ring->nr_lacking++;
		ring->nr_lost += sub.nr;
	} else if (!commit || sub.skip >= commit) {
		if (is_reader)
			ring->consumed = sub.va;
		return 0;
	} else {
		ring->nr_events += sub.nr;
	}
	ring->subs[ring->nr_subs++] = sub;
	return 0;
}

/* The head is where a pointer's flag says; head_page was right when somebody last looked. */
static bool find_head(const struct ring_buffer_walk *w, u64 va, u64 nr_pages, u64 *head)
{
	struct passed passed = { .place = NO_PAGE };
	u64 page, next, i;
	u32 flags;

	if (!ftrace_get(w->mem, va, CPU_HEAD, &page))
		return false;
	*head = page;
	for (i = 0; i <= nr_pages && *w->left && !passed_before(&passed, page); i++, page = next) {
		/* A look at a pointer is a fraction of one at a sub-buffer, and counts so. */
		*w->left -= !(i % 16);
		if (!next_of(w, page, &next, &flags))
			return false;
		if (flags == POINTER_HEAD || flags == POINTER_UPDATE) {
			*head = next;
			return true;
		}
	}
	damage_notes_add(w->notes, NOTE_NOWHERE, "%s, CPU %u: which sub-buffer is the oldest is not certain",
			 w->name, w->ring->cpu);
	return true;
}

static void cut_ring(struct ring_buffer_walk *w, const char *why)
{
	w->ring->cut = true;
	damage_notes_add(w->notes, NOTE_NOWHERE, "%s, CPU %u: %s; what comes behind is lost", w->name,
			 w->ring->cpu, why);
}

/* From the oldest page of the circle to the one that is committed to. */
static int follow_ring(struct ring_buffer_walk *w, u64 va, u64 commit_page)
{
	u64 nr_pages = ftrace_value(w->mem, va, CPU_NR_PAGES);
	struct passed passed = { .place = NO_PAGE };
	u64 page, i;
	u32 flags;

	if (nr_pages > FTRACE_MAX_SUBS)
		nr_pages = FTRACE_MAX_SUBS;
	if (!find_head(w, va, nr_pages, &page))
		return cut_ring(w, vmem_why(w->mem->vmem)), 0;
	for (i = 0; i <= nr_pages && !passed_before(&passed, page); i++) {
		if (add_ring_page(w, page, false, page == commit_page))
			return -1;
		if (page == commit_page)
			return 0;
		if (!next_of(w, page, &page, &flags))
			return cut_ring(w, vmem_why(w->mem->vmem)), 0;
	}
	return cut_ring(w, "the circle of its sub-buffers does not close"), 0;
}

static void count_page_events(struct ring_buffer_walk *w, u64 va)
{
	struct ftrace_ring *ring = w->ring;

	ring->overrun = ftrace_value(w->mem, va, CPU_OVERRUN);
	ring->commit_overrun = ftrace_value(w->mem, va, CPU_COMMIT_OVERRUN);
	ring->dropped = ftrace_value(w->mem, va, CPU_DROPPED);
}

/* Of the larger ones, a part may be left out, and of the first a reader may have had some: what is left is counted. */
static int count_parts(struct ring_buffer_walk *w, struct err *err)
{
	struct ftrace_ring *ring = w->ring;
	struct ftrace_event event;
	struct ftrace_page page;
	void *data;
	u32 i, n;

	if (ring->unit <= vmem_page_size(w->mem->vmem) && !(ring->nr_subs && ring->subs[0].skip))
		return 0;
	data = malloc(ring->unit);
	if (!data)
		return err_sys(err, "memory for a sub-buffer");
	for (i = 0; i < ring->nr_subs; i++) {
		struct ftrace_sub *sub = &ring->subs[i];
		bool is_whole;

		if (!ftrace_ring_load(ring, w->mem, i, data, &page))
			continue;
		is_whole = bytes_has(&page.bytes, FTRACE_PAGE_HEADER, page.commit);
		if (is_whole && !sub->skip)
			continue;
		for (n = 0; ftrace_page_next(&page, &event) == FTRACE_PAGE_EVENT;)
			n++;
		ring->nr_lacking += !is_whole;
		if (n >= sub->nr)
			continue;
		ring->nr_events -= sub->nr - n;
		if (is_whole)
			sub->nr = n;
		else
			ring->nr_lost += sub->nr - n;
	}
	free(data);
	return 0;
}

/* The newest event's time: the last sub-buffer is read for it. */
static int find_last(struct ring_buffer_walk *w, struct err *err)
{
	struct ftrace_ring *ring = w->ring;
	struct ftrace_event event;
	struct ftrace_page page;
	u32 i = ring->nr_subs;
	void *data;

	while (i > 0 && ring->subs[i - 1].lacks)
		i--;
	if (!i)
		return 0;
	data = malloc(ring->unit);
	if (!data)
		return err_sys(err, "memory for a sub-buffer");
	ring->last = ring->subs[i - 1].start;
	if (ftrace_ring_load(ring, w->mem, i - 1, data, &page))
		while (ftrace_page_next(&page, &event) == FTRACE_PAGE_EVENT)
			ring->last = event.time;
	free(data);
	return 0;
}

/* The one reason that has been seen: makedumpfile took them for pages of user space. */
static void tell_lacking(struct ring_buffer_walk *w)
{
	const struct ftrace_ring *ring = w->ring;

	if (ring->nr_lacking)
		damage_notes_add(w->notes, NOTE_NOWHERE,
				 "%s, CPU %u: %u of %u sub-buffers are not in the dump, or in part only, and with them %llu events: an old makedumpfile leaves out such pages",
				 w->name, ring->cpu, ring->nr_lacking, ring->nr_subs, ring->nr_lost);
}

int ftrace_ring_read(struct ftrace_ring *ring, const struct ftrace_memory *mem, u64 va,
		     u32 *left, const char *name, struct damage_notes *notes, struct err *err)
{
	struct ring_buffer_walk w = { .ring = ring, .mem = mem, .name = name, .notes = notes, .left = left };
	u64 reader, commit;
	int ret = 0;

	if (!ftrace_get(mem, va, CPU_READER, &reader) || !ftrace_get(mem, va, CPU_COMMIT, &commit)) {
		cut_ring(&w, vmem_why(mem->vmem));
		return 0;
	}
	count_page_events(&w, va);
	ret = add_ring_page(&w, reader, true, reader == commit);
	if (!ret && reader != commit)
		ret = follow_ring(&w, va, commit);
	if (ret && *left)
		return err_sys(err, "memory for %u sub-buffers", ring->nr_subs);
	if (ret)
		cut_ring(&w, "there are too many sub-buffers");
	ret = count_parts(&w, err);
	if (ret)
		return ret;
	tell_lacking(&w);
	return find_last(&w, err);
}

void ftrace_ring_free(struct ftrace_ring *ring)
{
	free(ring->subs);
	ring->subs = NULL;
}

bool ftrace_ring_load(const struct ftrace_ring *ring, const struct ftrace_memory *mem, u32 i,
		      void *data, struct ftrace_page *page)
{
	const struct ftrace_sub *sub = &ring->subs[i];
	ssize_t size;

	if (sub->lacks)
		return false;
	if (ring->is_physical)
		size = dump_read(mem->in, sub->va, data, ring->unit, NULL);
	else
		size = vmem_read(mem->vmem, sub->va, data, ring->unit);
	return size > 0 && ftrace_page_open(page, data, size, ring->unit, mem->order) &&
	       ftrace_page_skip(page, sub->skip);
}
