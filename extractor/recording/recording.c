// SPDX-License-Identifier: GPL-2.0-or-later
#include "recording.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/checksum.h"
#include "base/text.h"
#include "program_rings.h"

/* Copies a text of @size bytes and terminates it. */
static void copy_terminated(char *dst, const char *src, size_t size)
{
	memcpy(dst, src, size);
	dst[size] = 0;
}

static bool id_holds(const struct generation *generation, const struct epitaph_event_size *raw, u64 id)
{
	return checksum_ok((u32)checksum(generation->hdr.salt, raw, 4), le32toh(raw->check)) &&
	       le16toh(raw->id) == id;
}

static void read_ids(struct recording *recording)
{
	struct generation *generation = recording->generation;
	const struct section *sec = generation_section(generation, EPITAPH_SEC_EVENTS);
	u64 n = section_entries(sec, sizeof(struct epitaph_event_size));
	struct ids *ids = &recording->ids;
	struct epitaph_event_size raw;
	u64 i;

	for (i = 0; i < n && i < IDS_MAX; i++) {
		u64 off = sec->off + i * sec->unit;

		if (generation_read(generation, off, &raw, sizeof(raw), NULL) != sizeof(raw))
			break;
		if (i < EPITAPH_ID_FIRST || (!raw.id && !raw.words && !raw.check))
			continue;
		if (!id_holds(generation, &raw, i)) {
			bool was_unused = __builtin_popcount(raw.check) <= FLIPPED_MAX / 4;

			if (generation_repair(generation, off, &raw, sizeof(raw)) &&
			    id_holds(generation, &raw, i))
				generation_count_repaired(generation, off);
			if (was_unused && all_zero(&raw, sizeof(raw)))
				continue;
		}
		if (id_holds(generation, &raw, i)) {
			ids->state[i] = ID_KNOWN;
			ids->words[i] = le16toh(raw.words);
		} else {
			ids->state[i] = ID_DAMAGED;
			damage_notes_add(&generation->notes, NOTE_NOWHERE,
					 "the size of event %llu is lost", i);
		}
	}
	recording->nr_ids = i;
	if (i < n || !n) {
		damage_notes_add(&generation->notes, sec ? sec->off : NOTE_NOWHERE,
				 "the sizes of events from %llu on are lost", i);
		memset(ids->state + i, ID_DAMAGED, IDS_MAX - i);
	}
	if (generation->hdr.incompat & EPITAPH_INCOMPAT_PACKED)
		ids_of_packed(ids);
	ids->crc = generation->hdr.incompat & EPITAPH_INCOMPAT_CRC;
}

static void read_channel_table(struct recording *recording)
{
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_CHANNELS);
	u64 n = section_entries(sec, sizeof(struct epitaph_channel));
	u64 i;

	for (i = 0; i < n && recording->nr_channels < RECORDING_MAX_CHANNELS / 2; i++) {
		struct recording_channel *channel = &recording->channels[recording->nr_channels];
		struct epitaph_channel raw;
		int good = section_entry(recording->generation, sec, i, &raw, sizeof(raw));

		if (good == 0)
			continue;
		if (good != 1) {
			damage_notes_add(&recording->generation->notes, sec->off + i * sec->unit,
					 "channel %llu is damaged", i);
			continue;
		}
		channel->id = le32toh(raw.id);
		channel->mode = le32toh(raw.mode);
		copy_terminated(channel->name, raw.name, sizeof(raw.name));
		recording->nr_channels++;
	}
}

static void note_ring_damage(void *priv, u64 off, const char *why)
{
	struct recording_ring *ring = priv;
	char cpu[TEXT_CPU];

	damage_notes_add(&ring->recording->generation->notes, ring->sec->off + off,
			 "ring of %s, sub-buffer %llu: %s", text_cpu(cpu, ring->cpu),
			 (off / ring->sec->unit), why);
}

/*
 * A counter and its complement, of which @repaired has what their parity says; @known becomes false
 * if they do not match.
 */
