// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sub-buffers that lists lead to more than once.
 *
 * build: tests/lib/kmem_image.c @extractor
 */
#include <string.h>

#include "ftrace/shared_pages.h"
#include "kmem_image.h"
#include "tap.h"

#define PAGE	4096ULL
#define ALIAS	0xffffffff90000000ULL	/* where the first page is mapped once more */

struct fixture {
	struct kmem k;
	struct dump *in;
	struct ftrace ftrace;
	struct ftrace_buffer buffers[2];
	struct ftrace_ring rings[2];
};

/* Two buffers, each with one ring of sub-buffers at these addresses, 3 events in each. */
static void open_dump(struct fixture *d, const u64 *first, u32 nr_first, const u64 *second, u32 nr_second)
{
	struct err err = ERR_INIT;
	char path[40];
	u32 i;

	*d = (struct fixture){ .k = kmem_make(&(struct kmem_paging){ KMEM_X86_64, 12, 48, 4 }) };
	kmem_map(&d->k, ALIAS, d->k.text, 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", kmem_fd(&d->k));
	if (!CHECK(!dump_open(&d->in, path, &err) && !vmem_open(&d->ftrace.mem.vmem, d->in, &err),
		   "%s", err.msg))
		exit(99);
	d->ftrace.buffers = d->buffers;
	d->ftrace.nr_buffers = 2;
	for (i = 0; i < 2; i++) {
		const u64 *at = i ? second : first;
		u32 nr = i ? nr_second : nr_first;

		d->buffers[i].rings = &d->rings[i];
		d->buffers[i].nr_rings = 1;
		d->rings[i] = (struct ftrace_ring){ .unit = 2 * PAGE, .nr_subs = nr, .nr_events = 3 * nr };
		d->rings[i].subs = calloc(nr, sizeof(struct ftrace_sub));
		for (u32 k = 0; k < nr; k++)
			d->rings[i].subs[k] = (struct ftrace_sub){ .va = at[k], .nr = 3 };
	}
	CHECK(!ftrace_drop_twice(&d->ftrace, NULL), "no memory");
}

static void close_dump(struct fixture *d)
{
	free(d->rings[0].subs);
	free(d->rings[1].subs);
	vmem_close(d->ftrace.mem.vmem);
	dump_close(d->in);
	damage_notes_free(&d->ftrace.notes);
	kmem_free(&d->k);
}

static u64 page(u32 n)
{
	return KMEM_TEXT + n * PAGE;
}

static void twice__what_is_there_once_stays_in_its_order(void)
{
	struct fixture d;

	open_dump(&d, (u64[]){ page(6), page(0), page(2) }, 3, (u64[]){ page(4) }, 1);
	CHECK(d.rings[0].nr_subs == 3 && d.rings[1].nr_subs == 1 && !d.ftrace.notes.nr, "%u %u",
	      d.rings[0].nr_subs, d.rings[1].nr_subs);
	CHECK(d.rings[0].subs[0].va == page(6) && d.rings[0].subs[2].va == page(2), "order");
	close_dump(&d);
}

static void twice__one_that_is_met_again_is_read_once(void)
{
	struct fixture d;

	open_dump(&d, (u64[]){ page(2), page(0), page(2), page(0) }, 4, (u64[]){ page(2), page(4) }, 2);
	CHECK(d.rings[0].nr_subs == 2 && d.rings[0].nr_events == 6 && d.rings[0].subs[1].va == page(0),
	      "%u %llu", d.rings[0].nr_subs, d.rings[0].nr_events);
	CHECK(d.rings[1].nr_subs == 1 && d.rings[1].nr_events == 3 && d.rings[1].subs[0].va == page(4),
	      "%u %llu", d.rings[1].nr_subs, d.rings[1].nr_events);
	CHECK(d.ftrace.notes.nr == 1, "%llu", d.ftrace.notes.nr);
	close_dump(&d);
}

static void twice__memory_counts_and_not_the_address(void)
{
	struct fixture d;

	open_dump(&d, (u64[]){ page(0), ALIAS, page(1) }, 3, (u64[]){ page(2) }, 1);
	CHECK(d.rings[0].nr_subs == 1 && d.rings[0].subs[0].va == page(0), "%u", d.rings[0].nr_subs);
	CHECK(d.rings[1].nr_subs == 1, "%u", d.rings[1].nr_subs);
	close_dump(&d);
}

int main(void)
{
	TAP_RUN(twice__what_is_there_once_stays_in_its_order);
	TAP_RUN(twice__one_that_is_met_again_is_read_once);
	TAP_RUN(twice__memory_counts_and_not_the_address);
	return tap_done();
}
