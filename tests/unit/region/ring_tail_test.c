// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tail of a ring is what a scan of all of it gives, for rings of any size, at any place of
 * their way around, with sub-buffers that writers pass over, and with damage.
 *
 * build: @extractor
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include <epitaph/crc32c.h>

#include "base/checksum.h"
#include "region/ring_tail.h"
#include "tap.h"

#define SALT		77
#define ID		20	/* an event of one word of payload */
#define EVENT		8
#define MOST_BYTES	(4U << 20)
#define MOST_SUBS	8192
#define ROUNDS		60

static u8 data[MOST_BYTES];
static bool held[MOST_SUBS];	/* a writer passes over it */
static u32 unit, nr_slots, slot;
static u64 seq, now;
static struct ids ids;
static u64 seed;
static u64 bytes_read;

static u64 random_number(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return seed >> 33;
}

static ssize_t read_ring(void *priv, u64 off, void *buf, size_t size, struct err *err)
{
	u64 all = (u64)unit * nr_slots;

	(void)priv, (void)err;
	size = off >= all ? 0 : size < all - off ? size : all - off;
	memcpy(buf, data + off, size);
	bytes_read += size;
	return size;
}

static bool next_of_ring(void *priv, u64 off, u64 *next, u64 *len)
{
	(void)priv;
	*next = off;
	*len = (u64)unit * nr_slots - off;
	return off < (u64)unit * nr_slots;
}

/* One more sub-buffer in @slot, with as many events as fit, or fewer. */
static void write_subbuf(u64 prev)
{
	u8 *to = data + (size_t)slot * unit;
	u64 off = (u64)slot * unit, crc;
	struct epitaph_sub hdr = {
		.seq = htole64(++seq), .prev = htole32(prev), .time = htole64(now),
	};
	u32 at = sizeof(hdr), nr = random_number() % ((unit - sizeof(hdr)) / EVENT - 1) + 1;

	memset(to, 0, unit);
	hdr.check = htole64(checksum(SALT ^ off, &hdr, offsetof(struct epitaph_sub, check)));
	crc = (u32)le64toh(hdr.check);
	for (u32 i = 0; i < EPITAPH_LEVELS; i++)
		hdr.sum[i] = htole64(crc);
	for (; nr; nr--, at += EVENT) {
		u32 words[2];

		now += random_number() % 1000;
		words[0] = htole32(ID << EPITAPH_ID_SHIFT | (now & ((1U << EPITAPH_TIME_BITS) - 1)));
		words[1] = htole32(random_number());
		memcpy(to + at, words, sizeof(words));
		crc = epitaph_crc32c(false, crc, words, sizeof(words));
	}
	hdr.sum[0] = htole64(crc);
	hdr.used = htole32(at);
	hdr.used_not = htole32(~at);
	memcpy(to, &hdr, sizeof(hdr));
}

static void next_slot(void)
{
	do {
		slot = (slot + 1) % nr_slots;
	} while (held[slot]);
}

/* @nr sub-buffers, of which the ring keeps the last. */
static void write_ring(u32 size, u32 slots, u64 nr)
{
	unit = size;
	nr_slots = slots;
	memset(data, 0, (size_t)unit * nr_slots);
	memset(held, 0, sizeof(held));
	slot = 0;
	seq = 0;
	now = 1000000;
	for (u64 i = 0; i < nr; i++) {
		if (i)
			next_slot();
		write_subbuf(seq);
	}
}

static u64 damage;

static void count_damage(void *priv, u64 off, const char *why)
{
	(void)priv, (void)off, (void)why;
	damage++;
}

static struct ring_scan new_scan(void)
{
	ids.state[ID] = ID_KNOWN;
	ids.words[ID] = 1;
	ids.crc = true;
	return (struct ring_scan){
		.src = { .read = read_ring, .next = next_of_ring }, .size = (u64)unit * nr_slots,
		.unit = unit, .salt = SALT, .ids = &ids, .on_damage = count_damage,
	};
}

static bool is_same_subbuf(const struct scanned_subbuf *a, const struct scanned_subbuf *b)
{
	return a->seq == b->seq && a->slot == b->slot && a->first == b->first && a->last == b->last &&
	       a->nr_events == b->nr_events && a->state == b->state && a->digest == b->digest;
}

/* All that the whole ring has, back to a good sub-buffer that is older than @from, and nothing else. */
static bool is_tail_of(const struct ring_scan *tail, const struct ring_scan *all, u64 from)
{
	u32 i = all->nr_subs, k = tail->nr_subs;
	bool is_behind = false;

	for (; i && k; i--, k--) {
		if (!is_same_subbuf(&all->subs[i - 1], &tail->subs[k - 1]))
			return false;
		is_behind |= tail->subs[k - 1].state == SUBBUF_GOOD && tail->subs[k - 1].last < from;
	}
	return !k && (!i || is_behind);
}

static struct ring_scan scan_tail(u64 from, u64 bytes)
{
	struct ring_scan scan = new_scan();
	struct ring_tail tail;
	u32 left = SCAN_MAX_SUBS;
	int ret;

