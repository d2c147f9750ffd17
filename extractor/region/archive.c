// SPDX-License-Identifier: GPL-2.0-or-later
#include "archive.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/checksum.h"
#include "ring_scan.h"

/* The state of archived_read(); @nr_others: chunks of another generation; @nr_unlike: of another ring. */
struct archive_walk {
	struct archived *all;
	struct generation *generation;
	struct dump *archive;
	struct err *err;
	u64 nr_chunks;
	u64 nr_others;
	u64 nr_unlike;
};

static bool read_chunk(const struct archive_walk *w, u64 at, struct epitaph_chunk *chunk)
{
	return dump_read(w->archive, at, chunk, sizeof(*chunk), NULL) == sizeof(*chunk) &&
	       !memcmp(chunk->magic, EPITAPH_CHUNK_MAGIC, sizeof(chunk->magic)) &&
	       le64toh(chunk->check) == checksum(le64toh(chunk->salt), chunk,
						 offsetof(struct epitaph_chunk, check));
}

static bool chunk_is_possible(const struct epitaph_chunk *chunk)
{
	u64 unit = le32toh(chunk->unit), size = le64toh(chunk->ring_size), off = le64toh(chunk->off);

	return unit >= SUBBUF_MIN && unit <= SUBBUF_MAX && !(unit & (unit - 1)) &&
	       size <= 1U << 31 && size % unit == 0 && off % unit == 0 && off < size &&
	       le32toh(chunk->nr) <= (size - off) / unit;
}

static u64 ring_key(u32 channel, u32 cpu)
{
	return (u64)channel << 32 | cpu;
}

