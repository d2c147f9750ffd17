// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A region whose content is known, damaged in every way: what is read of it is
 * true, everything that was not hit is there, and each hit is reported.
 *
 * build: tests/lib/region_image.c kernel/core/ring.c @extractor
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report/report.h"
#include "region_image.h"
#include "tap.h"

#ifdef __SANITIZE_ADDRESS__
static u32 nr_images = 2000;
#else
static u32 nr_images = 8000;
#endif
static u32 truncate_step = 7;	/* bytes */

#define MAX_FLIPS	64	/* of one image */

static struct image *image;
static int fd;
static FILE *nowhere;

/* What reading one image gave. */
struct reading {
	int ret;		/* of opening it */
	u64 nr_events;
	u64 nr_false;
	u64 nr_notes;
	u64 nr_torn;
	u64 nr_unproven;
	u8 seen[IMAGE_CPUS][IMAGE_MAX];
};

static struct reading out;

/* The low 20 bits are the event's own; the rest is in doubt if it says so. */
static bool is_time(const struct item *item, u64 time)
{
	u64 off = item->raw ^ time;

	return !(item->marks & ITEM_UNCERTAIN ? off & ((1 << 20) - 1) : off);
}

/* The number is in the payload; all else must be as it was written. */
static void judge(const struct item *item)
{
	u32 cpu = item->cpu;
	const struct image_event *e;
	u32 nr = 0;

	/* Marked as covered by no checksum: the report does not claim that it happened. */
	if (item->marks & ITEM_UNPROVEN) {
		out.nr_unproven++;
		return;
	}
	out.nr_events++;
	if (item->size >= 4)
		memcpy(&nr, item->payload, 4);
	if (cpu >= IMAGE_CPUS || nr >= image->rings[cpu].nr) {
		out.nr_false++;
		return;
	}
	e = &image->rings[cpu].events[nr];
	if (item->id != e->id || !is_time(item, e->time) || item->size != e->size ||
	    memcmp(item->payload, e->payload, e->size) || out.seen[cpu][nr]++)
		out.nr_false++;
}

static void walk(struct postmortem *pm)
{
	const struct item *item;
	struct timeline *tl;

	if (timeline_open(&tl, pm, 0, false, NULL))
		return;
	while ((item = timeline_next(tl)))
		if (item->kind == ITEM_EVENT)
			judge(item);
	timeline_close(tl);
}

/* All that report and export do, into nowhere. */
static void print_all(struct postmortem *pm)
{
	struct window window = WINDOW_INIT;

	window.kind = WINDOW_ALL;
	window.damaged = true;
	if (window_choose(&window, pm, NULL))
		return;
	print_head(nowhere, pm);
	print_end(nowhere, pm, false, "", NULL);
	print_summary(nowhere, pm, &window);
	print_events(nowhere, pm, &window, false, NULL);
	print_cpus(nowhere, pm);
	print_json(nowhere, pm, &window, NULL);
}

static void read_image(bool print)
{
	struct postmortem pm = { 0 };
	struct dump *in = NULL;
	struct err err = ERR_INIT;

	memset(&out, 0, sizeof(out));
	out.ret = dump_open_fd(&in, dup(fd), &err);
	if (!out.ret)
		out.ret = pm_open_dump(&pm, in, POSTMORTEM_REGION, GENERATION_NEWEST,
				     &err);
	if (!out.ret)
		out.ret = pm_scan(&pm, &err);
	if (!out.ret) {
		walk(&pm);
		if (print)
			print_all(&pm);
		out.nr_notes = pm.recording->generation->notes.nr;
		out.nr_torn = pm.recording->total.torn;
	}
	pm_close(&pm);
}

static void put(const void *data, size_t size, size_t off)
{
	if (pwrite(fd, data, size, off) != (ssize_t)size)
		abort();
}

static void restore(void)
{
	if (ftruncate(fd, image->size))
		abort();
	put(image->data, image->size, 0);
}

static u32 nr_present(void)
{
	u32 cpu, i, n = 0;

	for (cpu = 0; cpu < IMAGE_CPUS; cpu++)
		for (i = 0; i < image->rings[cpu].nr; i++)
			n += image_has(image, cpu, i);
	return n;
}

