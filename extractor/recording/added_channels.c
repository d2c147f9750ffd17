// SPDX-License-Identifier: GPL-2.0-or-later
/* Channels that were added while recording, and copies of channels: docs/channels.md. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/text.h"
#include "program_rings.h"

/* An entry of the section in host order, with the bytes of the pool that it uses. */
struct added {
	struct recording_channel channel;
	u64 off;
	u64 ring_size;
	u64 size;
	u64 counters_size;
	u64 consumed_size;
	u64 owners_size;
	u32 unit;
	u32 moves;
	bool is_shared;
};

/* The channels that were accepted before: later ones must not overlap them. */
struct accepted_channels {
	struct added list[RECORDING_MAX_CHANNELS / 2];
	u32 nr;
};

static void parse_added(struct added *added, const struct epitaph_added *raw)
{
	struct recording_channel *channel = &added->channel;
	u32 flags = le32toh(raw->flags);

	*added = (struct added){
		.off = le64toh(raw->off), .ring_size = le64toh(raw->ring_size),
		.unit = le32toh(raw->unit), .is_shared = flags & EPITAPH_ADDED_SHARED,
		.channel = {
			.id = le32toh(raw->id), .mode = le32toh(raw->mode), .is_added = true,
			.is_copy = flags & EPITAPH_ADDED_COPY, .origin = le32toh(raw->origin),
			.is_moved = flags & EPITAPH_ADDED_MOVED,
			.counters = le64toh(raw->counters), .nr_rings = le32toh(raw->nr_rings),
			.consumed = le64toh(raw->consumed), .owners = le64toh(raw->owners),
		},
	};
	memcpy(channel->name, raw->name, sizeof(raw->name));
	added->moves = channel->is_moved ? channel->origin : 0;
	/* A product that overflows is refused below. */
	added->size = added->ring_size < GENERATION_MAX_SIZE ?
		      added->ring_size * channel->nr_rings : ~0ULL;
	added->counters_size = channel->counters ?
			       channel->nr_rings * sizeof(struct epitaph_counters) : 0;
	added->consumed_size = channel->consumed ?
			       channel->nr_rings * sizeof(struct epitaph_consumed) : 0;
	added->owners_size = channel->mode == EPITAPH_RINGS ?
			     channel->nr_rings * sizeof(struct epitaph_owner) : 0;
}

static bool lies_in_pool(u64 off, u64 size, const struct section *pool)
{
	return off >= pool->off && size <= pool->size && off - pool->off <= pool->size - size;
}

static bool ranges_overlap(u64 a, u64 a_size, u64 b, u64 b_size)
{
	return a_size && b_size && a < b + b_size && b < a + a_size;
}

#define MAX_SLOTS	1024	/* of programs' rings, as the recorder has it */

/* The parts of the pool that a channel has. */
struct added_parts {
	u64 off[4];
	u64 size[4];
};

static struct added_parts parts_of(const struct added *added)
{
	return (struct added_parts){
		{ added->off, added->channel.counters, added->channel.consumed, added->channel.owners },
		{ added->size, added->counters_size, added->consumed_size, added->owners_size },
	};
}

/*
 * While the rings of a channel move there are two entries of it: each event is in one of them, or
 * in both. The later one is the channel, the other one is read like a copy of it.
 */
static bool is_other_place(const struct added *a, const struct added *b)
{
	return a->channel.id == b->channel.id && a->moves != b->moves &&
	       a->channel.mode == EPITAPH_OVERWRITE && b->channel.mode == EPITAPH_OVERWRITE &&
	       !a->channel.is_copy && !b->channel.is_copy && !a->is_shared && !b->is_shared &&
	       !strcmp(a->channel.name, b->channel.name);
}

static bool share_counters(const struct added *a, const struct added *b, u32 i, u32 k)
{
	return i == 1 && k == 1 && a->channel.counters == b->channel.counters && is_other_place(a, b);
}

static bool added_overlap(const struct added *a, const struct added *b)
{
	struct added_parts x = parts_of(a), y = parts_of(b);
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(x.off); i++)
		for (k = 0; k < ARRAY_SIZE(y.off); k++)
			if (!share_counters(a, b, i, k) &&
			    ranges_overlap(x.off[i], x.size[i], y.off[k], y.size[k]))
				return true;
	return false;
}

/* A number that no channel is given: of the place that a channel's rings leave. */
#define LEFT_ID		0x80000000U

static struct recording_channel *channel_of_id(struct recording *recording, u32 id)
{
	u32 i;