/* The first ring of @key or a later one. */
static u32 find_ring(const struct archived *all, u64 key)
{
	u32 lo = 0, hi = all->nr;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (ring_key(all->rings[mid]->channel, all->rings[mid]->cpu) < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct archived_ring *archived_find(const struct archived *all, u32 channel, u32 cpu)
{
	u32 at = find_ring(all, ring_key(channel, cpu));

	return at < all->nr && all->rings[at]->channel == channel && all->rings[at]->cpu == cpu ?
	       all->rings[at] : NULL;
}

static struct archived_ring *add_archived_ring(struct archived *all, const struct epitaph_chunk *chunk)
{
	u32 channel = le32toh(chunk->channel), cpu = le32toh(chunk->cpu);
	u32 at = find_ring(all, ring_key(channel, cpu));
	struct archived_ring *ring = calloc(1, sizeof(*ring));

	if (!all->rings)
		all->rings = calloc(ARCHIVED_MAX_RINGS, sizeof(*all->rings));
	if (!ring || !all->rings) {
		free(ring);
		return NULL;
	}
	*ring = (struct archived_ring){
		.channel = channel, .cpu = cpu,
		.unit = le32toh(chunk->unit), .ring_size = le64toh(chunk->ring_size),
	};
	memmove(all->rings + at + 1, all->rings + at, (all->nr - at) * sizeof(*all->rings));
	all->rings[at] = ring;
	all->nr++;
	return ring;
}

/* Each ring keeps the newest of its share, which is half of what it may have: so this is rare. */
static void forget_oldest(struct archived *all)
{
	u32 i, share = ARCHIVED_MAX_SUBS / 2 / all->nr + 1;

	for (i = 0; i < all->nr; i++) {
		struct archived_ring *ring = all->rings[i];
		u32 old = ring->nr > share ? ring->nr - share : 0;

		memmove(ring->subs, ring->subs + old, (ring->nr - old) * sizeof(*ring->subs));
		ring->nr -= old;
		all->nr_subs -= old;
		all->nr_old += old;
	}
}

static int add_subbuf(struct archive_walk *w, struct archived_ring *ring, u64 at, u64 off)
{
	if (w->all->nr_subs == ARCHIVED_MAX_SUBS)
		forget_oldest(w->all);
	if (ring->nr == ring->room) {
		u32 room = ring->room ? 2 * ring->room : 64;
		void *more = reallocarray(ring->subs, room, sizeof(*ring->subs));

		if (!more)
			return err_sys(w->err, "memory for %u sub-buffers", room);
		ring->subs = more;
		ring->room = room;
	}
	ring->subs[ring->nr++] = (struct archived_subbuf){ w->archive, at, off };
	w->all->nr_subs++;
	return 0;
}

/* @nr: those that are whole */
static int take_chunk(struct archive_walk *w, const struct epitaph_chunk *chunk, u64 at, u32 nr)
{
	struct archived_ring *ring;
	int ret = 0;
	u32 i;

	w->nr_chunks++;
	if (chunk->salt != htole64(w->generation->hdr.salt)) {
		w->nr_others++;
		return 0;
	}
	ring = archived_find(w->all, le32toh(chunk->channel), le32toh(chunk->cpu));
	if (!ring && w->all->nr == ARCHIVED_MAX_RINGS) {
		w->all->nr_beyond++;
		return 0;
	}
	if (!ring)
		ring = add_archived_ring(w->all, chunk);
	if (!ring)
		return err_sys(w->err, "no memory");
	if (ring->unit != le32toh(chunk->unit) || ring->ring_size != le64toh(chunk->ring_size)) {
		w->nr_unlike++;
		return 0;
	}
	for (i = 0; i < nr && !ret; i++)
		ret = add_subbuf(w, ring, at + (u64)i * ring->unit,
				 le64toh(chunk->off) + (u64)i * ring->unit);
	return ret;
}

/* The chunks of one piece.  What was cut at its end is as little damage as the end of a ring. */
static int walk_piece(struct archive_walk *w, u64 at, u64 end)
{
	struct epitaph_chunk chunk;
	u64 skipped = 0, room, nr;
	int ret = 0;

	while (!ret && at + sizeof(chunk) <= end) {
		memset(&chunk, 0, sizeof(chunk));
		if (!read_chunk(w, at, &chunk) || !chunk_is_possible(&chunk)) {
			/* A machine that died has a longer file than was on the disk: zeroes at its end. */
			if (!all_zero(&chunk, sizeof(chunk)))
				skipped += EPITAPH_CHUNK_ALIGN;
			at += EPITAPH_CHUNK_ALIGN;
			continue;
		}
		at += sizeof(chunk);
		room = (end - at) / le32toh(chunk.unit);
		nr = le32toh(chunk.nr) < room ? le32toh(chunk.nr) : room;
		ret = take_chunk(w, &chunk, at, nr);
		at += nr * le32toh(chunk.unit);
		/* Behind a chunk that was cut there may be the next one, if the file system lost bytes. */
		if (nr < le32toh(chunk.nr))
			break;
	}
	if (skipped)
		damage_notes_add(&w->generation->notes, NOTE_NOWHERE,
				 "archive: %llu bytes of a piece are no chunks", skipped);
	return ret;
}

static int walk_archive(struct archive_walk *w)
{
	u64 at = dump_archive_start(w->archive), next, len;
	int ret = 0;

	w->nr_chunks = w->nr_others = w->nr_unlike = 0;
	while (!ret && dump_next_data(w->archive, at, &next, &len)) {
		ret = walk_piece(w, next, next + len);
		at = next + len;
	}
	/* An archive belongs to one generation: to the newest, or it is of no use here. */
	if (w->nr_others && w->generation->is_newest)
		damage_notes_add(&w->generation->notes, NOTE_NOWHERE,
				 "archive: %llu of %llu chunks are of another boot, and left out",
				 w->nr_others, w->nr_chunks);
	if (w->nr_unlike)
		damage_notes_add(&w->generation->notes, NOTE_NOWHERE,
				 "archive: %llu of %llu chunks are of rings of another size, and left out",
				 w->nr_unlike, w->nr_chunks);
	return ret;
}

int archived_read(struct archived *all, struct generation *generation, struct err *err)
{
	struct archive_walk w = { .all = all, .generation = generation, .err = err };
	size_t i;
	int ret = 0;

	memset(all, 0, sizeof(*all));
	for (i = 0; i < dump_nr_archives(generation->in) && !ret; i++) {
		w.archive = dump_archive(generation->in, i);
		ret = walk_archive(&w);
	}
	if (all->nr_old)
		damage_notes_add(&generation->notes, NOTE_NOWHERE,
				 "archive: the oldest %llu sub-buffers are left out: at most %u are read",
				 all->nr_old, ARCHIVED_MAX_SUBS);
	if (all->nr_beyond)
		damage_notes_add(&generation->notes, NOTE_NOWHERE,
				 "archive: %llu chunks are of more than %u rings, and left out",
				 all->nr_beyond, ARCHIVED_MAX_RINGS);
	return ret;
}

void archived_free(struct archived *all)
{
	u32 i;

	for (i = 0; i < all->nr; i++) {
		free(all->rings[i]->subs);
		free(all->rings[i]);
	}
	free(all->rings);
	*all = (struct archived){ 0 };
}

/* --- one source ------------------------------------------------------------------ */

static u64 archived_size(const struct archived_ring *ring)
{
	return (u64)ring->nr * ring->unit;
}

static ssize_t joined_read(void *priv, u64 off, void *buf, size_t size, struct err *err)
{
	const struct archived_ring *ring = priv;
	const struct archived_subbuf *sub;
	size_t done = 0, want;
	ssize_t n;

	while (done < size && off + done < archived_size(ring)) {
		u64 in_sub = (off + done) % ring->unit;

		sub = &ring->subs[(off + done) / ring->unit];
		want = ring->unit - in_sub < size - done ? ring->unit - in_sub : size - done;
		n = dump_read(sub->archive, sub->at + in_sub, (u8 *)buf + done, want, err);
		if (n < 0)
			return n;
		done += n;
		if ((size_t)n < want)
			return done;
	}
	if (done == size)
		return done;
	n = ring->below.read(ring->below.priv, off + done - archived_size(ring), (u8 *)buf + done,
			     size - done, err);
	return n < 0 ? n : (ssize_t)done + n;
}

static bool joined_next(void *priv, u64 off, u64 *next, u64 *len)
{
	const struct archived_ring *ring = priv;
	u64 size = archived_size(ring);

	if (off < size) {
		*next = off;
		*len = size - off;
		return true;
	}
	if (!ring->below.next(ring->below.priv, off - size, next, len))
		return false;
	*next += size;
	return true;
}

/* A file has no parity. */
static bool joined_repair(void *priv, u64 off, void *buf, size_t size)
{
	const struct archived_ring *ring = priv;

	return off >= archived_size(ring) && ring->below.repair &&
	       ring->below.repair(ring->below.priv, off - archived_size(ring), buf, size);
}

static u64 joined_place(void *priv, u64 off)
{
	const struct archived_ring *ring = priv;

	return off < archived_size(ring) ? ring->subs[off / ring->unit].off + off % ring->unit :
					   off - archived_size(ring);
}

struct source archive_join(struct archived_ring *ring, struct source below)
{
	ring->below = below;
	return (struct source){ joined_read, joined_next, joined_repair, ring, joined_place };
}
