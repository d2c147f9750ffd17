// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a program says of its ring speaks of that ring alone: docs/rings.md.
 *
 * build: @extractor
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"

#include "recording/program_rings.h"
#include "tap.h"

#define OPENED	1000000
#define ENDED	2000000

static bool no_data(void *priv, u64 off, u64 *next, u64 *len)
{
	(void)priv, (void)off, (void)next, (void)len;
	return false;
}

static bool began_anew;
static struct generation generation;
static struct recording recording;
static struct recording_ring rings[2];		/* the kernel's, a program's */
static struct recording_owner owner;
static const struct recording_channel channel = { .name = "programs" };

static void begin(void)
{
	static const struct formats_machine machine = { .order = ORDER_LITTLE, .long_size = 8 };
	static const struct section sec;
	u32 i;

	damage_notes_free(&generation.notes);
	memset(&generation, 0, sizeof(generation));
	memset(&recording, 0, sizeof(recording));
	memset(rings, 0, sizeof(rings));
	owner = (struct recording_owner){ .opened = OPENED, .ended = ENDED, .has_ended = true,
					  .formats_whole = true, .name = "shop", .comm = "shop-1", .pid = 7 };
	recording.generation = &generation;
	recording.rings = rings;
	recording.nr_rings = 2;
	recording.clock.khz = 10;
	recording.clock.began_anew = began_anew;
	if (formats_new(&recording.formats, &machine, &generation.notes, NULL) ||
	    task_names_new(&recording.tasks, NULL, NULL))
		exit(99);
	for (i = 0; i < 2; i++) {
		rings[i].recording = &recording;
		rings[i].sec = &sec;
		rings[i].channel = &channel;
		rings[i].scan.src.next = no_data;
		rings[i].scan.unit = EPITAPH_SLOT_SUB_SIZE;
	}
	rings[1].owner = &owner;
}

static void end(void)
{
	formats_free(recording.formats);
	task_names_free(recording.tasks);
}

static void program_rings__do_not_count_in_the_kernels_sums(void)
{
	begin();
	rings[0].scan.lost_last = 7;
	rings[1].scan.lost_last = -7;
	rings[1].scan.nr_events = 5;
	rings[1].scan.nr_torn = 1;
	rings[1].scan.nr_damaged = 1;
	rings[1].scan.nr_withheld = 3;
	CHECK(!recording_scan(&recording, NULL), "it can be scanned");
	CHECK(recording.total.lost == 7, "lost: %llu", recording.total.lost);
	CHECK(recording.total.events == 5, "events: %llu", recording.total.events);
	CHECK(!recording.total.torn && !recording.total.damaged && !recording.total.withheld,
	      "torn %llu, damaged %llu, withheld %llu", recording.total.torn, recording.total.damaged,
	      recording.total.withheld);
	end();
}

/* Is a sub-buffer good whose first and last event are, with times from @least to @most? */
static bool is_good(u64 least, u64 most, u32 torn)
{
	struct scanned_subbuf sub = { .state = SUBBUF_GOOD, .time = OPENED, .first = OPENED, .last = OPENED + 9,
				      .least = least, .most = most, .nr_events = 3, .nr_torn = torn };

	begin();
	rings[1].scan.subs = &sub;
	rings[1].scan.nr_subs = 1;
	rings[1].scan.nr_events = 3;
	recording_judge_times(&recording, &rings[1]);
	CHECK(generation.notes.nr == (sub.state != SUBBUF_GOOD), "%llu notes", generation.notes.nr);
	CHECK(rings[1].scan.nr_events == (sub.state == SUBBUF_GOOD ? 3 : 0), "%llu events",
	      rings[1].scan.nr_events);
	end();
	return sub.state == SUBBUF_GOOD;
}

static void program_rings__times_in_the_middle_are_judged(void)
{
	CHECK(is_good(OPENED, ENDED, 0), "from its opening to its end");
	CHECK(!is_good(OPENED - 3600, OPENED + 9, 0), "one of before");
	CHECK(!is_good(OPENED, ENDED + 3600, 0), "one of after");
}

/* After S3 the TSC of some machines begins at 0. */
static void program_rings__a_clock_that_began_anew_judges_none(void)
{
	began_anew = true;
	CHECK(is_good(5, OPENED + 9, 0), "after a resume");
	began_anew = false;
}

static void program_rings__unfinished_are_no_more_than_levels(void)
{
	CHECK(is_good(OPENED, ENDED, EPITAPH_LEVELS), "one of each level");
	CHECK(!is_good(OPENED, ENDED, EPITAPH_LEVELS + 1), "one more");
}

/* One note, and it is not for each format. */
static void program_rings__bad_formats_fill_no_notes(void)
{
	static u8 data[8192];
	struct epitaph_batch *batch = (void *)data;
	char *text = (char *)(batch + 1);
	struct formats *formats;
	bool whole;
	u32 id, n = 0;
	u64 check;

	begin();
	for (id = 20; id < 220; id++)
		n += sprintf(text + n, "system: a\nname: b\nID: %u\n", id);
	batch->size = batch->raw_size = htole32(n);
	batch->method = htole32(EPITAPH_STORED);
	check = checksum(0, batch, offsetof(struct epitaph_batch, check));
	batch->check = htole64(checksum(check, text, n));
	generation.hdr.long_size = 8;
	CHECK(!formats_read_program(&formats, &generation, data, sizeof(data), strdup("app_x"), &whole, NULL), "read");
	for (id = 20; id < 220; id++)
		CHECK(!formats_get(formats, id)->is_known, "%u is known", id);
	CHECK(formats_nr(formats) && formats_incomplete(formats), "%u formats", formats_nr(formats));
	CHECK(!generation.notes.nr, "%llu notes", generation.notes.nr);
	formats_free(formats);
	end();
}

/* A bit that flips in one format costs that one. */
static void program_rings__a_bad_format_is_alone(void)
{
	static u8 data[8192];
	struct formats *formats;
	bool whole;
	u32 id, off = 0;

	begin();
	for (id = 20; id < 23; id++) {
		struct epitaph_batch *batch = (void *)(data + off);
		u32 n = sprintf((char *)(batch + 1), "system: a\nname: b\nID: %u\n", id);

		batch->size = batch->raw_size = htole32(n);
		batch->method = htole32(EPITAPH_STORED);
		batch->check = htole64(checksum(checksum(0, batch, offsetof(struct epitaph_batch, check)),
						batch + 1, n));
		off += sizeof(*batch) + (n + 7) / 8 * 8;
	}
	data[off / 3 + sizeof(struct epitaph_batch)] ^= 1;
	CHECK(!formats_read_program(&formats, &generation, data, sizeof(data), strdup("app_x"), &whole, NULL), "read");
	CHECK(!whole, "it is not whole");
	CHECK(formats_has(formats, 20) && !formats_has(formats, 21) && formats_has(formats, 22), "the others are there");
	formats_free(formats);
	end();
}

int main(void)
{
	TAP_RUN(program_rings__do_not_count_in_the_kernels_sums);
	TAP_RUN(program_rings__times_in_the_middle_are_judged);
	TAP_RUN(program_rings__a_clock_that_began_anew_judges_none);
	TAP_RUN(program_rings__unfinished_are_no_more_than_levels);
	TAP_RUN(program_rings__bad_formats_fill_no_notes);
	TAP_RUN(program_rings__a_bad_format_is_alone);
	damage_notes_free(&generation.notes);
	return tap_done();
}