	for (i = 0; i < recording->nr_channels; i++)
		if (recording->channels[i].id == id)
			return &recording->channels[i];
	return NULL;
}

/* The channel that @added is as well, in a place from where or to where its rings move; or NULL. */
static const struct added *other_place(const struct accepted_channels *accepted,
				       const struct added *added)
{
	u32 i;

	for (i = 0; i < accepted->nr; i++)
		if (is_other_place(&accepted->list[i], added))
			return &accepted->list[i];
	return NULL;
}

static void become_left(struct recording_channel *channel)
{
	channel->origin = channel->id;
	channel->id |= LEFT_ID;
	channel->is_copy = channel->is_left = true;
	channel->counters = 0;		/* they have not moved */
}

static void leave_place(struct recording *recording, struct recording_channel *channel)
{
	u32 i;

	for (i = 0; i < recording->nr_added; i++)
		if (recording->added[i].channel == channel->id)
			recording->added[i].channel = channel->id | LEFT_ID;
	become_left(channel);
}

/* The reason to refuse the channel, or NULL. */
static const char *added_fault(struct recording *recording,
			       const struct accepted_channels *accepted,
			       const struct added *added)
{
	const struct section *pool = generation_section(recording->generation, EPITAPH_SEC_POOL);
	bool is_rings = added->channel.mode == EPITAPH_RINGS;
	u32 nr = added->channel.nr_rings, i;

	if (!nr || nr > (added->is_shared ? 1 : is_rings ? MAX_SLOTS : recording->generation->hdr.nr_cpus))
		return "it has more rings than CPUs, or none";
	if (is_rings && added->ring_size != EPITAPH_SLOT_SIZE)
		return "its slots are of a size that is not possible";
	if (!recording_unit_is_possible(added->unit) || added->ring_size < added->unit ||
	    added->ring_size / added->unit > ~0U)
		return "its rings are of a size that is not possible";
	if (!pool || !lies_in_pool(added->off, added->size, pool) ||
	    (added->counters_size &&
	     !lies_in_pool(added->channel.counters, added->counters_size, pool)) ||
	    (added->consumed_size &&
	     !lies_in_pool(added->channel.consumed, added->consumed_size, pool)) ||
	    (added->owners_size && !lies_in_pool(added->channel.owners, added->owners_size, pool)))
		return "it lies outside of the pool";
	for (i = 0; i < accepted->nr; i++)
		if (added_overlap(added, &accepted->list[i]))
			return "another channel lies there";
	if ((added->channel.id & LEFT_ID) ||
	    (channel_of_id(recording, added->channel.id) && !other_place(accepted, added)) ||
	    channel_of_id(recording, added->channel.id | LEFT_ID))
		return "another channel has its number";
	if (accepted->nr == ARRAY_SIZE(accepted->list))
		return "there are too many";
	return NULL;
}

static int add_channel_rings(struct recording *recording, const struct added *added, u32 id,
			     struct err *err)
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
			.channel = id, .unit = added->unit, .index = i,
			.off = added->off + i * added->ring_size, .size = added->ring_size,
		};
	return 0;
}

static int accept(struct recording *recording, struct accepted_channels *accepted,
		  const struct added *added, struct err *err)
{
	const struct added *other = other_place(accepted, added);
	bool is_left = other && other->moves > added->moves;
	struct recording_channel *channel;
	int ret;

	/* Before there is another one of that number. */
	if (other && !is_left)
		leave_place(recording, channel_of_id(recording, added->channel.id));
	accepted->list[accepted->nr++] = *added;
	channel = &recording->channels[recording->nr_channels++];
	*channel = added->channel;
	ret = added->channel.mode == EPITAPH_RINGS ?
	      recording_add_program_rings(recording, &added->channel, added->off, err) :
	      add_channel_rings(recording, added, is_left ? channel->id | LEFT_ID : channel->id, err);
	if (is_left)
		become_left(channel);
	return ret;
}

