// SPDX-License-Identifier: GPL-2.0-or-later
/* Channels that were added while recording, and copies of channels: docs/channels.md. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/text.h"
#include "recording.h"

/* In host order, with the bytes that it has of the pool. */
struct added {
	struct recording_channel channel;
	u64 off;
	u64 ring_size;
	u64 size;
	u64 counters_size;
	u32 unit;
	bool is_shared;
};

/* Those that were taken before it: of the pool, and of the numbers. */
struct taken {
	struct added list[RECORDING_MAX_CHANNELS / 2];
	u32 nr;
};

static void parse(struct added *added, const struct epitaph_added *raw)
{
	struct recording_channel *channel = &added->channel;
	u32 flags = le32toh(raw->flags);

	*added = (struct added){
		.off = le64toh(raw->off), .ring_size = le64toh(raw->ring_size),
		.unit = le32toh(raw->unit), .is_shared = flags & EPITAPH_ADDED_SHARED,
		.channel = {
			.id = le32toh(raw->id), .mode = le32toh(raw->mode), .is_added = true,
			.is_copy = flags & EPITAPH_ADDED_COPY, .origin = le32toh(raw->origin),
			.counters = le64toh(raw->counters), .nr_rings = le32toh(raw->nr_rings),
		},
	};
	memcpy(channel->name, raw->name, sizeof(raw->name));
	/* Not more than its generation: what is larger is refused below. */
	added->size = added->ring_size < GENERATION_MAX_SIZE ?
		      added->ring_size * channel->nr_rings : ~0ULL;
	added->counters_size = channel->counters ?
			       channel->nr_rings * sizeof(struct epitaph_counters) : 0;
}

static bool lies_in(u64 off, u64 size, const struct section *pool)
{
	return off >= pool->off && size <= pool->size && off - pool->off <= pool->size - size;
}

static bool overlap(u64 a, u64 a_size, u64 b, u64 b_size)
{
	return a_size && b_size && a < b + b_size && b < a + a_size;
}

static bool touch(const struct added *a, const struct added *b)
{
	return overlap(a->off, a->size, b->off, b->size) ||
	       overlap(a->off, a->size, b->channel.counters, b->counters_size) ||
	       overlap(a->channel.counters, a->counters_size, b->off, b->size) ||
	       overlap(a->channel.counters, a->counters_size, b->channel.counters,
		       b->counters_size);
}

static bool has_id(const struct recording *recording, u32 id)
{
	u32 i;

	for (i = 0; i < recording->nr_channels; i++)
		if (recording->channels[i].id == id)
			return true;
	return false;
}

/* What is impossible about it, or NULL. */
static const char *fault(const struct recording *recording, const struct taken *taken,
			 const struct added *added, const struct section *pool)
{
	u32 nr = added->channel.nr_rings, i;

	if (!nr || nr > (added->is_shared ? 1 : recording->generation->hdr.nr_cpus))
		return "it has more rings than CPUs, or none";
	if (added->unit < SUBBUF_MIN || added->unit > SUBBUF_MAX || (added->unit & (added->unit - 1)) ||
	    added->ring_size < added->unit || added->ring_size / added->unit > ~0U)
		return "its rings are of a size that is not possible";
	if (!pool || !lies_in(added->off, added->size, pool) ||
	    (added->counters_size &&
	     !lies_in(added->channel.counters, added->counters_size, pool)))
		return "it lies outside of the pool";
	for (i = 0; i < taken->nr; i++)
		if (touch(added, &taken->list[i]))
			return "another channel lies there";
	if (has_id(recording, added->channel.id))
		return "another channel has its number";
	if (taken->nr == ARRAY_SIZE(taken->list))
		return "there are too many";
	return NULL;
}