static void damage__an_undamaged_image_gives_back_every_event(void)
{
	restore();
	read_image(true);
	CHECK(!out.ret, "%d", out.ret);
	CHECK(out.nr_events == nr_present(), "%llu of %u", out.nr_events, nr_present());
	CHECK(!out.nr_false && !out.nr_notes, "%llu false, %llu notes", out.nr_false,
	      out.nr_notes);
	CHECK(out.nr_torn == 1, "%llu", out.nr_torn);
	CHECK(out.nr_events > 200, "%llu", out.nr_events);
}

/* Bytes [from, to) were hit. */
struct hit {
	size_t from, to;
};

static bool hits(const struct hit *hit, u32 n, size_t from, size_t to)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (hit[i].from < to && hit[i].to > from)
			return true;
	return false;
}

static size_t sub_place(u32 cpu, u32 slot)
{
	return image->rings[cpu].off + slot * IMAGE_SUB;
}

/* Everything that lies in sub-buffers that were not hit, if nothing else was. */
static u32 nr_missed(const struct hit *hit, u32 n)
{
	u32 cpu, i, missed = 0;

	for (cpu = 0; cpu < IMAGE_CPUS; cpu++)
		for (i = 0; i < image->rings[cpu].nr; i++) {
			size_t at = sub_place(cpu, image->rings[cpu].events[i].slot);

			if (image_has(image, cpu, i) && !out.seen[cpu][i] &&
			    !hits(hit, n, at, at + IMAGE_SUB))
				missed++;
		}
	return missed;
}

static size_t rings_begin(void)
{
	return image->rings[0].off;
}

static size_t rings_end(void)
{
	return image->rings[IMAGE_CPUS - 1].off + IMAGE_SUB * IMAGE_SUBS;
}

static void flip(struct hit *hit, size_t at)
{
	u8 byte;

	if (pread(fd, &byte, 1, at) != 1)
		abort();
	byte ^= 1 << image_random(8);
	put(&byte, 1, at);
	*hit = (struct hit){ at, at + 1 };
}

/* A run of zeroes, of ones, or of anything. */
static void overwrite(struct hit *hit, size_t at, size_t len, u32 how)
{
	static u8 run[1 << 20];
	size_t i;

	if (len > image->size - at)
		len = image->size - at;
	for (i = 0; i < len; i++)
		run[i] = how == 0 ? 0 : how == 1 ? 0xff : image_random(256);
	put(run, len, at);
	*hit = (struct hit){ at, at + len };
}

static void heal(const struct hit *hit, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		put(image->data + hit[i].from, hit[i].to - hit[i].from, hit[i].from);
}

static void check_outcome(const struct hit *hit, u32 n, bool in_rings)
{
	CHECK(!out.nr_false, "%llu false events after a hit at %zu..%zu (%u in all)",
	      out.nr_false, hit[0].from, hit[0].to, n);
	if (!in_rings)
		return;
	CHECK(!out.ret, "%d after a hit in a ring", out.ret);
	CHECK(!nr_missed(hit, n), "%u events missed that were not hit; first hit at %zu",
	      nr_missed(hit, n), hit[0].from);
}

/* What a bit of a sub-buffer says; false for the few that say nothing. */
static bool must_be_told(size_t at)
{
	size_t off = (at - rings_begin()) % IMAGE_SUB;
	const u8 *sub = image->data + at - off;
	u64 check;

	memcpy(&check, sub + 32, 8);
	if (!check)
		return false;
	return !(off >= 48 && off < 56);	/* reserved */
}

static void damage__bit_flips_make_no_false_event_and_hide_no_other(void)
{
	struct hit hit[MAX_FLIPS];
	u32 i, k, n;

	restore();
	for (i = 0; i < nr_images * 7 / 10; i++) {
		bool in_rings = image_random(4);
		size_t from = in_rings ? rings_begin() : 0;
		size_t to = in_rings ? rings_end() : image->size;

		n = image_random(2) ? 1 : 1 + image_random(MAX_FLIPS);
		for (k = 0; k < n; k++)
			flip(&hit[k], from + image_random(to - from));
		read_image(i % 64 == 0);
		check_outcome(hit, n, in_rings);
		heal(hit, n);
	}
}

