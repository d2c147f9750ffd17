// SPDX-License-Identifier: GPL-2.0-or-later
/* The scan of all rings of a recording, and the totals. */
#include "kept_pieces.h"
#include "program_rings.h"

#include <stdlib.h>
#include <string.h>

#include "region/ring_tail.h"

/* Rings of less are read in a blink: all of them is examined, whatever part is shown. */
#define TAIL_OF_MORE	(16ULL << 20)
#define TAIL_BYTES	(4ULL << 20)	/* of all rings together, at least */

struct event_times {
	u64 first;
	u64 last;
};

/* Where the clock went back, the first and the last event are not the earliest and the latest. */
static struct event_times times_of_events(const struct recording_ring *ring, u32 i)
{
	const struct scanned_subbuf *scanned = &ring->scan.subs[i];
	struct event_times times = { scanned->first, scanned->last };
	u8 data[SUBBUF_MAX];
	struct subbuf_cursor at;
	struct subbuf_event ev;
	struct subbuf sub;

	if (!(scanned->flags & SCAN_BACK) || !ring_scan_load(&ring->scan, i, &sub, data, NULL))
		return times;
	at = subbuf_begin(&sub);
	for (;;) {
		subbuf_next(&sub, data, &at, ring->scan.ids, &ev);
		if (ev.kind == SUBBUF_END || ev.kind == SUBBUF_BROKEN)
			return times;
		if (ev.kind != SUBBUF_COMMITTED || ev.is_silent)
			continue;
		times.first = ev.time < times.first ? ev.time : times.first;
		times.last = ev.time > times.last ? ev.time : times.last;
	}
}

static void add_ring_times(struct recording_total *total, const struct recording_ring *ring)
{
	struct event_times times;
	u32 i;

	for (i = 0; i < ring->scan.nr_subs; i++) {
		const struct scanned_subbuf *sub = &ring->scan.subs[i];
		u64 begun = recording_ring_time(ring, sub->time), first, last;

		if (begun > total->end)
			total->end = begun;
		if (!sub->nr_events || sub->state != SUBBUF_GOOD)
			continue;
		times = times_of_events(ring, i);
		first = recording_ring_time(ring, times.first);
		last = recording_ring_time(ring, times.last);
		if (!total->any || first < total->first)
			total->first = first;
		if (!total->any || last > total->last)
			total->last = last;
		total->any = true;
		if (last > total->end)
			total->end = last;
	}
}

static void check_cpus(struct recording *recording)
{
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_CPUS);
	u64 n = section_entries(sec, sizeof(struct epitaph_cpu));
	struct epitaph_cpu raw;
	u64 i;

	for (i = 0; i < n; i++) {
		int good = section_entry(recording->generation, sec, i, &raw, sizeof(raw));

		if (good == -2)
			return;
		if (good == -1)
			damage_notes_add(&recording->generation->notes, sec->off + i * sec->unit,
					 "what CPU %llu was doing is damaged", i);
	}
}

static void check_branches(struct recording *recording)
{
	const struct section *sec = generation_section(recording->generation, EPITAPH_SEC_BRANCHES);
	u64 n = section_entries(sec, sizeof(struct epitaph_branches));
	struct epitaph_branches raw;

	for (u64 i = 0; i < n; i++) {
		int good = section_entry(recording->generation, sec, i, &raw, sizeof(raw));

		if (good == -2)
			return;
		if (good == -1)
			damage_notes_add(&recording->generation->notes, sec->off + i * sec->unit,
					 "the last branches of CPU %llu are damaged", i);
	}
}

static int check_kept_pieces(struct recording *recording, struct err *err)
{
	struct kept_pieces pieces = { .generation = recording->generation };
	struct epitaph_kept piece;
	u8 *data = NULL;
	int ret;

	do {
		free(data);
		ret = kept_pieces_next(&pieces, &piece, &data, err);
	} while (!ret && data);
	if (pieces.has_damage)
		damage_notes_add(&recording->generation->notes, pieces.at, "of the memory that the recorder kept, some is damaged");
	return ret;
}

static void note_repaired(const struct recording *recording)
{
	struct damage_notes *notes = &recording->generation->notes;
	u64 subs = recording->total.repaired;
	u32 entries = generation_nr_repaired(recording->generation);

	if (subs)
		damage_notes_add(notes, NOTE_NOWHERE, "%llu sub-buffer%s repaired by parity (r)", subs,
				 subs == 1 ? " was" : "s were");
	if (entries)
		damage_notes_add(notes, NOTE_NOWHERE, "%u entr%s repaired by parity", entries,
				 entries == 1 ? "y was" : "ies were");
}

static void add_ring_counts(struct recording_total *total, const struct recording_ring *ring)
{
	const struct ring_scan *scan = &ring->scan;
	u64 counted = ring->too_large + ring->too_deep + ring->full;
	u64 lost = scan->lost_last;

	total->events += scan->nr_events;
	/* What a program says of its ring speaks of that ring alone. */
	if (ring->owner)
		return;
	/* The counters have the events lost since the newest sub-buffer began as well. */
	if (ring->counted && counted > lost)
		lost = counted;
	total->torn += scan->nr_torn + scan->nr_taken;
	total->unproven += scan->nr_unproven;
	total->withheld += scan->nr_withheld;
	total->damaged += scan->nr_damaged + scan->nr_lost_subs;
	total->repaired += scan->nr_repaired;
	total->missing += scan->nr_missing + scan->nr_unread;
	/* Since the horizon. */
	total->lost += lost > scan->lost_first ? lost - scan->lost_first : 0;
}

