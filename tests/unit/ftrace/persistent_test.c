// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory with a buffer of the kernel's trace that outlives reboots, written here word by
 * word after the structs of kernel/trace/ring_buffer.c: ring_buffer_meta of 6.12, and
 * ring_buffer_meta with ring_buffer_cpu_meta of 7.2.
 *
 * build: @extractor -lbpf -ldw -lelf -lzstd -llzo2 -lz -lsnappy
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ftrace/ftrace.h"
#include "timeline/postmortem.h"
#include "timeline/timeline.h"
#include "tap.h"

#define PAGE	4096U
#define AT	(3 * PAGE)	/* of the buffer in the image */
#define SIZE	(64 * PAGE)
#define NR	5U		/* sub-buffers of a CPU */
#define VA	0xffff888012345000ULL

enum meta_version { V6_12, V7_2 };

struct image {
	u8 data[SIZE];
	enum meta_version layout;
	bool big;
};

static void put(struct image *im, size_t at, u64 value, u32 width)
{
	for (u32 i = 0; i < width; i++)
		im->data[at + (im->big ? width - 1 - i : i)] = value >> 8 * i;
}

static size_t header(const struct image *im)
{
	return im->layout == V6_12 ? 56 : 32;
}

/* Where the header of @cpu is; 7.2 has its own in front, with room. */
static size_t cpu_at(const struct image *im, u32 cpu)
{
	size_t at = im->layout == V6_12 ? AT : AT + 24 + 24;

	for (; cpu; cpu--)
		at = ((at + header(im) + NR * 4 + PAGE - 1) & ~(size_t)(PAGE - 1)) + NR * PAGE;
	return at;
}

static size_t sub_at(const struct image *im, u32 cpu, u32 n)
{
	return cpu_at(im, cpu + 1) - NR * PAGE + n * PAGE;
}

/* Its pointers: first, head, commit. */
static size_t pointers(const struct image *im, u32 cpu)
{
	return cpu_at(im, cpu) + header(im) - 32;
}

/* @nr events of 16 bytes, of pid 77 and id 5, @step apart. */
static void put_sub(struct image *im, u32 cpu, u32 n, u64 time, u32 nr, u32 step)
{
	size_t at = sub_at(im, cpu, n);

	put(im, at, time, 8);
	put(im, at + 8, nr * 20, 8);
	for (u32 i = 0; i < nr; i++) {
		size_t event = at + 16 + i * 20;
		u32 delta = i ? step : 0;

		put(im, event, im->big ? 4U << 27 | delta : 4U | delta << 5, 4);
		put(im, event + 4, 5, 2);
		put(im, event + 8, 77, 4);
		put(im, event + 12, 0xffffffff81234567ULL, 8);
	}
}

static void put_cpu(struct image *im, u32 cpu, u32 head, u32 commit)
{
	size_t at = cpu_at(im, cpu);
	u64 first = VA + sub_at(im, cpu, 0) - AT;

	if (im->layout == V6_12) {
		put(im, at, 0x0badfeed, 4);
		put(im, at + 4, 56, 4);
		put(im, at + 8, 0xffffffff81111111ULL, 8);
	}
	at = pointers(im, cpu);
	put(im, at, first, 8);
	put(im, at + 8, first + head * PAGE, 8);
	put(im, at + 16, first + commit * PAGE, 8);
	put(im, at + 24, PAGE, 4);
	put(im, at + 28, NR, 4);
	for (u32 i = 0; i < NR; i++)
		put(im, at + 32 + 4 * i, i, 4);
}

/* Sub-buffer 0 is the readers'; the circle of the others is full, its oldest number 3. */
static struct image *make(enum meta_version layout, bool big)
{
	struct image *im = calloc(1, sizeof(*im));

	im->layout = layout;
	im->big = big;
	if (layout == V7_2) {
		put(im, AT, 0x0badfeed, 4);
		put(im, AT + 4, 24 << 16 | 32, 4);
		put(im, AT + 8, cpu_at(im, 2) - AT, 8);
		put(im, AT + 16, 48, 8);
		put(im, AT + 24, 5, 4);		/* clock: mono */
	}
	for (u32 cpu = 0; cpu < 2; cpu++) {
		put_cpu(im, cpu, 3, 2);
		put_sub(im, cpu, 0, 1000, 2, 10);
		put_sub(im, cpu, 3, 2000, 3, 10);
		put_sub(im, cpu, 4, 3000, 4, 10);
		put_sub(im, cpu, 1, 4000, 5, 10);
		put_sub(im, cpu, 2, 5000, 6, 10);
	}
	return im;
}