/* The torn event's own bytes belong to no event; a flip in zeroes may make a claim. */
static void damage__a_single_flip_in_a_sub_buffer_is_told(void)
{
	u32 i, silent = 0, wanted = 0;
	struct hit hit;

	restore();
	for (i = 0; i < nr_images / 10; i++) {
		size_t at = rings_begin() + image_random(rings_end() - rings_begin());

		flip(&hit, at);
		read_image(false);
		if (must_be_told(at)) {
			wanted++;
			silent += !out.nr_notes && out.nr_torn == 1 &&
				  !out.nr_unproven && out.nr_events == nr_present();
		}
		heal(&hit, 1);
	}
	CHECK(wanted > nr_images / 20, "%u", wanted);
	CHECK(silent * 1000 < wanted * 5, "%u of %u were not noted", silent, wanted);
	printf("# %u of %u flips in sub-buffers changed nothing that is printed\n", silent, wanted);
}

static void damage__overwritten_runs_make_no_false_event_and_hide_no_other(void)
{
	struct hit hit[8];
	u32 i, k, n;

	restore();
	for (i = 0; i < nr_images * 2 / 10; i++) {
		bool in_rings = image_random(2);
		size_t from = in_rings ? rings_begin() : 0;
		size_t to = in_rings ? rings_end() : image->size;

		n = 1 + image_random(4);
		for (k = 0; k < n; k++) {
			size_t at = from + image_random((to - from) / 64) * 64;
			size_t len = 64 << image_random(in_rings ? 6 : 12);

			overwrite(&hit[k], at, len < to - at ? len : to - at, image_random(3));
		}
		read_image(i % 64 == 0);
		check_outcome(hit, n, in_rings);
		heal(hit, n);
	}
}

/* An older cache line comes back: the content of the same place a lap before. */
static void damage__lines_of_zeroes_make_no_false_event(void)
{
	struct hit hit[16];
	u32 i, k, n;

	restore();
	for (i = 0; i < nr_images / 10; i++) {
		n = 1 + image_random(16);
		for (k = 0; k < n; k++)
			overwrite(&hit[k], rings_begin() +
				  image_random((rings_end() - rings_begin()) / 64) * 64, 64, 0);
		read_image(false);
		check_outcome(hit, n, true);
		heal(hit, n);
	}
}

static void damage__a_truncated_image_gives_what_is_there(void)
{
	size_t len;

	restore();
	for (len = image->size; len-- > 0;) {
		if (len % truncate_step)
			continue;
		if (ftruncate(fd, len))
			abort();
		read_image(len % 97 == 0);
		CHECK(!out.nr_false, "%llu false at %zu bytes", out.nr_false, len);
		if (len >= image->table_size)
			CHECK(!out.ret && out.nr_notes, "%d at %zu bytes", out.ret, len);
		else
			CHECK(out.ret == -ERR_NOT_OURS || out.ret == -ERR_CORRUPT,
			      "%d at %zu bytes", out.ret, len);
	}
}

int main(void)
{
	u32 seed = 20240229;
	const char *given = getenv("SEED");

	if (given)
		seed = strtoul(given, NULL, 0);
	/* make check-long asks for more, and for every length of a truncated image. */
	given = getenv("IMAGES");
	if (given) {
		nr_images = strtoul(given, NULL, 0);
		truncate_step = 1;
	}
	printf("# seed %u, %u images\n", seed, nr_images * 11 / 10);
	image = image_make(seed);
	nowhere = fopen("/dev/null", "w");
	fd = memfd_create("image", 0);
	if (fd < 0 || !nowhere)
		return 99;
	TAP_RUN(damage__an_undamaged_image_gives_back_every_event);
	TAP_RUN(damage__bit_flips_make_no_false_event_and_hide_no_other);
	TAP_RUN(damage__a_single_flip_in_a_sub_buffer_is_told);
	TAP_RUN(damage__overwritten_runs_make_no_false_event_and_hide_no_other);
	TAP_RUN(damage__lines_of_zeroes_make_no_false_event);
	TAP_RUN(damage__a_truncated_image_gives_what_is_there);
	image_free(image);
	return tap_done();
}
