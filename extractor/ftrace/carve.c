// SPDX-License-Identifier: GPL-2.0-or-later
#include "carve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LANES	4096
#define MAX_UNIT	65536		/* larger sub-buffers are not looked for */
#define MAX_PID		(1U << 22)
#define SLACK_NS	60000000000ULL	/* clocks that count from the start may be ahead of one another */

/* A page that is one. @last: time of its last event */
struct carved_page {
	u64 paddr;
	u64 start;
	u64 last;
	u32 nr;
	u32 unit;
};

struct carving {
	struct ftrace *ftrace;
	struct dump *in;
	u64 latest;
	u64 *known;		/* addresses of sub-buffers that rings have, sorted */
	u32 nr_known;
	struct carved_page *found;
	u32 nr;
	u32 room;
	u8 data[MAX_UNIT];
};

static int by_value(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static int page_by_start(const void *a, const void *b)
{
	const struct carved_page *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void know_ring(struct carving *c, const struct ftrace_ring *ring)
{
	u64 paddr;
	u32 i;

	if (ring->consumed && vmem_translate(c->ftrace->mem.vmem, ring->consumed, &paddr))
		c->known[c->nr_known++] = paddr;
	for (i = 0; i < ring->nr_subs; i++)
		if (ring->is_physical)
			c->known[c->nr_known++] = ring->subs[i].va;
		else if (vmem_translate(c->ftrace->mem.vmem, ring->subs[i].va, &paddr))
			c->known[c->nr_known++] = paddr;
}

static bool know_all(struct carving *c)
{
	const struct ftrace *ftrace = c->ftrace;
	u32 i, k;

	c->known = calloc(FTRACE_MAX_SUBS - ftrace->left + 1, sizeof(*c->known));
	if (!c->known)
		return false;
	for (i = 0; i < ftrace->nr_buffers; i++)
		for (k = 0; k < ftrace->buffers[i].nr_rings; k++)
			know_ring(c, &ftrace->buffers[i].rings[k]);
	qsort(c->known, c->nr_known, sizeof(*c->known), by_value);
	return true;
}

/* Events of this kernel, as far as can be seen, from its beginning to its end, and nothing else. */
static bool is_all_events(const struct carving *c, struct ftrace_page *page, struct carved_page *found)
{
	struct ftrace_event event;
	enum ftrace_page_step step;
	struct bytes b;

	while ((step = ftrace_page_next(page, &event)) == FTRACE_PAGE_EVENT) {
		b = bytes_of(event.data, event.size, c->ftrace->mem.order);
		if (event.size < FORMATS_COMMON || event.time > c->latest ||
		    !formats_has(c->ftrace->formats, bytes_u16(&b, 0)) ||
		    bytes_u32(&b, 4) >= MAX_PID)
			return false;
		found->last = event.time;
		found->nr++;
	}
	return step == FTRACE_PAGE_END && found->nr;
}

static bool is_one(struct carving *c, u64 paddr, struct carved_page *found)
{
	struct ftrace_page page;
	ssize_t size;

	*found = (struct carved_page){ .paddr = paddr };
	size = dump_read(c->in, paddr, c->data, FTRACE_PAGE_MIN, NULL);
	if (size < FTRACE_PAGE_MIN ||
	    !ftrace_page_open(&page, c->data, size, MAX_UNIT, c->ftrace->mem.order) || !page.commit)
		return false;
	/* The kernel's sizes are powers of two. */
	for (found->unit = FTRACE_PAGE_MIN; found->unit < MAX_UNIT &&
	     page.commit > found->unit - FTRACE_PAGE_HEADER; found->unit *= 2)
		;
	if (found->unit > FTRACE_PAGE_MIN)
		size = dump_read(c->in, paddr, c->data, found->unit, NULL);
	if (size < (ssize_t)(FTRACE_PAGE_HEADER + page.commit))
		return false;
	found->start = page.start;
	ftrace_page_open(&page, c->data, size, found->unit, c->ftrace->mem.order);
	return is_all_events(c, &page, found);
}

/* false: no memory. */
static bool keep(struct carving *c, const struct carved_page *found)
{
	if (c->nr == c->room) {
		u32 room = c->room ? c->room * 2 : 64;
		void *p = reallocarray(c->found, room, sizeof(*c->found));

		if (!p)
			return false;
		c->found = p;
		c->room = room;
	}
	c->found[c->nr++] = *found;
	return true;
}

/* Its first 8 bytes are a time since the start: true of few pages, and cheap to check. */
static bool may_be(struct carving *c, u64 paddr)
{
	struct bytes b;
	u8 raw[8];

	if (!dump_peek(c->in, paddr, raw))
		return false;
	b = bytes_of(raw, sizeof(raw), c->ftrace->mem.order);
	return bytes_u64(&b, 0) - 1 < c->latest;
}

static bool search(struct carving *c)
{
	u64 paddr = 0, len, step, end;
	struct carved_page found;

	while (dump_next_data(c->in, paddr, &paddr, &len)) {
		for (end = paddr + len; paddr < end && c->nr < FTRACE_MAX_CARVED; paddr += step) {
			step = DUMP_PAGE;
			if (!may_be(c, paddr) ||
			    (c->nr_known && bsearch(&paddr, c->known, c->nr_known, sizeof(paddr),
						    by_value)) ||
			    !is_one(c, paddr, &found))
				continue;
			if (!keep(c, &found))
				return false;
			step = found.unit;
		}
		if (c->nr == FTRACE_MAX_CARVED)
			break;
	}
	if (c->nr)
		qsort(c->found, c->nr, sizeof(*c->found), page_by_start);
	return true;
}

static bool append(struct ftrace_ring *ring, const struct carved_page *found)
{
	void *subs = reallocarray(ring->subs, ring->nr_subs + 1, sizeof(*ring->subs));

	if (!subs)
		return false;
	ring->subs = subs;
	ring->subs[ring->nr_subs++] = (struct ftrace_sub){
		.va = found->paddr, .start = found->start, .nr = found->nr,
	};
	ring->nr_events += found->nr;
	ring->last = found->last;
	if (found->unit > ring->unit)
		ring->unit = found->unit;
	return true;
}

/* Each page goes behind one that ends before it begins. */
static int fill_lanes(struct carving *c, struct ftrace_buffer *buf, struct err *err)
{
	const struct timekeeping *clock = &c->ftrace->kernel->clock;
	u64 nr_events = 0;
	u32 i, k, nr = 0;

	for (i = 0; i < c->nr; i++) {
		for (k = 0; k < buf->nr_rings; k++)
			if (buf->rings[k].last <= c->found[i].start)
				break;
		if (k == MAX_LANES) {
			nr++;
			nr_events += c->found[i].nr;
			continue;
		}
		if (k == buf->nr_rings)
			buf->rings[buf->nr_rings++] = (struct ftrace_ring){
				.cpu = NO_CPU, .is_physical = true, .is_carved = true,
				.sched_offset = clock->sched_offset,
				.is_offset_unknown = clock->local == KCLOCK_OFFSET };
		if (!append(&buf->rings[k], &c->found[i]))
			return err_sys(err, "memory for carved sub-buffers");
	}
	if (nr) {
		c->ftrace->nr_unread += nr_events;
		damage_notes_add(&c->ftrace->notes, NOTE_NOWHERE,
				 "%u of them with %llu events are left out: at no time can there have been more than %u",
				 nr, nr_events, MAX_LANES);
	}
	return 0;
}

/* That of the other buffers, if they agree; else the one that ftrace begins with. */
static void take_clock(struct ftrace *ftrace, struct ftrace_buffer *buf)
{
	u32 i;

	ftrace_clock_usual(&buf->clock, &ftrace->kernel->clock);
	for (i = 0; i < ftrace->nr_buffers; i++)
		buf->is_unsure |= strcmp(ftrace->buffers[i].clock.name, ftrace->buffers[0].clock.name) != 0;
	if (buf->is_unsure)
		return;
	if (ftrace->nr_buffers && ftrace->buffers[0].clock.kind != FTRACE_CLOCK_NONE)
		buf->clock = ftrace->buffers[0].clock;
}

static int add_carved_buffer(struct carving *c, struct err *err)
{
	struct ftrace *ftrace = c->ftrace;
	struct ftrace_buffer *buf = &ftrace->buffers[ftrace->nr_buffers];
	u64 nr = 0;
	u32 i;

	snprintf(buf->name, sizeof(buf->name), "ftrace (carved)");
	take_clock(ftrace, buf);
	buf->rings = calloc(MAX_LANES, sizeof(*buf->rings));
	ftrace->nr_buffers++;
	if (!buf->rings)
		return err_sys(err, "memory for carved sub-buffers");
	for (i = 0; i < c->nr; i++)
		nr += c->found[i].nr;
	damage_notes_add(&ftrace->notes, NOTE_NOWHERE,
			 "%u sub-buffers with %llu events were found by looking at every page: their instance and CPU are unknown, their clock is taken for \"%s\"",
			 c->nr, nr, buf->clock.name);
	if (c->nr == FTRACE_MAX_CARVED)
		damage_notes_add(&ftrace->notes, NOTE_NOWHERE, "there may be more of them: no more are looked for");
	return fill_lanes(c, buf, err);
}

int ftrace_carve(struct ftrace *ftrace, struct err *err)
{
	struct carving *c = calloc(1, sizeof(*c));
	int ret = 0;

	if (!c)
		return err_sys(err, "memory to look for sub-buffers");
	c->ftrace = ftrace;
	c->in = ftrace->mem.in;
	c->latest = ftrace->kernel->clock.mono_ns + SLACK_NS;
	if (!know_all(c) || !search(c))
		ret = err_sys(err, "memory to look for sub-buffers");
	else if (c->nr && ftrace->nr_buffers < FTRACE_MAX_BUFFERS)
		ret = add_carved_buffer(c, err);
	free(c->known);
	free(c->found);
	free(c);
	return ret;
}