int recording_read_added(struct recording *recording, struct err *err)
{
	struct generation *generation = recording->generation;
	const struct section *sec = generation_section(generation, EPITAPH_SEC_ADDED);
	u64 i, n = section_entries(sec, sizeof(struct epitaph_added));
	struct accepted_channels accepted = { .nr = 0 };
	struct epitaph_added raw;
	struct added added;
	const char *why;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		u64 at = sec->off + i * sec->unit;

		if (generation_read(generation, at, &raw, sizeof(raw), NULL) != sizeof(raw))
			break;
		/*
		 * A zero check: the entry is being written, or was withdrawn.
		 * order:added is after the end, or again: a live reader reads until two reads agree
		 */
		if (!raw.check)
			continue;
		if (section_entry(generation, sec, i, &raw, sizeof(raw)) != 1) {
			damage_notes_add(&generation->notes, at, "added channel %llu is damaged",
					 i);
			continue;
		}
		parse_added(&added, &raw);
		why = added_fault(recording, &accepted, &added);
		if (why) {
			damage_notes_add(&generation->notes, at,
					 "an added channel is left out: %s", why);
			continue;
		}
		ret = accept(recording, &accepted, &added, err);
	}
	return ret;
}

/* --- sub-buffers that a copy and its origin both have -------------------------- */

static bool scan_has_subbuf(const struct ring_scan *scan, const struct scanned_subbuf *sub,
			    u32 nr_events)
{
	u32 i = ring_scan_find(scan, sub->seq);

	return i < scan->nr_subs && scan->subs[i].seq == sub->seq &&
	       scan->subs[i].time == sub->time && scan->subs[i].state == SUBBUF_GOOD &&
	       scan->subs[i].nr_events >= nr_events;
}

/*
 * A sub-buffer only grows: the longest one has the events of all others. Of several that are as
 * long, that of the copied ring stays, else that of the earliest copy.
 */
static bool is_repeated(const struct recording *recording, const struct recording_ring *ring,
			const struct scanned_subbuf *sub)
{
	const struct recording_ring *other;

	for (other = recording->rings; other < recording->rings + recording->nr_rings; other++) {
		bool is_copied = other->channel->id == ring->channel->origin;
		bool is_copy = other->channel->is_copy &&
			       other->channel->origin == ring->channel->origin;
		bool is_later = !is_copied && other > ring;

		/* Who wants whole copies may not want that one. */
		if (recording->whole_copies && !is_copied)
			continue;
		if (other != ring && other->cpu == ring->cpu && (is_copied || is_copy) &&
		    scan_has_subbuf(&other->scan, sub, sub->nr_events + is_later))
			return true;
	}
	return false;
}

static void drop_repeated_subbufs(const struct recording *recording, struct recording_ring *ring)
{
	struct ring_scan *scan = &ring->scan;
	u32 i, n = 0;

	for (i = 0; i < scan->nr_subs; i++) {
		const struct scanned_subbuf *sub = &scan->subs[i];

		if (sub->state == SUBBUF_GOOD && is_repeated(recording, ring, sub)) {
			scan->nr_events -= sub->nr_events;
			ring->again++;
			continue;
		}
		scan->subs[n++] = *sub;
	}
	scan->nr_subs = n;
}

static bool scan_has_number(const struct ring_scan *scan, u32 low)
{
	u32 i;

	for (i = 0; i < scan->nr_subs; i++)
		if ((u32)scan->subs[i].seq == low)
			return true;
	return false;
}

/*
 * Has the ring overwritten what came behind all of @left since it moved? Then that is older than its
 * horizon, and a ring that had not moved would not have it either. Where a ring is damaged, it stays.
 */
static bool is_lapped(const struct recording *recording, const struct recording_ring *left)
{
	const struct recording_ring *ring;
	u32 i;

	for (ring = recording->rings; ring < recording->rings + recording->nr_rings; ring++) {
		const struct ring_scan *scan = &ring->scan;

		if (ring->cpu != left->cpu || ring->channel->id != left->channel->origin)
			continue;
		i = scan->nr_subs;
		if (!i || !scan->complete || scan->nr_lost_subs || scan->nr_damaged || scan->nr_missing)
			return false;
		while (i > 1 && !(scan->subs[i - 1].flags & SCAN_GAP))
			i--;
		return scan->subs[i - 1].prev && !scan_has_number(&left->scan, scan->subs[i - 1].prev);
	}
	return false;
}

static void drop_all_subbufs(struct recording_ring *ring)
{
	ring->again += ring->scan.nr_subs;
	ring->scan.nr_subs = 0;
	ring->scan.nr_events = 0;
}

void recording_drop_again(struct recording *recording)
{
	u32 i = recording->nr_rings;

	while (i-- > 0)
		if (recording->rings[i].channel->is_left && is_lapped(recording, &recording->rings[i]))
			drop_all_subbufs(&recording->rings[i]);
		else if (recording->rings[i].channel->is_left ||
		    (recording->rings[i].channel->is_copy && !recording->whole_copies))
			drop_repeated_subbufs(recording, &recording->rings[i]);
}