static int scan_rings(struct recording *recording, u32 *left, struct err *err)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < recording->nr_rings && !ret; i++)
		ret = ring_scan(&recording->rings[i].scan, left, err);
	return ret;
}

/* Copies are compared with what they are copies of, and programs' rings with times of all others. */
static bool is_tail_enough(const struct recording *recording)
{
	u64 bytes = 0;
	u32 i;

	if (!recording->tail_ns || recording->archived.nr)
		return false;
	for (i = 0; i < recording->nr_rings; i++) {
		const struct recording_ring *ring = &recording->rings[i];

		if (ring->owner || ring->channel->is_copy || ring->channel->is_left)
			return false;
		bytes += ring->scan.size;
	}
	return bytes > TAIL_OF_MORE;
}

/* When the tail begins, by CLOCK_MONOTONIC. It ends where the recording does, or with its last event. */
static u64 tail_begin(const struct recording *recording)
{
	struct recording_total seen = { 0 };
	u64 end = recording->tail_end;
	u32 i;

	for (i = 0; i < recording->nr_rings && !end; i++)
		add_ring_times(&seen, &recording->rings[i]);
	if (!end)
		end = recording_mono(recording, seen.any ? seen.last : seen.end);
	return recording->tail_ns < end ? end - recording->tail_ns : 0;
}

static int scan_tails(struct recording *recording, u32 *left, struct err *err)
{
	u32 n = recording->nr_rings, i;
	struct ring_tail *tails = calloc(n, sizeof(*tails));
	int ret = tails ? 0 : err_sys(err, "memory for %u rings", n);
	u64 from;

	for (i = 0; i < n && !ret; i++) {
		ret = ring_tail_begin(&tails[i], &recording->rings[i].scan, left, err);
		if (!ret)
			ret = ring_tail_read(&tails[i], ~0ULL, TAIL_BYTES / n, left, err);
	}
	from = tail_begin(recording);
	for (i = 0; i < n && !ret; i++) {
		ret = ring_tail_read(&tails[i], recording_ring_raw(&recording->rings[i], from), 0, left, err);
		if (!ret)
			ret = ring_tail_end(&tails[i], left, err);
		recording->total.not_read += recording->rings[i].scan.not_read;
	}
	free(tails);
	return ret;
}

int recording_scan(struct recording *recording, struct err *err)
{
	struct recording_total *total = &recording->total;
	u32 left = SCAN_MAX_SUBS;
	u32 i;
	int ret;

	/* The scan notes the sub-buffers with console lines: they are few, and say why it died. */
	recording->ids.console = 0;
	for (i = 0; i < formats_nr(recording->formats); i++) {
		u32 id = formats_id(recording->formats, i);

		if (!strcmp(formats_name(recording->formats, id), "printk:console"))
			recording->ids.console = id;
	}
	ret = (is_tail_enough(recording) ? scan_tails : scan_rings)(recording, &left, err);
	if (ret)
		return ret;
	recording_drop_again(recording);
	/* Where the recording begins and ends, the kernel says. */
	for (i = 0; i < recording->nr_rings; i++)
		if (!recording->rings[i].owner)
			add_ring_times(total, &recording->rings[i]);
	for (i = 0; i < recording->nr_rings; i++)
		if (recording->rings[i].owner)
			recording_judge_times(recording, &recording->rings[i]);
	for (i = 0; i < recording->nr_rings; i++)
		add_ring_counts(total, &recording->rings[i]);
	if (!left)
		damage_notes_add(&recording->generation->notes, NOTE_NOWHERE,
				 "only %u sub-buffers are read", SCAN_MAX_SUBS);
	task_names_check(recording->tasks);
	check_cpus(recording);
	check_branches(recording);
	note_repaired(recording);
	return check_kept_pieces(recording, err);
}

/* A copy is NAME@NUMBER. */
static bool is_or_copies(const struct recording_channel *channel, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(channel->name, name, n) && (!channel->name[n] || channel->name[n] == '@');
}

int recording_probe(const struct recording *recording, const char *channel, u64 *events, u64 *damaged,
		    struct err *err)
{
	u32 left = SCAN_MAX_SUBS, i;

	*events = 0;
	*damaged = 0;
	for (i = 0; i < recording->nr_rings; i++) {
		struct ring_scan scan = recording->rings[i].scan;
		int ret;

		if (!is_or_copies(recording->rings[i].channel, channel))
			continue;
		scan.on_damage = NULL;
		ret = ring_scan(&scan, &left, err);
		*events += scan.nr_events;
		*damaged += scan.nr_damaged + scan.nr_lost_subs + scan.nr_missing + scan.nr_unread;
		ring_scan_free(&scan);
		if (ret)
			return ret;
	}
	return 0;
}
