// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a reader makes of measurements of the CPUs' clocks, hostile ones among them.
 *
 * build: @extractor -lzstd -llzo2 -lz -lsnappy -lbpf -ldw -lelf
 */
#include <endian.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/checksum.h"
#include "dump/dump.h"
#include "region/clock.h"
#include "tap.h"

#define SALT	77
#define NR	8
#define UNKNOWN	10000000

static struct epitaph_skew raw[NR];
static u32 nr;
static struct section sec = { .type = EPITAPH_SEC_SKEW, .unit = 64, .size = sizeof(raw) };
static struct generation generation = {
	.hdr.nr_cpus = 4, .sections = &sec, .nr_sections = 1,
};
static struct skew *skew;

static void measured(u32 cpu, u64 seq, u64 clock, s64 offset, u64 bound, u32 reason)
{
	struct epitaph_skew *to = &raw[nr++];

	*to = (struct epitaph_skew){
		.seq = htole64(seq), .clock = htole64(clock), .offset = htole64(offset),
		.bound = htole64(bound), .cpu = htole32(cpu), .reason = htole32(reason),
	};
	to->check = htole64(checksum(SALT, to, offsetof(struct epitaph_skew, check)));
}

static void begin(void)
{
	memset(raw, 0, sizeof(raw));
	nr = 0;
}

/* As a file has it. */
static void read_all(void)
{
	struct err err = ERR_INIT;
	char path[32];
	int fd = memfd_create("skew", 0), ret;

	skew_free(skew);
	skew = NULL;
	damage_notes_free(&generation.notes);
	memset(&generation.notes, 0, sizeof(generation.notes));
	generation.hdr.salt = SALT;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ret = write(fd, raw, sizeof(raw)) == sizeof(raw) ? dump_open(&generation.in, path, &err) : -1;
	CHECK(!ret, "%s", err.msg);
	if (ret)
		return;
	ret = skew_read(&skew, &generation, UNKNOWN, &err);
	CHECK(!ret, "%s", err.msg);
	dump_close(generation.in);
	close(fd);
}

static void skew__a_constant_offset_is_taken_away(void)
{
	begin();
	measured(1, 1, 1000, 500, 20, EPITAPH_SKEW_LOAD);
	measured(2, 1, 1000, -300, 30, EPITAPH_SKEW_LOAD);
	read_all();
	CHECK(skew_correct(skew, 1, 2500) == 2000, "%llu", skew_correct(skew, 1, 2500));
	CHECK(skew_correct(skew, 2, 1700) == 2000, "%llu", skew_correct(skew, 2, 1700));
	CHECK(skew_correct(skew, 1, 600) == 100, "before the first: %llu", skew_correct(skew, 1, 600));
	CHECK(skew_bound(skew, 1, 600) == 20 && skew_bound(skew, 2, 9999) == 30, "bounds");
	CHECK(skew_found(skew, 1) && skew_found(skew, 2), "they are not found");
	CHECK(skew_most(skew) == 520, "%llu", skew_most(skew));
}

static void skew__a_cpu_without_measurements_is_in_doubt(void)
{
	CHECK(skew_correct(skew, 0, 42) == 42 && !skew_bound(skew, 0, 42), "the reference");
	CHECK(skew_correct(skew, 3, 42) == 42 && skew_bound(skew, 3, 42) == UNKNOWN, "not measured");
	CHECK(skew_is_measured(skew, 0) && skew_is_measured(skew, 1) && !skew_is_measured(skew, 3),
	      "which are measured");
	CHECK(skew_correct(NULL, 1, 42) == 42 && !skew_bound(NULL, 1, 42), "an old region");
	CHECK(skew_correct(skew, NO_CPU, 42) == 42 && skew_bound(skew, NO_CPU, 42) == 520, "of any CPU");
	CHECK(skew_correct(skew, 1, 3) == 0, "before 0: %llu", skew_correct(skew, 1, 3));
}

static void skew__only_what_a_clock_is_off_now_is_waited_for(void)
{
	begin();
	measured(1, 1, 1000, 5000000, 70, EPITAPH_SKEW_LOAD);
	measured(1, 2, 6000, 500, 20, EPITAPH_SKEW_ONLINE);
	measured(1, 3, 10000, 500, 20, EPITAPH_SKEW_ONLINE);
	measured(2, 1, 4000000, -3000000, 30, EPITAPH_SKEW_LOAD);
	read_all();
	CHECK(skew_bound_now(skew) == UNKNOWN, "CPU 1 began anew: %llu", skew_bound_now(skew));
	begin();
	measured(1, 1, 1000, 5000000, 70, EPITAPH_SKEW_LOAD);
	measured(2, 1, 4000000, -3000000, 30, EPITAPH_SKEW_LOAD);
	read_all();
	CHECK(skew_bound_now(skew) == 70, "%llu", skew_bound_now(skew));
	CHECK(!skew_bound_now(NULL), "an old region");
}

