// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A region with a parity of its pages, damaged: what its parity brings back is what was written,
 * and nearly all of it comes back. A parity that is older than its page makes nothing of it.
 *
 * build: tests/lib/region_image.c kernel/core/ring.c @extractor
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <epitaph/parity.h>

#include "report/report.h"
#include "region_image.h"
#include "tap.h"

#ifdef __SANITIZE_ADDRESS__
static u32 nr_images = 60;
#else
static u32 nr_images = 300;
#endif

static struct image *image;

/* image_random() begins anew with each image. */
static u32 any_below(u32 n)
{
	return random() % n;
}
static int fd;

/* What reading one image gave. */
struct reading {
	int ret;
	u64 nr_events;
	u64 nr_false;
	u64 nr_marked;
	u64 nr_repaired;
	u64 nr_damaged;
	u64 nr_notes;
	bool is_repaired;
	bool complete[IMAGE_CPUS];
	u64 horizon[IMAGE_CPUS];
	u8 seen[IMAGE_CPUS][IMAGE_MAX];
};

static struct reading out;

/* The low 20 bits are the event's own; the rest is in doubt if it says so. */
static bool is_time(const struct item *item, u64 time)
{
	u64 off = item->raw ^ time;

	return !(item->marks & ITEM_UNCERTAIN ? off & ((1 << 20) - 1) : off);
}

static bool is_as_written(const struct item *item)
{
	const struct image_event *e;
	u32 nr = 0;

	if (item->size >= 4)
		memcpy(&nr, item->payload, 4);
	if (item->cpu >= IMAGE_CPUS || nr >= image->rings[item->cpu].nr)
		return false;
	e = &image->rings[item->cpu].events[nr];
	return item->id == e->id && item->size == e->size && is_time(item, e->time) &&
	       !memcmp(item->payload, e->payload, e->size) && !out.seen[item->cpu][nr]++;
}

static void walk(struct postmortem *pm)
{
	const struct item *item;
	struct timeline *tl;

	if (timeline_open(&tl, pm, 0, false, NULL))
		return;
	while ((item = timeline_next(tl))) {
		/* No sum covers an unproven one: the report does not claim that it happened. */
		if (item->kind != ITEM_EVENT || (item->marks & ITEM_UNPROVEN))
			continue;
		out.nr_events++;
		out.nr_marked += !!(item->marks & ITEM_REPAIRED);
		out.nr_false += !is_as_written(item);
	}
	timeline_close(tl);
}

static void note_rings(const struct recording *recording)
{
	u32 i;

	for (i = 0; i < recording->nr_rings; i++) {
		out.complete[i] = recording->rings[i].scan.complete;
		out.horizon[i] = recording->rings[i].scan.horizon;
	}
	out.nr_repaired = recording->total.repaired;
	out.nr_damaged = recording->total.damaged;
	out.nr_notes = recording->generation->notes.nr;
	out.is_repaired = recording->generation->is_repaired;
}

static void read_image(const u8 *data)
{
	struct postmortem pm = { 0 };
	struct dump *in = NULL;
	struct err err = ERR_INIT;

	memset(&out, 0, sizeof(out));
	if (pwrite(fd, data, image->size, 0) != (ssize_t)image->size)
		abort();
	out.ret = dump_open_fd(&in, dup(fd), &err);
	if (!out.ret)
		out.ret = pm_open_dump(&pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, &err);
	if (!out.ret)
		out.ret = pm_scan(&pm, &err);
	if (!out.ret) {
		walk(&pm);
		note_rings(pm.recording);
	}
	pm_close(&pm);
}

static u8 *copy_image(void)
{
	u8 *data = malloc(image->size);

	memcpy(data, image->data, image->size);
	return data;
}

static u32 nr_present(void)
{
	u32 cpu, i, n = 0;

	for (cpu = 0; cpu < IMAGE_CPUS; cpu++)
		for (i = 0; i < image->rings[cpu].nr; i++)
			n += image_has(image, cpu, i);
	return n;
}

/* A ring that says it is complete from a time on has each event from then on. */
static u32 nr_hidden(void)
{
	u32 cpu, i, n = 0;

	for (cpu = 0; cpu < IMAGE_CPUS; cpu++)
		for (i = 0; i < image->rings[cpu].nr; i++)
			n += image_has(image, cpu, i) && !out.seen[cpu][i] && out.complete[cpu] &&
			     image->rings[cpu].events[i].time >= out.horizon[cpu];
	return n;
}

static void parity__of_an_undamaged_image_is_not_asked(void)
{
	read_image(image->data);
	CHECK(!out.ret && out.nr_events == nr_present() && !out.nr_false && !out.nr_notes &&
	      !out.nr_marked && !out.nr_repaired, "%d, %llu of %u, %llu notes", out.ret, out.nr_events,
	      nr_present(), out.nr_notes);
}