	bytes_read = 0;
	damage = 0;
	ret = ring_tail_begin(&tail, &scan, &left, NULL);
	if (!ret)
		ret = ring_tail_read(&tail, ~0ULL, bytes, &left, NULL);
	if (!ret)
		ret = ring_tail_read(&tail, from, 0, &left, NULL);
	if (!ret)
		ret = ring_tail_end(&tail, &left, NULL);
	CHECK(!ret, "ring_tail: %d", ret);
	return scan;
}

static void compare(u64 from, u64 bytes, const char *what)
{
	struct ring_scan all = new_scan(), tail;
	u32 left = SCAN_MAX_SUBS;

	CHECK(!ring_scan(&all, &left, NULL), "ring_scan");
	tail = scan_tail(from, bytes);
	CHECK(is_tail_of(&tail, &all, from), "%s: %u slots of %u, %llu written: %u of %u sub-buffers", what,
	      nr_slots, unit, seq, tail.nr_subs, all.nr_subs);
	CHECK(tail.not_read || tail.nr_events == all.nr_events, "%s: %llu of %llu events", what,
	      tail.nr_events, all.nr_events);
	ring_scan_free(&all);
	ring_scan_free(&tail);
}

static void random_ring(u32 around)
{
	u32 size = 512U << random_number() % 8, most = MOST_BYTES / size;
	u32 slots = (most < MOST_SUBS ? most : MOST_SUBS) - random_number() % 7;

	write_ring(size, slots, slots * (u64)around + random_number() % slots + 1);
}

static void ring_tail__is_the_end_of_a_scan_of_all(void)
{
	for (seed = 1; seed <= ROUNDS; seed++) {
		u64 start = seed;

		random_ring(seed % 3);
		compare(now - random_number() % (now / 2), random_number() % MOST_BYTES, "a ring");
		compare(0, 0, "all of it");
		compare(~0ULL, 0, "its newest");
		seed = start;
	}
}

static void ring_tail__passes_over_what_writers_hold(void)
{
	for (seed = 1; seed <= ROUNDS; seed++) {
		u64 start = seed;
		u32 nr = random_number() % (2 * EPITAPH_LEVELS - 1), near, i;

		random_ring(1);
		near = slot + random_number() % 20;
		for (i = 0; i < nr; i++)
			held[(near + i * (1 + random_number() % 2)) % nr_slots] = true;
		for (i = random_number() % 40 + 1; i; i--) {
			next_slot();
			write_subbuf(seq);
		}
		compare(now - random_number() % 3000, 0, "held ones");
		seed = start;
	}
}

static void ring_tail__reads_all_where_it_cannot_be_sure(void)
{
	for (seed = 1; seed <= ROUNDS; seed++) {
		u64 start = seed;

		random_ring(seed % 3);
		for (u32 i = random_number() % 40 + 1; i; i--)
			data[((slot + nr_slots - i) % nr_slots) * (size_t)unit + random_number() % unit] ^= 1;
		compare(now - random_number() % 30000, 0, "damage");
		seed = start;
	}
}

/* A ring of 4 MiB whose newest is asked for: the headers of each 64 KiB, and what may lie ahead. */
static void ring_tail__leaves_the_rest_unread(void)
{
	struct ring_scan tail;

	seed = 1;
	write_ring(4096, MOST_BYTES / 4096, 1500);
	tail = scan_tail(now, 0);
	CHECK(bytes_read < (2 * EPITAPH_LEVELS + 4) * RING_SCAN_READ, "%llu bytes are read", bytes_read);
	CHECK(tail.not_read > MOST_BYTES - (2 * EPITAPH_LEVELS + 4) * RING_SCAN_READ, "%llu are not", tail.not_read);
	CHECK(tail.complete && !tail.whole && !tail.nr_held, "what is read is not complete");
	CHECK(!damage, "it is called damaged");
	ring_scan_free(&tail);
}

/* What lies behind the first lap's end was never used. */
static void ring_tail__of_a_first_lap_is_whole(void)
{
	struct ring_scan tail;

	seed = 1;
	write_ring(4096, MOST_BYTES / 4096, 30);
	tail = scan_tail(0, 0);
	CHECK(!tail.not_read && tail.whole && tail.nr_subs == 30, "%llu not read, %u sub-buffers", tail.not_read,
	      tail.nr_subs);
	CHECK(bytes_read < MOST_BYTES / 2, "%llu bytes are read", bytes_read);
	ring_scan_free(&tail);
	write_ring(4096, MOST_BYTES / 4096, 0);
	tail = scan_tail(0, 0);
	CHECK(!tail.nr_subs && bytes_read < MOST_BYTES / 2, "an empty one: %llu bytes are read", bytes_read);
	ring_scan_free(&tail);
}

int main(void)
{
	TAP_RUN(ring_tail__is_the_end_of_a_scan_of_all);
	TAP_RUN(ring_tail__passes_over_what_writers_hold);
	TAP_RUN(ring_tail__reads_all_where_it_cannot_be_sure);
	TAP_RUN(ring_tail__leaves_the_rest_unread);
	TAP_RUN(ring_tail__of_a_first_lap_is_whole);
	return tap_done();
}