static int add_rings(struct recording *recording, const struct added *added, struct err *err)
{
	u32 i, nr = added->channel.nr_rings;
	struct section *more;

	if (recording->nr_added + nr > RECORDING_MAX_RINGS)
		nr = RECORDING_MAX_RINGS - recording->nr_added;
	if (nr < added->channel.nr_rings)
		damage_notes_add(&recording->generation->notes, added->off,
				 "of %u rings of an added channel only %u are read",
				 added->channel.nr_rings, nr);
	more = reallocarray(recording->added, recording->nr_added + nr + 1, sizeof(*more));
	if (!more)
		return err_sys(err, "memory for %u rings", nr);
	recording->added = more;
	for (i = 0; i < nr; i++)
		more[recording->nr_added++] = (struct section){
			.type = EPITAPH_SEC_RING, .cpu = added->is_shared ? EPITAPH_NO_CPU : i,
			.channel = added->channel.id, .unit = added->unit, .index = i,
			.off = added->off + i * added->ring_size, .size = added->ring_size,
		};
	return 0;
}

static int take(struct recording *recording, struct taken *taken, const struct added *added, u64 at,
		struct err *err)
{
	const struct section *pool = generation_section(recording->generation, EPITAPH_SEC_POOL);
	const char *why = fault(recording, taken, added, pool);

	if (why) {
		damage_notes_add(&recording->generation->notes, at, "an added channel is left out: %s", why);
		return 0;
	}
	taken->list[taken->nr++] = *added;
	recording->channels[recording->nr_channels++] = added->channel;
	return add_rings(recording, added, err);
}

int recording_read_added(struct recording *recording, struct err *err)
{
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_ADDED);
	u64 i, n = section_entries(sec, sizeof(struct epitaph_added));
	struct taken taken = { .nr = 0 };
	struct epitaph_added raw;
	struct added added;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		u64 at = sec->off + i * sec->unit;

		if (generation_read(recording->generation, at, &raw, sizeof(raw), NULL) != sizeof(raw))
			break;
		/* Being written, or taken back. */
		if (!raw.check)
			continue;
		if (le64toh(raw.check) != checksum(recording->generation->hdr.salt, &raw,
						   offsetof(struct epitaph_added, check))) {
			damage_notes_add(&recording->generation->notes, at, "added channel %llu is damaged", i);
			continue;
		}
		parse(&added, &raw);
		ret = take(recording, &taken, &added, at, err);
	}
	return ret;
}

/* --- what a copy and its origin both have -------------------------------------- */

static bool has_sub(const struct ring_scan *scan, const struct scanned_subbuf *sub)
{
	u32 lo = 0, hi = scan->nr_subs;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (scan->subs[mid].seq < sub->seq)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < scan->nr_subs && scan->subs[lo].seq == sub->seq &&
	       scan->subs[lo].time == sub->time && scan->subs[lo].state == SUBBUF_GOOD &&
	       scan->subs[lo].nr_events >= sub->nr_events;
}

/* The ring that was copied, and copies before this one; as many as there may be. */
static u32 find_others(const struct recording *recording, const struct recording_ring *ring,
		       const struct ring_scan **others)
{
	const struct recording_ring *other;
	u32 n = 0;

	for (other = recording->rings; other < recording->rings + recording->nr_rings; other++) {
		bool is_older_copy = other < ring && other->channel->is_copy &&
				     other->channel->origin == ring->channel->origin;

		if (other->cpu == ring->cpu && other != ring && n < RECORDING_MAX_CHANNELS &&
		    (is_older_copy || other->channel->id == ring->channel->origin))
			others[n++] = &other->scan;
	}
	return n;
}

static bool is_told(const struct ring_scan **others, u32 nr, const struct scanned_subbuf *sub)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (has_sub(others[i], sub))
			return true;
	return false;
}

static void drop_again(const struct recording *recording, struct recording_ring *ring)
{
	const struct ring_scan *others[RECORDING_MAX_CHANNELS];
	u32 i, n = 0, nr = find_others(recording, ring, others);
	struct ring_scan *scan = &ring->scan;

	for (i = 0; i < scan->nr_subs; i++) {
		if (scan->subs[i].state == SUBBUF_GOOD && is_told(others, nr, &scan->subs[i])) {
			scan->nr_events -= scan->subs[i].nr_events;
			ring->again++;
			continue;
		}
		scan->subs[n++] = scan->subs[i];
	}
	scan->nr_subs = n;
}

/* The last first: what an earlier copy leaves out, a later one must not. */
void recording_drop_again(struct recording *recording)
{
	u32 i = recording->nr_rings;

	while (i-- > 0)
		if (recording->rings[i].channel->is_copy)
			drop_again(recording, &recording->rings[i]);
}