static u64 counter(const __le64 *pair, const __le64 *repaired, bool *known)
{
	if (pair[1] != ~pair[0])
		pair = repaired;
	if (pair[1] != ~pair[0])
		*known = false;
	return le64toh(pair[0]);
}

static bool counters_match(const struct epitaph_counters *raw)
{
	return raw->too_large_not == ~raw->too_large && raw->too_deep_not == ~raw->too_deep &&
	       raw->refused_not == ~raw->refused && raw->full_not == ~raw->full;
}

static void read_counters(const struct recording *recording, struct recording_ring *ring)
{
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_COUNTERS);
	bool knows_refused = true, knows_full = true;
	struct epitaph_counters raw, repaired;
	u64 off;

	if (ring->owner) {
		off = ring->sec->off - EPITAPH_SLOT_DATA;
	} else if (ring->channel->is_added) {
		off = ring->channel->counters + ring->sec->index * sizeof(raw);
		if (!ring->channel->counters)
			return;
	} else {
		if (ring->sec->index >= section_entries(sec, sizeof(raw)))
			return;
		off = sec->off + (u64)ring->sec->index * sec->unit;
	}
	if (generation_read(recording->generation, off, &raw, sizeof(raw), NULL) != sizeof(raw))
		return;
	ring->counted = true;
	repaired = raw;
	if (!counters_match(&raw))
		generation_repair(recording->generation, off, &repaired, sizeof(repaired));
	ring->too_large = counter(&raw.too_large, &repaired.too_large, &ring->counted);
	ring->too_deep = counter(&raw.too_deep, &repaired.too_deep, &ring->counted);
	ring->refused = counter(&raw.refused, &repaired.refused, &knows_refused);
	ring->full = counter(&raw.full, &repaired.full, &knows_full);
	if (!knows_refused)
		ring->refused = -1;
	if (!knows_full)
		ring->full = 0;
}

static void read_dropped(struct recording_ring *ring, const struct epitaph_consumed *raw)
{
	u32 i;

	ring->dropped = calloc(EPITAPH_NR_DROPPED, sizeof(*ring->dropped));
	for (i = 0; ring->dropped && i < EPITAPH_NR_DROPPED; i++) {
		const struct epitaph_dropped *d = &raw->dropped[i];

		if (d->id && d->id == ~d->id_not && d->nr == ~d->nr_not)
			ring->dropped[ring->nr_dropped++] = (struct recording_dropped){
				le32toh(d->id), le64toh(d->nr),
			};
	}
}

/* A number without its complement was being written: the one before is not known any more. */
static void read_consumed(const struct recording *recording, struct recording_ring *ring)
{
	u64 off = ring->channel->consumed + ring->sec->index * sizeof(struct epitaph_consumed);
	struct epitaph_consumed raw, repaired;

	if (!ring->channel->consumed ||
	    generation_read(recording->generation, off, &raw, sizeof(raw), NULL) != sizeof(raw))
		return;
	repaired = raw;
	if (raw.seq != ~raw.seq_not)
		generation_repair(recording->generation, off, &repaired, sizeof(repaired));
	if (repaired.seq == ~repaired.seq_not)
		ring->given = le64toh(repaired.seq);
	read_dropped(ring, &raw);
}

/* What was read out is in front of the ring: the oldest of it may be gone, as of a copy. */
static void join_archive(struct recording_ring *ring)
{
	struct archived_ring *archived = archived_find(&ring->recording->archived, ring->channel->id,
						       ring->cpu);
	struct ring_scan *scan = &ring->scan;

	if (!archived || archived->unit != scan->unit || archived->ring_size != scan->size)
		return;
	ring->archived = archived;
	archived->is_joined = true;
	scan->src = archive_join(archived, scan->src);
	scan->size += (u64)archived->nr * archived->unit;
	scan->is_copy = true;
}