/* Reads an image; with its parity nothing lacks, and nothing is hidden, that is there without. */
static void read_both(u8 *data)
{
	static struct reading without;
	u32 hidden, size = image->size / EPITAPH_PAGE * EPITAPH_PARITY_SIZE, cpu, i, lacking = 0;
	u8 parity[64 * EPITAPH_PARITY_SIZE];

	memcpy(parity, data + image->parity, size);
	memset(data + image->parity, 0, size);
	read_image(data);
	without = out;
	hidden = nr_hidden();
	memcpy(data + image->parity, parity, size);
	read_image(data);
	for (cpu = 0; cpu < IMAGE_CPUS; cpu++)
		for (i = 0; i < image->rings[cpu].nr; i++)
			lacking += without.seen[cpu][i] && !out.seen[cpu][i];
	CHECK(!out.nr_false, "%llu false events", out.nr_false);
	CHECK(!lacking && (without.ret || nr_hidden() <= hidden),
	      "of %llu events, %u lack, %u are hidden, where %u were without parity", without.nr_events, lacking,
	      nr_hidden(), hidden);
}

/* Flips each bit with a chance of @ppm in a million. */
static void flip_all(u8 *data, u32 ppm)
{
	size_t i;
	u32 bit;

	for (i = 0; i < image->size; i++)
		for (bit = 0; bit < 8; bit++)
			if (any_below(1000000) < ppm)
				data[i] ^= 1 << bit;
}

/* Events back, in 1000 of all that there were. */
static u32 permille_back(u32 ppm)
{
	u64 back = 0, all = 0, marked = 0;
	u32 i;

	for (i = 0; i < nr_images; i++) {
		u8 *data = copy_image();

		flip_all(data, ppm);
		read_image(data);
		CHECK(!out.nr_false, "%llu false events at %u ppm", out.nr_false, ppm);
		back += out.nr_events;
		marked += out.nr_marked;
		all += nr_present();
		free(data);
	}
	printf("# %u ppm: %llu of %llu events, %llu marked\n", ppm, back, all, marked);
	return back * 1000 / all;
}

static void parity__brings_back_events_of_flipped_bits(void)
{
	static const struct { u32 ppm, least; } rates[] = { { 10, 999 }, { 100, 990 }, { 1000, 950 } };
	u32 i, back;

	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		back = permille_back(rates[i].ppm);
		CHECK(back >= rates[i].least, "%u of 1000 events at %u ppm", back, rates[i].ppm);
	}
}

static void parity__marks_what_it_brought_back(void)
{
	u8 *data = copy_image();
	size_t at = image->rings[1].off + 3 * IMAGE_SUB;

	/* The oldest part of a sub-buffer, then the header of the next one. */
	data[at + sizeof(struct epitaph_sub) + 5] ^= 0x10;
	read_image(data);
	CHECK(out.nr_marked == 1 && out.nr_repaired == 1 && out.nr_events == nr_present() && !out.nr_false,
	      "%llu marked, %llu repaired", out.nr_marked, out.nr_repaired);
	CHECK(out.nr_notes == 1 && !out.nr_damaged, "%llu notes, %llu damaged", out.nr_notes, out.nr_damaged);
	data[at + sizeof(struct epitaph_sub) + 5] ^= 0x10;
	data[at + 17] ^= 0x10;
	read_image(data);
	CHECK(out.nr_marked > 2 && out.nr_repaired == 1 && out.nr_events == nr_present() && !out.nr_false,
	      "%llu marked, %llu repaired", out.nr_marked, out.nr_repaired);
	free(data);
}

/* The copy of the header is gone, and the header has @n flipped bits, some in its magic. */
static void parity__brings_back_the_header(void)
{
	u32 n, i, k;

	for (i = 0; i < nr_images; i++) {
		u8 *data = copy_image();

		memset(data + image->size - image->table_size, 0, image->table_size);
		n = 1 + any_below(24);
		for (k = 0; k < n; k++)
			data[8 + any_below(image->table_size - 8)] ^= 1 << any_below(8);
		for (k = 0; k < i % 9; k++)
			data[k] ^= 1 << any_below(8);
		data[10] ^= 1;
		read_image(data);
		CHECK(!out.ret && out.is_repaired && out.nr_events == nr_present() && !out.nr_false,
		      "%u bits: %d, %llu of %u events", n, out.ret, out.nr_events, nr_present());
		free(data);
	}
}

static void parity__comes_behind_the_copy_of_the_header(void)
{
	u8 *data = copy_image();

	data[200] ^= 1;
	read_image(data);
	CHECK(!out.ret && !out.is_repaired && out.nr_events == nr_present(), "%d, %d", out.ret,
	      out.is_repaired);
	free(data);
}