struct fixture {
	struct dump *in;
	struct ftrace *ftrace;
};

/* Frees the image. */
static bool open_dump(struct fixture *d, struct image *im, size_t size)
{
	struct err err = ERR_INIT;
	int fd = memfd_create("image", 0);

	if (write(fd, im->data, size) != (ssize_t)size)
		exit(99);
	free(im);
	if (!CHECK(!dump_open_fd(&d->in, fd, &err), "%s", err.msg) ||
	    !CHECK(!ftrace_open_alone(&d->ftrace, d->in, &err), "%s", err.msg))
		exit(99);
	return d->ftrace != NULL;
}

static void close_dump(struct fixture *d)
{
	ftrace_close(d->ftrace);
	dump_close(d->in);
}

static bool says(const struct fixture *d, const char *text)
{
	for (u64 i = 0; i < d->ftrace->notes.nr; i++)
		if (strstr(d->ftrace->notes.list[i].text, text))
			return true;
	return false;
}

static void check_whole(struct image *im, const char *clock)
{
	static const u64 starts[] = { 1000, 2000, 3000, 4000, 5000 };
	struct fixture d;

	if (!CHECK(open_dump(&d, im, SIZE), "nothing found"))
		return close_dump(&d);
	CHECK(d.ftrace->nr_buffers == 1 && d.ftrace->buffers[0].nr_rings == 2, "%u buffers, %u rings",
	      d.ftrace->nr_buffers, d.ftrace->buffers[0].nr_rings);
	CHECK(!strcmp(d.ftrace->buffers[0].clock.name, clock), "%s", d.ftrace->buffers[0].clock.name);
	CHECK(!d.ftrace->notes.nr, "%s", d.ftrace->notes.list[0].text);
	for (u32 cpu = 0; cpu < d.ftrace->buffers[0].nr_rings; cpu++) {
		const struct ftrace_ring *ring = &d.ftrace->buffers[0].rings[cpu];

		CHECK(ring->cpu == cpu && ring->nr_subs == 5 && ring->nr_events == 20 && ring->last == 5050,
		      "CPU %u: %u sub-buffers, %llu events, the last at %llu", ring->cpu, ring->nr_subs,
		      ring->nr_events, ring->last);
		for (u32 i = 0; i < ring->nr_subs; i++)
			CHECK(ring->subs[i].start == starts[i], "%u: %llu", i, ring->subs[i].start);
	}
	close_dump(&d);
}

static void persistent__memory_of_6_12_is_read(void)
{
	check_whole(make(V6_12, false), "?");
}

static void persistent__memory_of_7_2_is_read(void)
{
	check_whole(make(V7_2, false), "mono");
}

static void persistent__memory_of_a_big_endian_machine_is_read(void)
{
	check_whole(make(V6_12, true), "?");
	check_whole(make(V7_2, true), "mono");
}

static void persistent__the_order_of_the_kernel_counts(void)
{
	struct image *im = make(V6_12, false);
	size_t order = pointers(im, 0) + 32;
	struct fixture d;

	/* A reader has swapped the first of the circle for number 0. */
	put(im, order, 3, 4);
	put(im, order + 12, 0, 4);
	put(im, pointers(im, 0) + 8, VA + sub_at(im, 0, 4) - AT, 8);
	put_sub(im, 0, 0, 0, 0, 0);
	if (CHECK(open_dump(&d, im, SIZE), "nothing found")) {
		const struct ftrace_ring *ring = &d.ftrace->buffers[0].rings[0];

		CHECK(ring->nr_subs == 4 && ring->nr_events == 18 && ring->subs[0].start == 2000 &&
		      ring->last == 5050, "%u, %llu, %llu", ring->nr_subs, ring->nr_events,
		      ring->subs[0].start);
		CHECK(!d.ftrace->notes.nr, "%s", d.ftrace->notes.list[0].text);
	}
	close_dump(&d);
}

static void persistent__a_lost_order_is_told_and_replaced_by_time(void)
{
	struct image *im = make(V6_12, false);
	struct fixture d;

	put(im, pointers(im, 1) + 32, 4, 4);
	if (CHECK(open_dump(&d, im, SIZE), "nothing found")) {
		const struct ftrace_ring *ring = &d.ftrace->buffers[0].rings[1];

		CHECK(ring->nr_subs == 5 && ring->nr_events == 20 && ring->subs[0].start == 1000 &&
		      ring->subs[4].start == 5000, "%u, %llu", ring->nr_subs, ring->nr_events);
		CHECK(says(&d, "the order of its sub-buffers is lost"), "no note");
	}
	close_dump(&d);
}