static void add_section_ring(struct recording *recording, const struct section *sec,
			     const struct recording_owner *owner)
{
	static const struct recording_channel unknown = { .name = "?" };
	struct recording_ring *ring = &recording->rings[recording->nr_rings];
	char cpu[TEXT_CPU];
	u32 i;

	if (!recording_unit_is_possible(sec->unit) || sec->size < sec->unit ||
	    sec->size / sec->unit > ~0U)
		return damage_notes_add(&recording->generation->notes, sec->off,
					"ring of %s: %llu bytes in sub-buffers of %u are not possible",
					text_cpu(cpu, sec->cpu), sec->size, sec->unit);
	ring->sec = sec;
	ring->recording = recording;
	ring->cpu = sec->cpu;
	ring->channel = &unknown;
	for (i = recording->nr_channels; i > 0; i--)
		if (recording->channels[i - 1].id == sec->channel)
			ring->channel = &recording->channels[i - 1];
	ring->refused = -1;
	ring->rs = (struct generation_source){ recording->generation, sec };
	ring->scan = (struct ring_scan){
		.src = generation_source(&ring->rs), .size = sec->size - sec->size % sec->unit,
		.unit = sec->unit, .salt = recording->generation->hdr.salt,
		.ids = &recording->ids, .on_damage = note_ring_damage, .priv = ring,
		.is_copy = ring->channel->is_copy || ring->channel->is_moved,
	};
	ring->owner = owner;
	if (owner) {
		ring->scan.salt = owner->salt;
		ring->scan.ids = owner->ids;
		ring->scan.on_damage = NULL;	/* recording_judge_times() sums it up */
		read_counters(recording, ring);
		/* Nothing refuses an event of a program. */
		ring->refused = -1;
	} else {
		join_archive(ring);
		read_counters(recording, ring);
		read_consumed(recording, ring);
	}
	recording->nr_rings++;
}

/* Of channels that were removed before the machine died, or whose place is damaged. */
static void note_archived_alone(const struct recording *recording)
{
	const struct archived *archived = &recording->archived;
	u32 i, nr_subs = 0;

	for (i = 0; i < archived->nr; i++) {
		const struct archived_ring *ring = archived->rings[i];

		if (!ring->is_joined)
			nr_subs += ring->nr;
		if (i + 1 < archived->nr && archived->rings[i + 1]->channel == ring->channel)
			continue;
		if (nr_subs)
			damage_notes_add(&recording->generation->notes, NOTE_NOWHERE,
					 "archive: the region does not have channel number %u; sub-buffers left out: %u",
					 ring->channel, nr_subs);
		nr_subs = 0;
	}
}

static int read_section_rings(struct recording *recording, struct err *err)
{
	const struct generation *generation = recording->generation;
	u32 i, n = recording->nr_added + recording->nr_owners;

	for (i = 0; i < generation->nr_sections; i++)
		n += generation->sections[i].type == EPITAPH_SEC_RING;
	if (n > RECORDING_MAX_RINGS) {
		damage_notes_add(&recording->generation->notes, NOTE_NOWHERE,
				 "there are %u rings; only %u are read", n, RECORDING_MAX_RINGS);
		n = RECORDING_MAX_RINGS;
	}
	recording->rings = calloc(n ? n : 1, sizeof(*recording->rings));
	if (!recording->rings)
		return err_sys(err, "memory for %u rings", n);
	for (i = 0; i < generation->nr_sections && recording->nr_rings < n; i++)
		if (generation->sections[i].type == EPITAPH_SEC_RING)
			add_section_ring(recording, &generation->sections[i], NULL);
	for (i = 0; i < recording->nr_added && recording->nr_rings < n; i++)
		add_section_ring(recording, &recording->added[i], NULL);
	for (i = 0; i < recording->nr_owners && recording->nr_rings < n; i++)
		add_section_ring(recording, &recording->owners[i].sec, &recording->owners[i]);
	note_archived_alone(recording);
	if (!n && !generation_has_no_recorder(generation))
		damage_notes_add(&recording->generation->notes, NOTE_NOWHERE,
				 "there are no rings, for %u CPUs", generation->hdr.nr_cpus);
	return 0;
}

