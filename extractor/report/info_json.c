// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "recording/clock_text.h"
#include "region/outcome.h"
#include "info.h"
#include "json_common.h"

/* What a reader has had of a ring, and what was dropped because it came late. */
static void json_consumed(struct json *j, const struct recording *recording,
			  const struct recording_ring *ring)
{
	u32 i;

	json_u64(j, "read_out", ring->archived ? ring->archived->nr : 0);
	json_u64(j, "given_back", ring->given);
	json_open(j, "dropped", '[');
	for (i = 0; i < ring->nr_dropped; i++) {
		json_open(j, NULL, '{');
		json_str(j, "event", formats_name(recording->formats, ring->dropped[i].id));
		json_u64(j, "nr", ring->dropped[i].nr);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_info_ring(struct json *j, const struct recording *recording,
		      const struct recording_ring *ring)
{
	const struct ring_scan *scan = &ring->scan;

	json_open(j, NULL, '{');
	json_known(j, "cpu", ring->cpu, ring->cpu != NO_CPU);
	json_str(j, "channel", ring->channel->name);
	if (ring->channel->is_added) {
		json_str(j, "mode", recording_channel_mode(ring->channel));
		json_u64(j, "full", ring->full);
	}
	if (ring->owner) {
		json_str(j, "name", ring->owner->name);
		json_str(j, "program", ring->owner->program);
		json_str(j, "comm", ring->owner->comm);
		json_u64(j, "pid", ring->owner->pid);
		json_u64(j, "tgid", ring->owner->tgid);
		json_u64(j, "uid", ring->owner->uid);
		json_bool(j, "ended", ring->owner->has_ended);
	}
	if (ring->channel->mode == EPITAPH_CONSUME)
		json_consumed(j, recording, ring);
	json_u64(j, "events", scan->nr_events);
	json_u64(j, "sub_buffers", scan->size / scan->unit);
	json_u64(j, "sub_buffers_in_use", scan->nr_subs);
	json_known(j, "horizon_ns", recording_ring_mono(ring, scan->horizon), scan->complete);
	json_bool(j, "from_the_start", scan->whole);
	json_u64(j, "unfinished", scan->nr_torn);
	json_u64(j, "never_begun", scan->nr_taken);
	json_u64(j, "without_sum", scan->nr_unproven);
	json_u64(j, "damaged", scan->nr_damaged + scan->nr_lost_subs);
	json_u64(j, "repaired", scan->nr_repaired);
	json_u64(j, "missing", scan->nr_missing);
	json_u64(j, "withheld", scan->nr_withheld);
	json_u64(j, "lost", scan->lost_last - scan->lost_first);
	json_known(j, "refused", ring->refused, ring->refused >= 0);
	json_known(j, "too_large", ring->too_large, ring->counted);
	json_known(j, "too_deep", ring->too_deep, ring->counted);
	json_close(j, '}');
}

static void json_region(struct json *j, const struct postmortem *pm, const char *path)
{
	const struct generation *generation = pm->recording->generation;
	const struct epitaph_header *hdr = &generation->hdr;
	char id[40];

	json_str(j, "file", path);
	json_str(j, "container", dump_kind(pm->dump));
	json_u64(j, "address", pm->generations->start);
	json_u64(j, "recorded_at", hdr->phys_addr);
	json_u64(j, "generation_size", hdr->gen_size);
	json_bool(j, "header_copy_used", generation->from_copy);
	json_bool(j, "header_repaired", generation->is_repaired);
	json_u64(j, "repaired_entries", generation_nr_repaired(generation));
	json_u64(j, "major", hdr->major);
	json_u64(j, "minor", hdr->minor);
	json_field(j, "recorder", hdr->recorder, sizeof(hdr->recorder));
	json_field(j, "kernel", hdr->release, sizeof(hdr->release));
	json_field(j, "kernel_version", hdr->version, sizeof(hdr->version));
	json_str(j, "machine", text_machine(hdr->machine));
	json_bool(j, "big_endian", hdr->byte_order == EPITAPH_BIG_ENDIAN);
	json_u64(j, "cpus", hdr->nr_cpus);
	text_uuid(id, sizeof(id), hdr->boot_id);
	json_str(j, "boot_id", all_zero(hdr->boot_id, sizeof(hdr->boot_id)) ? NULL : id);
	if (hdr->build_id_size && hdr->build_id_size <= sizeof(hdr->build_id))
		json_hex(j, "build_id", hdr->build_id, hdr->build_id_size);
	else
		json_null(j, "build_id");
	json_u64(j, "kaslr_offset", hdr->kaslr_offset);
	json_u64(j, "memory", hdr->memory);
	json_u64(j, "start_mono_ns", hdr->start_mono_ns);
}

static void json_outcome_taken(struct json *j, const char *key, const struct outcome_taken *taken)
{
	if (!taken->is)
		return json_null(j, key);
	json_open(j, key, '{');
	json_u64(j, "wall_ns", taken->real_ns);
	json_str(j, "where", taken->where);
	json_close(j, '}');
}

static void json_info_generation(struct json *j, const struct generation *generation, bool newest,
			    bool is_this)
{
	struct outcome fate;
	char id[40];

	outcome_read(&fate, generation);
	text_uuid(id, sizeof(id), generation->hdr.boot_id);
	json_open(j, NULL, '{');
	json_u64(j, "index", generation->hdr.gen_index);
	json_u64(j, "start_wall_ns", generation->hdr.start_real_ns);
	json_bool(j, "newest", newest);
	json_u64(j, "number", generation->hdr.number);
	json_bool(j, "shown", is_this);
	json_u64(j, "address", generation->base);
	json_u64(j, "size", generation->hdr.gen_size);
	json_str(j, "boot_id",
		 all_zero(generation->hdr.boot_id, sizeof(generation->hdr.boot_id)) ? NULL : id);
	json_field(j, "kernel", generation->hdr.release, sizeof(generation->hdr.release));
	json_str(j, "end", outcome_name(&fate));
	json_str(j, "end_words", fate.end == OUTCOME_UNKNOWN ? NULL : fate.why);
	json_outcome_taken(j, "harvested", &fate.taken[EPITAPH_TAKEN_HARVEST]);
	json_outcome_taken(j, "erased_from_pstore", &fate.taken[EPITAPH_TAKEN_PSTORE]);
	json_close(j, '}');
}

static void json_other_regions(struct json *j, const struct other_regions *others)
{
	u32 i;

	json_open(j, "other_regions", '[');
	for (i = 0; i < others->nr && i < MAX_OTHER_REGIONS; i++) {
		json_open(j, NULL, '{');
		json_u64(j, "address", others->region[i].addr);
		json_u64(j, "start_wall_ns", others->region[i].start_real_ns);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_info_generations(struct json *j, const struct postmortem *pm)
{
	const struct epitaph_header *hdr = &pm->recording->generation->hdr;
	u32 i;

	json_u64(j, "generation", hdr->number);
	json_u64(j, "lost_generations", hdr->lost_gens);
	json_u64(j, "lost_number", hdr->lost_number);
	json_bool(j, "alone", pm->generations->alone);
	json_open(j, "generations", '[');
	for (i = 0; i < pm->generations->nr; i++)
		json_info_generation(j, &pm->generations->gen[i], i + 1 == pm->generations->nr,
				&pm->generations->gen[i] == pm->recording->generation);
	json_close(j, ']');
}

static void json_info_sections(struct json *j, const struct generation *generation)
{
	u32 i;

	json_open(j, "sections", '[');
	for (i = 0; i < generation->nr_sections; i++) {
		const struct section *sec = &generation->sections[i];

		json_open(j, NULL, '{');
		json_str(j, "name", info_section_name(sec->type));
		json_u64(j, "type", sec->type);
		json_u64(j, "offset", sec->off);
		json_u64(j, "size", sec->size);
		json_known(j, "cpu", sec->cpu, sec->cpu != EPITAPH_NO_CPU);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_pstore_records(struct json *j, const struct records *records)
{
	u32 i;

	json_open(j, "pstore_records", '[');
	for (i = 0; i < records->nr; i++) {
		const struct record *record = &records->list[i];

		json_open(j, NULL, '{');
		json_u64(j, "seq", record->seq);
		json_u64(j, "type", record->type);
		json_str(j, "reason", record_reason(record->reason));
		json_u64(j, "dump", record->count);
		json_u64(j, "part", record->part);
		json_u64(j, "wall_ns", record->real_ns);
		json_u64(j, "size", record->size);
		json_bool(j, "compressed", record->packed);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_u64(j, "pstore_records_evicted", records->evicted);
}

void info_json(struct postmortem *pm, const char *path)
{
	const struct recording *recording = pm->recording;
	struct json j = { .f = stdout };
	u32 i;

	json_open(&j, NULL, '{');
	json_region(&j, pm, path);
	json_info_generations(&j, pm);
	json_other_regions(&j, &pm->generations->others);
	json_open(&j, "clock", '{');
	json_str(&j, "name", text_clock(recording->clock.id));
	json_u64(&j, "khz", recording->clock.khz);
	json_u64(&j, "unit_ns", clock_units_ns(&recording->clock, 1));
	json_anchors(&j, &recording->clock);
	json_skew(&j, &recording->clock);
	json_close(&j, '}');
	/* The crash stamp of the region alone, not what the kernel in the dump says. */
	if (recording->crash.known)
		json_end_of_kernel(&j, &pm->end);
	else
		json_null(&j, "crash");
	json_open(&j, "rings", '[');
	for (i = 0; i < recording->nr_rings; i++)
		json_info_ring(&j, recording, &recording->rings[i]);
	json_close(&j, ']');
	json_u64(&j, "events", recording->total.events);
	json_u64(&j, "log_lines", recording->klog.nr);
	json_bool(&j, "log_is_cut", recording->klog.is_cut);
	json_u64(&j, "formats", formats_nr(recording->formats));
	json_u64(&j, "marks", recording->nr_marks);
	json_u64(&j, "lost", recording->total.lost);
	json_u64(&j, "damage_notes", recording->generation->notes.nr);
	json_pstore_records(&j, &recording->records);
	json_info_sections(&j, recording->generation);
	json_container_damage(&j, pm->dump);
	info_guests_json(&j, pm);
	json_close(&j, '}');
	json_end(&j);
}