static void skew__a_time_of_the_reference_is_one_of_a_cpu(void)
{
	u64 time;

	begin();
	measured(1, 1, 1000, 500, 10, EPITAPH_SKEW_LOAD);
	measured(1, 2, 3000, 900, 20, EPITAPH_SKEW_ONLINE);
	read_all();
	for (time = 0; time < 5000; time++) {
		u64 own = skew_on_cpu(skew, 1, time);

		CHECK(skew_correct(skew, 1, own) <= time && skew_correct(skew, 1, own + 1) > time,
		      "%llu of %llu", own, time);
	}
	CHECK(skew_on_cpu(skew, 1, 500) == 1000 && skew_on_cpu(skew, 1, 4000) == 4900, "at the ends");
	CHECK(skew_on_cpu(skew, 0, 42) == 42 && skew_on_cpu(NULL, 1, 42) == 42, "without");
	CHECK(skew_on_cpu(skew, 1, ~0ULL) == ~0ULL, "the last");
}

static void skew__the_reference_that_came_back_was_0_before(void)
{
	begin();
	measured(0, 1, 1000, 500, 20, EPITAPH_SKEW_ONLINE);
	read_all();
	CHECK(skew_bound(skew, 0, 1400) == 520 && skew_bound(skew, 0, 1500) == 20, "%llu, %llu",
	      skew_bound(skew, 0, 1400), skew_bound(skew, 0, 1500));
}

static void skew__a_reference_clock_that_began_anew_takes_all_back(void)
{
	u64 at, last = 0;

	begin();
	measured(1, 1, 5000, 0, 10, EPITAPH_SKEW_LOAD);
	measured(1, 2, 1000, 5000, 10, EPITAPH_SKEW_RESUME);
	read_all();
	for (at = 4000; at < 8000; at++) {
		CHECK(skew_correct(skew, 1, at) >= last, "goes back at %llu", at);
		CHECK(skew_bound(skew, 1, at) == UNKNOWN, "%llu", skew_bound(skew, 1, at));
		last = skew_correct(skew, 1, at);
	}
}

static void skew__between_two_stretches_nothing_is_certain(void)
{
	u64 at, last = 0;

	begin();
	measured(1, 2, 3000, 900, 20, EPITAPH_SKEW_ONLINE);
	measured(1, 1, 1000, 500, 10, EPITAPH_SKEW_LOAD);
	read_all();
	CHECK(skew_bound(skew, 1, 1400) == 10, "before: %llu", skew_bound(skew, 1, 1400));
	CHECK(skew_bound(skew, 1, 2000) == 20 + 400, "between: %llu", skew_bound(skew, 1, 2000));
	CHECK(skew_bound(skew, 1, 3900) == 20, "behind: %llu", skew_bound(skew, 1, 3900));
	for (at = 1000; at < 5000; at++) {
		CHECK(skew_correct(skew, 1, at) >= last, "goes back at %llu", at);
		last = skew_correct(skew, 1, at);
	}
	CHECK(skew_correct(skew, 1, 1500) == 1000 && skew_correct(skew, 1, 3900) == 3000, "at the ends");
}

static void skew__two_that_agree_are_one_stretch(void)
{
	begin();
	measured(1, 1, 1000, 500, 10, EPITAPH_SKEW_LOAD);
	measured(1, 2, 3000, 510, 12, EPITAPH_SKEW_PERIODIC);
	read_all();
	CHECK(skew_bound(skew, 1, 2000) == 12 && skew_bound(skew, 1, 9000) == 12, "%llu, %llu",
	      skew_bound(skew, 1, 2000), skew_bound(skew, 1, 9000));
}

static void skew__a_clock_that_drifts_may_go_on(void)
{
	begin();
	measured(1, 1, 1000, 500, 10, EPITAPH_SKEW_LOAD);
	measured(1, 2, 3000, 700, 12, EPITAPH_SKEW_PERIODIC);
	read_all();
	CHECK(skew_bound(skew, 1, 9000) == 212, "%llu", skew_bound(skew, 1, 9000));
}

static void skew__a_clock_that_began_anew_is_in_doubt(void)
{
	begin();
	measured(1, 1, 9000, 500, 10, EPITAPH_SKEW_LOAD);
	measured(1, 2, 10000, -9900, 12, EPITAPH_SKEW_RESUME);
	read_all();
	CHECK(skew_bound(skew, 1, 9500) == UNKNOWN && skew_bound(skew, 1, 200) == UNKNOWN, "bound");
	CHECK(skew_correct(skew, 1, 100) == 10000, "%llu", skew_correct(skew, 1, 100));
}