static int compare_mark_clock(const void *a, const void *b)
{
	const struct recording_mark *x = a, *y = b;

	if (x->clock != y->clock)
		return x->clock < y->clock ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void fill_mark(struct recording_mark *mark, const struct epitaph_mark *raw)
{
	mark->seq = le64toh(raw->seq);
	mark->clock = le64toh(raw->clock);
	mark->real_ns = le64toh(raw->real_ns);
	mark->type = le32toh(raw->type);
	mark->cpu = le32toh(raw->cpu);
	copy_terminated(mark->text, raw->text, sizeof(raw->text));
}

static int read_mark_table(struct recording *recording, struct err *err)
{
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_MARKS);
	u64 n = section_entries(sec, sizeof(struct epitaph_mark));
	u64 i;

	recording->marks = calloc(RECORDING_MAX_MARKS, sizeof(*recording->marks));
	if (!recording->marks)
		return err_sys(err, "memory for marks");
	for (i = 0; i < n && i < RECORDING_MAX_MARKS; i++) {
		struct epitaph_mark raw;
		int good = section_entry(recording->generation, sec, i, &raw, sizeof(raw));

		if (good == -2)
			break;
		if (good == 1)
			fill_mark(&recording->marks[recording->nr_marks++], &raw);
		else if (good == -1)
			damage_notes_add(&recording->generation->notes, sec->off + i * sec->unit,
					 "mark %llu is damaged", i);
	}
	return 0;
}

static void read_crash_stamp(struct recording *recording)
{
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_CRASH);
	struct recording_crash *crash = &recording->crash;
	struct epitaph_crash raw;
	int good = section_entry(recording->generation, sec, 0, &raw, sizeof(raw));

	if (good == -1)
		damage_notes_add(&recording->generation->notes, sec->off, "the crash stamp is damaged");
	if (good != 1)
		return;
	crash->known = true;
	crash->from_dump = sec->from_dump;
	crash->clock = le64toh(raw.clock);
	crash->mono_ns = le64toh(raw.mono_ns);
	crash->real_ns = le64toh(raw.real_ns);
	crash->cpu = le32toh(raw.cpu);
	crash->pid = le32toh(raw.pid);
	copy_terminated(crash->comm, raw.comm, sizeof(raw.comm));
	copy_terminated(crash->reason, raw.reason, sizeof(raw.reason));
}

/* The clock of the CPU that wrote them becomes that of the reference. */
static void correct_moments(struct recording *recording)
{
	const struct clock *clock = &recording->clock;
	struct recording_crash *crash = &recording->crash;
	struct outcome *fate = &recording->fate;
	u32 i;

	for (i = 0; i < recording->nr_marks; i++) {
		struct recording_mark *mark = &recording->marks[i];

		mark->clock = clock_on_reference(clock, mark->cpu, mark->clock);
	}
	qsort(recording->marks, recording->nr_marks, sizeof(*recording->marks), compare_mark_clock);
	crash->clock = clock_on_reference(clock, crash->cpu, crash->clock);
	fate->clock = clock_on_reference(clock, fate->cpu, fate->clock);
}

int recording_open(struct recording **ret_recording, struct generation *generation,
		   struct err *err)
{
	struct recording *recording = calloc(1, sizeof(*recording));
	u32 i, lacking = 0;
	int ret;

