// SPDX-License-Identifier: GPL-2.0-or-later
/* The scan of all rings of a recording, and the totals. */
#include "recording.h"

#include <string.h>

static void add_ring_times(struct recording_total *total, const struct ring_scan *scan)
{
	u32 i;

	for (i = 0; i < scan->nr_subs; i++) {
		const struct scanned_subbuf *sub = &scan->subs[i];

		if (sub->time > total->end)
			total->end = sub->time;
		if (!sub->nr_events || sub->state != SUBBUF_GOOD)
			continue;
		if (!total->any || sub->first < total->first)
			total->first = sub->first;
		if (!total->any || sub->last > total->last)
			total->last = sub->last;
		total->any = true;
		if (sub->last > total->end)
			total->end = sub->last;
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
	for (i = 0; i < recording->nr_rings; i++) {
		ret = ring_scan(&recording->rings[i].scan, &left, err);
		if (ret)
			return ret;
	}
	if (!recording->whole_copies)
		recording_drop_again(recording);
	for (i = 0; i < recording->nr_rings; i++) {
		const struct recording_ring *ring = &recording->rings[i];
		const struct ring_scan *scan = &ring->scan;
		u64 counted = ring->too_large + ring->too_deep + ring->full;
		u64 lost = scan->lost_last;

		/* The counters have the events lost since the newest sub-buffer began as well. */
		if (ring->counted && counted > lost)
			lost = counted;
		total->events += scan->nr_events;
		total->torn += scan->nr_torn + scan->nr_taken;
		total->unproven += scan->nr_unproven;
		total->withheld += scan->nr_withheld;
		total->damaged += scan->nr_damaged + scan->nr_lost_subs;
		total->repaired += scan->nr_repaired;
		total->missing += scan->nr_missing + scan->nr_unread;
		/* Since the horizon. */
		total->lost += lost > scan->lost_first ? lost - scan->lost_first : 0;
		add_ring_times(total, scan);
	}
	if (!left)
		damage_notes_add(&recording->generation->notes, NOTE_NOWHERE,
				 "only %u sub-buffers are read", SCAN_MAX_SUBS);
	task_names_check(recording->tasks);
	check_cpus(recording);
	note_repaired(recording);
	return 0;
}