/* The parity is of an image in which the last @n bytes of a page's content were not written yet. */
static void parity__that_is_older_changes_nothing_that_holds(void)
{
	static const u32 sizes[] = { 1, 100, EPITAPH_PAGE };
	struct epitaph_gf gf;
	u32 i, k, first = image->rings[0].off / EPITAPH_PAGE, last = image->size / EPITAPH_PAGE - 2;

	epitaph_gf_init(&gf);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		u8 *data = copy_image(), page[EPITAPH_PAGE];

		for (k = first; k <= last; k++) {
			memcpy(page, data + k * EPITAPH_PAGE, sizeof(page));
			for (u32 n = 0; n < sizes[i]; n++)
				page[sizes[i] == EPITAPH_PAGE ? n : any_below(EPITAPH_PAGE)] = any_below(256);
			epitaph_parity_encode(&gf, page, data + image->parity + k * EPITAPH_PARITY_SIZE);
		}
		read_image(data);
		CHECK(out.nr_events == nr_present() && !out.nr_false && !out.nr_marked && !out.nr_notes,
		      "%u bytes: %llu of %u events, %llu notes", sizes[i], out.nr_events, nr_present(),
		      out.nr_notes);
		flip_all(data, 200);
		read_both(data);
		free(data);
	}
}

static void flip_newest_subbufs(u8 *data)
{
	u32 cpu, k;

	for (cpu = 0; cpu < IMAGE_CPUS; cpu++) {
		const struct image_ring *ring = &image->rings[cpu];

		for (k = 0; k <= any_below(3); k++)
			data[ring->off + ring->events[ring->nr - 1].slot * IMAGE_SUB + any_below(IMAGE_SUB)] ^=
				1 << any_below(8);
	}
}

/* A parity as of an earlier time: that of a recording that ended then. */
static void parity__of_an_earlier_time_hides_no_event(void)
{
	size_t size = image->size / EPITAPH_PAGE * EPITAPH_PARITY_SIZE;
	u64 nr_repaired = 0;
	u32 i;

	for (i = 0; i < nr_images; i++) {
		u32 nr = i % 4 ? IMAGE_WRITES - any_below(8) : 1 + any_below(IMAGE_WRITES);
		struct image *before = image_make_until(1, nr);
		u8 *data = copy_image();

		image_make_parity(before);
		memcpy(data + image->parity, before->data + image->parity, size);
		if (i % 2)
			flip_newest_subbufs(data);
		else
			flip_all(data, 100);
		read_both(data);
		nr_repaired += out.nr_repaired;
		image_free(before);
		free(data);
	}
	CHECK(nr_repaired, "nothing was repaired");
}

static void damage_page(u8 *page, u32 how)
{
	u32 i;

	for (i = 0; i < (how == 1 ? 2 : 1) * EPITAPH_PAGE; i++)
		if (how == 0)
			page[i] = 0;
		else if (how == 1)
			page[i] = any_below(256);
		else if (i % 64 == 7)
			page[i] |= 0x40;
}

/* A page of zeroes, a row of memory of 8 KiB, a stuck bit in each 64th byte. */
static void parity__of_damaged_pages_gives_nothing_false(void)
{
	u32 how, k, nr = image->size / EPITAPH_PAGE;

	for (how = 0; how < 3; how++) {
		for (k = 0; k + 1 < nr; k++) {
			u8 *data = copy_image();

			damage_page(data + k * EPITAPH_PAGE, how);
			read_both(data);
			CHECK(!out.ret, "way %u, page %u: %d", how, k, out.ret);
			if (how == 2)
				CHECK(out.nr_events == nr_present(), "page %u: %llu of %u", k, out.nr_events,
				      nr_present());
			free(data);
		}
	}
}

/* Anything as parity. */
static void parity__that_is_hostile_gives_nothing_false(void)
{
	u32 i, k;

	for (i = 0; i < nr_images; i++) {
		u8 *data = copy_image();

		for (k = 0; k < image->size / EPITAPH_PAGE * EPITAPH_PARITY_SIZE; k++)
			if (i % 3 == 0 || any_below(1 << i % 8) == 0)
				data[image->parity + k] = any_below(256);
		flip_all(data, 300);
		read_both(data);
		free(data);
	}
}

int main(void)
{
	image = image_make(1);
	image_make_parity(image);
	fd = memfd_create("image", 0);
	if (fd < 0)
		return 99;
	TAP_RUN(parity__of_an_undamaged_image_is_not_asked);
	TAP_RUN(parity__marks_what_it_brought_back);
	TAP_RUN(parity__brings_back_events_of_flipped_bits);
	TAP_RUN(parity__brings_back_the_header);
	TAP_RUN(parity__comes_behind_the_copy_of_the_header);
	TAP_RUN(parity__that_is_older_changes_nothing_that_holds);
	TAP_RUN(parity__of_an_earlier_time_hides_no_event);
	TAP_RUN(parity__of_damaged_pages_gives_nothing_false);
	TAP_RUN(parity__that_is_hostile_gives_nothing_false);
	image_free(image);
	return tap_done();
}