	if (!recording)
		return err_sys(err, "memory");
	recording->generation = generation;
	read_ids(recording);
	read_channel_table(recording);
	read_crash_stamp(recording);
	outcome_read(&recording->fate, recording->generation);
	ret = read_mark_table(recording, err);
	if (!ret)
		ret = recording_read_added(recording, err);
	if (!ret)
		ret = archived_read(&recording->archived, recording->generation, err);
	if (!ret)
		ret = read_section_rings(recording, err);
	if (!ret)
		ret = clock_read(&recording->clock, recording->generation, err);
	if (!ret)
		correct_moments(recording);
	if (!ret)
		ret = formats_read(&recording->formats, recording->generation, err);
	if (!ret && !formats_incomplete(recording->formats)) {
		/* A format is written before the size: no good id has a size alone. */
		for (i = EPITAPH_ID_FIRST; i < recording->nr_ids; i++)
			lacking += recording->ids.state[i] == ID_KNOWN &&
				   !formats_has(recording->formats, i);
		if (lacking)
			damage_notes_add(&recording->generation->notes, NOTE_NOWHERE,
					 "event formats: those of %u events are lost", lacking);
	}
	if (!ret)
		ret = symbols_read(&recording->symbols, recording->generation, recording->formats, err);
	if (!ret)
		ret = task_names_new(&recording->tasks, recording->generation, err);
	if (!ret)
		ret = klog_read(&recording->klog, recording->generation, err);
	if (!ret)
		ret = mces_read(&recording->mces, recording->generation, &recording->clock,
				&recording->klog, err);
	if (!ret)
		ret = records_read(&recording->records, recording->generation, err);
	if (ret) {
		recording_close(recording);
		return ret;
	}
	*ret_recording = recording;
	return 0;
}

bool recording_read_mark(const struct recording *recording, u64 seq, struct recording_mark *mark)
{
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_MARKS);
	u64 n = section_entries(sec, sizeof(struct epitaph_mark));
	struct epitaph_mark raw;

	if (!n || section_entry(recording->generation, sec, (seq - 1) % n, &raw, sizeof(raw)) != 1 ||
	    le64toh(raw.seq) < seq)
		return false;
	fill_mark(mark, &raw);
	mark->clock = clock_on_reference(&recording->clock, mark->cpu, mark->clock);
	return true;
}

int recording_more(struct recording *recording, struct err *err)
{
	struct clock clock;
	struct symbols *symbols;
	int ret = clock_read(&clock, recording->generation, err);

	if (ret) {
		clock_free(&clock);
		return ret;
	}
	clock_free(&recording->clock);
	recording->clock = clock;
	read_ids(recording);
	formats_more(recording->formats, recording->generation);
	ret = symbols_read(&symbols, recording->generation, recording->formats, err);
	if (ret)
		return ret;
	symbols_free(recording->symbols);
	recording->symbols = symbols;
	return 0;
}

int recording_extras(const struct recording *recording, struct aux_events *extras, struct err *err)
{
	int ret = klog_add(&recording->klog, extras, err);

	return ret ? ret : mces_place(&recording->mces, extras, err);
}

void recording_close(struct recording *recording)
{
	u32 i;

	if (!recording)
		return;
	for (i = 0; i < recording->nr_rings; i++) {
		ring_scan_free(&recording->rings[i].scan);
		free(recording->rings[i].dropped);
	}
	free(recording->rings);
	archived_free(&recording->archived);
	free(recording->added);
	recording_free_owners(recording);
	free(recording->marks);
	clock_free(&recording->clock);
	formats_free(recording->formats);
	symbols_free(recording->symbols);
	task_names_free(recording->tasks);
	mces_free(&recording->mces);
	klog_free(&recording->klog);
	records_free(&recording->records);
	free(recording);
}

const char *recording_channel_mode(const struct recording_channel *channel)
{
	if (channel->is_copy)
		return "copy";
	return channel->mode == EPITAPH_STOP ? "stop" :
	       channel->mode == EPITAPH_CONSUME ? "consume" :
	       channel->mode == EPITAPH_RINGS ? "rings" : "overwrite";
}

const char *recording_mark_name(u32 type)
{
	switch (type) {
	case EPITAPH_MARK_SYSRQ:
		return "sysrq";
	case EPITAPH_MARK_END:
		return "end";
	case EPITAPH_MARK_STOP:
		return "stop";
	case EPITAPH_MARK_START:
		return "start";
	case EPITAPH_MARK_CHANNEL:
		return "channel";
	case EPITAPH_MARK_SNAPSHOT:
		return "snapshot";
	case EPITAPH_MARK_FILTER:
		return "filter";
	case EPITAPH_MARK_TRIGGER:
		return "trigger";
	case EPITAPH_MARK_OOPS:
		return "oops";
	case EPITAPH_MARK_PANIC:
		return "panic";
	}
	return "other";
}
