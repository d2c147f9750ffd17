// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where an added channel's ring is while it moves: its entries as the recorder writes them, in a
 * region that has nothing else.
 *
 * build: @extractor
 */
#include <endian.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "live/ring_place.h"
#include "base/checksum.h"
#include "tap.h"

#define SALT	5

static struct epitaph_added table[4];
static struct section sec;
static struct generation generation;
static int fd;

static void begin(void)
{
	struct err err = ERR_INIT;

	memset(table, 0, sizeof(table));
	fd = memfd_create("region", 0);
	CHECK(!ftruncate(fd, 4096), "a file");
	sec = (struct section){
		.type = EPITAPH_SEC_ADDED, .size = sizeof(table), .unit = sizeof(*table),
	};
	generation = (struct generation){ .sections = &sec, .nr_sections = 1 };
	generation.hdr.salt = SALT;
	CHECK(!dump_open_live(&generation.in, fd, &err), "%s", err.msg);
}

static void end(void)
{
	dump_close(generation.in);
}

static void publish(unsigned int entry, uint32_t moves)
{
	struct epitaph_added *added = &table[entry];

	*added = (struct epitaph_added){
		.off = htole64(65536 * (moves + 1)), .ring_size = htole64(16384), .id = htole32(9),
		.unit = htole32(4096), .nr_rings = htole32(2), .origin = htole32(moves),
		.flags = htole32(moves ? EPITAPH_ADDED_MOVED : 0), .name = "calls",
	};
	added->check = htole64(checksum(SALT, added, offsetof(struct epitaph_added, check)));
	CHECK(pwrite(fd, table, sizeof(table), 0) == sizeof(table), "written");
}

static void withdraw(unsigned int entry)
{
	memset(&table[entry], 0, sizeof(*table));
	CHECK(pwrite(fd, table, sizeof(table), 0) == sizeof(table), "written");
}

static struct live_place place_of(uint32_t index)
{
	return (struct live_place){ .channel = "calls", .is_added = true, .id = 9, .index = index };
}

static void place__is_the_earlier_one_while_a_ring_moves(void)
{
	struct live_place place = place_of(1);

	begin();
	publish(0, 1);
	publish(2, 2);
	CHECK(live_place_find(&place, &generation, 0), "found");
	CHECK(place.moves == 1 && place.off == 2 * 65536 + 16384, "%u moves, at %llu", place.moves,
	      (unsigned long long)place.off);
	CHECK(live_place_stands(&place, &generation), "stands");
	withdraw(0);
	CHECK(!live_place_stands(&place, &generation), "does not stand any more");
	CHECK(live_place_find(&place, &generation, 0) && place.moves == 2, "%u moves", place.moves);
	end();
}

static void place__is_the_next_one_when_asked_for_that(void)
{
	struct live_place place = place_of(0);

	begin();
	publish(0, 3);
	publish(1, 1);
	publish(2, 2);
	CHECK(live_place_find(&place, &generation, 2) && place.moves == 2, "%u moves", place.moves);
	CHECK(live_place_find(&place, &generation, 3) && place.moves == 3, "%u moves", place.moves);
	CHECK(!live_place_find(&place, &generation, 4), "no other");
	end();
}

static void place__is_none_of_a_channel_that_went(void)
{
	struct live_place place = place_of(2);

	begin();
	publish(0, 0);
	CHECK(!live_place_find(&place, &generation, 0), "the third ring of two");
	place.index = 1;
	CHECK(live_place_find(&place, &generation, 0) && place.off == 65536 + 16384, "at %llu",
	      (unsigned long long)place.off);
	withdraw(0);
	CHECK(!live_place_find(&place, &generation, 0), "it went");
	end();
}

int main(void)
{
	TAP_RUN(place__is_the_earlier_one_while_a_ring_moves);
	TAP_RUN(place__is_the_next_one_when_asked_for_that);
	TAP_RUN(place__is_none_of_a_channel_that_went);
	return tap_done();
}