static void skew__before_those_that_are_gone_it_is_in_doubt(void)
{
	begin();
	measured(1, 9, 9000, 500, 10, EPITAPH_SKEW_PERIODIC);
	read_all();
	CHECK(skew_bound(skew, 1, 9000) == UNKNOWN && skew_bound(skew, 1, 9500) == 10, "%llu, %llu",
	      skew_bound(skew, 1, 9000), skew_bound(skew, 1, 9500));
}

static void skew__hostile_entries_are_named_and_left_out(void)
{
	static const u64 huge[] = { 1ULL << 63, ~0ULL, (1ULL << 63) - 1, 1ULL << 62 };
	u32 i;

	for (i = 0; i < sizeof(huge) / sizeof(*huge); i++) {
		begin();
		measured(1, 1, 1000, 500, 10, EPITAPH_SKEW_LOAD);
		measured(1, 2, 2000, (s64)huge[i], 10, EPITAPH_SKEW_LOAD);
		measured(1, 3, 3000, 500, huge[i], EPITAPH_SKEW_LOAD);
		measured(1, 4, huge[i], 500, 10, EPITAPH_SKEW_LOAD);
		measured(4, 1, 1000, 500, 10, EPITAPH_SKEW_LOAD);
		measured(0xffffffff, 1, 1000, 500, 10, EPITAPH_SKEW_LOAD);
		measured(1, 0, 4000, 500, 10, EPITAPH_SKEW_LOAD);
		measured(1, 5, 5000, 500, 10, EPITAPH_SKEW_LOAD);
		raw[7].offset ^= htole64(1);
		read_all();
		/* -1 is a good offset. */
		CHECK(generation.notes.nr == (huge[i] == ~0ULL ? 6 : 7), "%llu notes", generation.notes.nr);
		CHECK(skew && skew_correct(skew, 1, 1500) == 1000, "the good one does not count");
		/* The offset -1 is followed by nothing that counts: a time stays in 64 bits. */
		CHECK(skew_correct(skew, 1, ~0ULL) == (huge[i] == ~0ULL ? ~0ULL : ~0ULL - 500),
		      "%llx", skew_correct(skew, 1, ~0ULL));
		CHECK(skew_correct(skew, 4, 7) == 7, "%llu", skew_correct(skew, 4, 7));
		skew_bound(skew, 1, ~0ULL);
	}
}

static void skew__the_same_number_twice_is_harmless(void)
{
	begin();
	measured(1, 1, 1000, 500, 10, EPITAPH_SKEW_LOAD);
	measured(1, 1, 1000, 500, 10, EPITAPH_SKEW_LOAD);
	measured(1, 2, 1000, 700, 10, 77);
	read_all();
	CHECK(skew_correct(skew, 1, 2000) == 1300, "%llu", skew_correct(skew, 1, 2000));
}

static void skew__no_good_entry_is_no_measurement(void)
{
	begin();
	read_all();
	CHECK(skew && !skew->nr && !generation.notes.nr, "empty");
	CHECK(skew_correct(skew, 0, 42) == 42 && skew_bound(skew, 0, 42) == UNKNOWN, "not in doubt");
	begin();
	measured(1, 1, 1000, 500, 10, EPITAPH_SKEW_LOAD);
	raw[0].bound = htole64(9);
	read_all();
	CHECK(skew && !skew->nr && generation.notes.nr == 1, "%llu notes", generation.notes.nr);
	CHECK(skew_bound(skew, 1, 42) == UNKNOWN, "%llu", skew_bound(skew, 1, 42));
}

int main(void)
{
	TAP_RUN(skew__a_constant_offset_is_taken_away);
	TAP_RUN(skew__a_cpu_without_measurements_is_in_doubt);
	TAP_RUN(skew__only_what_a_clock_is_off_now_is_waited_for);
	TAP_RUN(skew__a_time_of_the_reference_is_one_of_a_cpu);
	TAP_RUN(skew__the_reference_that_came_back_was_0_before);
	TAP_RUN(skew__a_reference_clock_that_began_anew_takes_all_back);
	TAP_RUN(skew__between_two_stretches_nothing_is_certain);
	TAP_RUN(skew__two_that_agree_are_one_stretch);
	TAP_RUN(skew__a_clock_that_drifts_may_go_on);
	TAP_RUN(skew__a_clock_that_began_anew_is_in_doubt);
	TAP_RUN(skew__before_those_that_are_gone_it_is_in_doubt);
	TAP_RUN(skew__hostile_entries_are_named_and_left_out);
	TAP_RUN(skew__the_same_number_twice_is_harmless);
	TAP_RUN(skew__no_good_entry_is_no_measurement);
	skew_free(skew);
	damage_notes_free(&generation.notes);
	return tap_done();
}