static void persistent__what_is_older_than_before_is_left_out_and_told(void)
{
	struct image *im = make(V7_2, false);
	struct fixture d;

	put_sub(im, 0, 4, 100, 4, 10);
	if (CHECK(open_dump(&d, im, SIZE), "nothing found")) {
		const struct ftrace_ring *ring = &d.ftrace->buffers[0].rings[0];

		CHECK(ring->nr_subs == 4 && ring->nr_events == 16 && ring->nr_lost == 4, "%u, %llu, %llu",
		      ring->nr_subs, ring->nr_events, ring->nr_lost);
		CHECK(says(&d, "older than those before"), "no note");
	}
	close_dump(&d);
}

static void persistent__damage_in_a_sub_buffer_is_told(void)
{
	struct image *im = make(V6_12, false);
	struct fixture d;

	put(im, sub_at(im, 0, 4) + 16 + 20, 29, 4);	/* a size of nothing, behind the first event */
	put(im, sub_at(im, 0, 4) + 16 + 20, 29 | 1 << 5, 4);
	put(im, sub_at(im, 0, 4) + 16 + 24, 0xfffffff0, 4);
	put(im, sub_at(im, 0, 1) + 8, PAGE, 8);		/* more than has room */
	if (CHECK(open_dump(&d, im, SIZE), "nothing found")) {
		const struct ftrace_ring *ring = &d.ftrace->buffers[0].rings[0];

		CHECK(ring->nr_events == 2 + 3 + 1 + 6 && ring->nr_lacking == 1, "%llu, %u",
		      ring->nr_events, ring->nr_lacking);
		CHECK(says(&d, "1 sub-buffers end in what can be no event") &&
		      says(&d, "1 of 5 sub-buffers are not there"), "no note");
	}
	close_dump(&d);
}

static void persistent__what_cannot_be_a_header_is_none(void)
{
	static const struct {
		u32 off;
		u64 value;
		u32 width;
	} bad[] = {
		{ 0, VA + 5, 8 }, { 8, 0, 8 }, { 8, VA + SIZE, 8 }, { 16, 12345, 8 },
		{ 24, 0, 4 }, { 24, 5000, 4 }, { 24, 1U << 31, 4 }, { 28, 2, 4 }, { 28, 0xffffffff, 4 },
	};
	struct image *im;
	struct fixture d;

	for (u32 i = 0; i < ARRAY_SIZE(bad); i++)
		for (u32 layout = V6_12; layout <= V7_2; layout++) {
			im = make(layout, false);
			put(im, pointers(im, 0) + bad[i].off, bad[i].value, bad[i].width);
			/* Of 6.12 the next CPU's header looks like a first one. */
			if (layout == V6_12 && CHECK(open_dump(&d, im, SIZE), "%u", i))
				CHECK(d.ftrace->buffers[0].nr_rings == 1 &&
				      d.ftrace->buffers[0].rings[0].cpu == NO_CPU &&
				      says(&d, "whose CPUs others are is not known"), "%u", i);
			else if (layout == V7_2)
				CHECK(!open_dump(&d, im, SIZE), "%u", i);
			close_dump(&d);
		}
	for (u32 off = 4; off <= 16; off += off == 4 ? 8 : 4) {
		im = make(V7_2, false);
		put(im, AT + off, ~0ULL, 4);
		CHECK(!open_dump(&d, im, SIZE), "%u", off);
		close_dump(&d);
	}
}

static void persistent__a_damaged_cpu_does_not_hide_the_next(void)
{
	for (u32 layout = V6_12; layout <= V7_2; layout++) {
		struct image *im = make(layout, false);
		struct fixture d;

		put(im, AT + 8, layout == V7_2 ? cpu_at(im, 3) - AT : 0, 8);
		put_cpu(im, 2, 3, 2);
		put_sub(im, 2, 0, 1000, 2, 10);
		put(im, pointers(im, 1) + 24, 7, 4);
		if (CHECK(open_dump(&d, im, SIZE), "nothing found"))
			CHECK(d.ftrace->buffers[0].nr_rings == 2 && d.ftrace->buffers[0].rings[1].cpu == 2 &&
			      says(&d, "CPU 1: what its sub-buffers begin with is damaged"),
			      "%u rings", d.ftrace->buffers[0].nr_rings);
		close_dump(&d);
	}
}

