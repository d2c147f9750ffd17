// SPDX-License-Identifier: GPL-2.0-or-later
/* Channels that were added while recording, and copies of channels: docs/channels.md. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/text.h"
#include "recording.h"

/* An entry of the section in host order, with the bytes of the pool that it uses. */
struct added {
	struct recording_channel channel;
	u64 off;
	u64 ring_size;
	u64 size;
	u64 counters_size;
	u32 unit;
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
			.counters = le64toh(raw->counters), .nr_rings = le32toh(raw->nr_rings),
		},
	};
	memcpy(channel->name, raw->name, sizeof(raw->name));
	/* A product that overflows is refused below. */
	added->size = added->ring_size < GENERATION_MAX_SIZE ?
		      added->ring_size * channel->nr_rings : ~0ULL;
	added->counters_size = channel->counters ?
			       channel->nr_rings * sizeof(struct epitaph_counters) : 0;
}

static bool lies_in_pool(u64 off, u64 size, const struct section *pool)
{
	return off >= pool->off && size <= pool->size && off - pool->off <= pool->size - size;
}

static bool ranges_overlap(u64 a, u64 a_size, u64 b, u64 b_size)
{
	return a_size && b_size && a < b + b_size && b < a + a_size;
}

static bool added_overlap(const struct added *a, const struct added *b)
{
	u64 ac = a->channel.counters, bc = b->channel.counters;

	return ranges_overlap(a->off, a->size, b->off, b->size) ||
	       ranges_overlap(a->off, a->size, bc, b->counters_size) ||
	       ranges_overlap(ac, a->counters_size, b->off, b->size) ||
	       ranges_overlap(ac, a->counters_size, bc, b->counters_size);
}

/* The reason to refuse the channel, or NULL. */
static const char *added_fault(const struct recording *recording,
			       const struct accepted_channels *accepted,
			       const struct added *added)
{
	const struct section *pool = generation_section(recording->generation, EPITAPH_SEC_POOL);
	u32 nr = added->channel.nr_rings, i;

	if (!nr || nr > (added->is_shared ? 1 : recording->generation->hdr.nr_cpus))
		return "it has more rings than CPUs, or none";
	if (!recording_unit_is_possible(added->unit) || added->ring_size < added->unit ||
	    added->ring_size / added->unit > ~0U)
		return "its rings are of a size that is not possible";
	if (!pool || !lies_in_pool(added->off, added->size, pool) ||
	    (added->counters_size &&
	     !lies_in_pool(added->channel.counters, added->counters_size, pool)))
		return "it lies outside of the pool";
	for (i = 0; i < accepted->nr; i++)
		if (added_overlap(added, &accepted->list[i]))
			return "another channel lies there";
	for (i = 0; i < recording->nr_channels; i++)
		if (recording->channels[i].id == added->channel.id)
			return "another channel has its number";
	if (accepted->nr == ARRAY_SIZE(accepted->list))
		return "there are too many";
	return NULL;
}

static int add_channel_rings(struct recording *recording, const struct added *added, struct err *err)
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
		accepted.list[accepted.nr++] = added;
		recording->channels[recording->nr_channels++] = added.channel;
		ret = add_channel_rings(recording, &added, err);
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

void recording_drop_again(struct recording *recording)
{
	u32 i = recording->nr_rings;

	while (i-- > 0)
		if (recording->rings[i].channel->is_copy)
			drop_repeated_subbufs(recording, &recording->rings[i]);
}