/* Cut at every page, and within one: only what is there is read, and a note names the rest. */
static void persistent__a_cut_image_is_read_as_far_as_it_goes(void)
{
	for (u32 layout = V6_12; layout <= V7_2; layout++)
		for (size_t size = AT + 512; size < cpu_at(&(struct image){ .layout = layout }, 2); size += 1024) {
			struct fixture d;

			if (open_dump(&d, make(layout, false), size))
				for (u32 i = 0; i < d.ftrace->buffers[0].nr_rings; i++) {
					const struct ftrace_ring *ring = &d.ftrace->buffers[0].rings[i];

					CHECK(ring->nr_events == 20 || d.ftrace->notes.nr,
					      "%zu: %llu events, no note", size, ring->nr_events);
				}
			close_dump(&d);
		}
}

/* A loss between two events is reported at its place, and counted. */
static void persistent__lost_events_are_on_the_timeline(void)
{
	struct image *im = make(V6_12, false);
	struct postmortem pm;
	const struct item *item;
	struct err err = ERR_INIT;
	struct timeline *tl;
	struct dump *in;
	u32 events = 0, lost = 0;
	int fd = memfd_create("image", 0);

	/* The second of the oldest is too short for an event; of the newest the fifth is none. */
	put(im, sub_at(im, 0, 3) + 8, 20 + 8 + 20, 8);
	put(im, sub_at(im, 0, 3) + 16 + 20, 1 | 10 << 5, 4);
	put(im, sub_at(im, 0, 3) + 16 + 28, 4 | 10 << 5, 4);
	put(im, sub_at(im, 0, 3) + 16 + 32, 5, 2);
	put(im, sub_at(im, 0, 3) + 16 + 36, 77, 4);
	put(im, sub_at(im, 0, 2) + 16 + 4 * 20, 28 | 1 << 5, 4);
	if (write(fd, im->data, SIZE) != SIZE)
		exit(99);
	free(im);
	if (!CHECK(!dump_open_fd(&in, fd, &err) &&
		   !pm_open_dump(&pm, in, POSTMORTEM_BEST, GENERATION_NEWEST, &err) &&
		   !pm_scan(&pm, &err) && !timeline_open(&tl, &pm, 0, false, &err), "%s", err.msg))
		exit(99);
	while ((item = timeline_next(tl))) {
		events += item->kind == ITEM_EVENT;
		if (item->marks & ITEM_LOST_COUNTED)
			lost += item->nr_lost;
	}
	timeline_close(tl);
	CHECK(events == 2 + 2 + 4 + 5 + 4 + 20, "%u", events);
	CHECK(lost == 1, "%u", lost);
	CHECK(pm_status(&pm) == ERR_DAMAGED && pm_lost(&pm) == 1, "%llu", pm_lost(&pm));
	pm_close(&pm);
}

/* An export names no clock that the buffer does not have. */
static void persistent__exports_do_not_call_its_clock_monotonic(void)
{
	struct image *im = make(V6_12, false);
	int fd = memfd_create("image", 0);
	char command[400];

	if (write(fd, im->data, SIZE) != SIZE)
		exit(99);
	free(im);
	snprintf(command, sizeof(command),
		 "dir=$(mktemp -d) && for to in ctf trace.dat; do ../../extractor/epitaph export --to $to -o $dir/$to "
		 "/proc/%d/fd/%d 2>/dev/null || exit 2; done; "
		 "! grep -qi monotonic $dir/ctf/metadata && ! grep -qa '\\[mono\\]' $dir/trace.dat; ret=$?; rm -r $dir; exit $ret",
		 getpid(), fd);
	CHECK(!system(command), "CLOCK_MONOTONIC");
	close(fd);
}

int main(void)
{
	TAP_RUN(persistent__memory_of_6_12_is_read);
	TAP_RUN(persistent__memory_of_7_2_is_read);
	TAP_RUN(persistent__memory_of_a_big_endian_machine_is_read);
	TAP_RUN(persistent__the_order_of_the_kernel_counts);
	TAP_RUN(persistent__a_lost_order_is_told_and_replaced_by_time);
	TAP_RUN(persistent__what_is_older_than_before_is_left_out_and_told);
	TAP_RUN(persistent__damage_in_a_sub_buffer_is_told);
	TAP_RUN(persistent__what_cannot_be_a_header_is_none);
	TAP_RUN(persistent__a_damaged_cpu_does_not_hide_the_next);
	TAP_RUN(persistent__a_cut_image_is_read_as_far_as_it_goes);
	TAP_RUN(persistent__lost_events_are_on_the_timeline);
	TAP_RUN(persistent__exports_do_not_call_its_clock_monotonic);
	return tap_done();
}
