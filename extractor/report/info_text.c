// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "recording/clock_text.h"
#include "region/outcome.h"
#include "info.h"
#include "phrase.h"

#define MAX_FIELDS_ONLY	32	/* formats that are named */

static const char *const section_names[] = {
	NULL, "channels", "event sizes", "event formats", "clock anchors", "task names",
	"symbols", "counters", "marks", "crash stamp", "CPUs", "ring", "taken marks",
	"kernel log", "machine checks", "pstore records", "added channels", "pool", "parity",
	"skew", "branches", "kept memory",
};

const char *info_section_name(u32 type)
{
	static _Thread_local char other[32];

	if (type && type < ARRAY_SIZE(section_names))
		return section_names[type];
	snprintf(other, sizeof(other), "unknown (type %u)", type);
	return other;
}

void info_span(u64 first, u64 last)
{
	char from[40], to[40];

	text_seconds(from, sizeof(from), first, true);
	text_seconds(to, sizeof(to), last, true);
	printf(" from %s to %s", from, to);
}

void info_debuginfo(const struct postmortem *pm)
{
	if (!pm->debuginfo)
		return;
	info_key("debuginfo");
	puts(debuginfo_path(pm->debuginfo));
}

void info_damage(const struct damage_notes *notes, struct dump *dump)
{
	u64 i;

	for (i = 0; i < notes->kept; i++) {
		info_key("damage");
		puts(notes->list[i].text);
	}
	if (notes->nr > notes->kept) {
		info_key("damage");
		printf("and %llu things more\n", notes->nr - notes->kept);
	}
	/* If something else is affected, the notes say so. */
	for (i = 0; !notes->nr && dump_damage(dump, i); i++) {
		info_key("file lacks");
		puts(dump_damage(dump, i));
	}
}

static void put_region_info(const struct postmortem *pm, const char *path)
{
	static const char *const kinds[] = {
		NULL, "memmap=", "reserve_mem=: it may move from boot to boot",
		"allocated at load: it outlives no reset",
		"of a virtual machine's device: the host keeps it",
		"reserved by the device tree",
	};
	const struct generation *generation = pm->recording->generation;
	const struct epitaph_header *hdr = &generation->hdr;
	const char *damage;
	char size[32];
	size_t i;

	info_key("file");
	text_put(stdout, path, strlen(path));
	printf(": %s\n", dump_kind(pm->dump));
	/* If the region is affected, the notes of the generation say so. */
	for (i = 0; !generation->notes.nr && (damage = dump_damage(pm->dump, i)); i++) {
		info_key("");
		printf("%s; nothing of the region is affected\n", damage);
	}
	text_size(size, sizeof(size), hdr->gen_size);
	info_key("region");
	printf("%u generation%s of %s at 0x%llx, recorded at 0x%llx", hdr->nr_gens,
	       plural(hdr->nr_gens), size, pm->generations->start, (u64)hdr->phys_addr);
	if (hdr->memory >= ARRAY_SIZE(kinds))
		printf(", memory of unknown kind %u", hdr->memory);
	else if (hdr->memory)
		printf(", %s", kinds[hdr->memory]);
	putchar('\n');
	info_key("format");
	printf("%u.%u, recorder ", hdr->major, hdr->minor);
	text_put(stdout, hdr->recorder, sizeof(hdr->recorder));
	putchar('\n');
}

static void put_recorded_kernel(const struct epitaph_header *hdr)
{
	char buf[80];

	info_key("kernel");
	text_put(stdout, hdr->release, sizeof(hdr->release));
	putchar(' ');
	text_put(stdout, hdr->version, sizeof(hdr->version));
	printf(", %s, %s-endian, %u CPU%s\n", text_machine(hdr->machine),
	       hdr->byte_order == EPITAPH_BIG_ENDIAN ? "big" : "little", hdr->nr_cpus,
	       plural(hdr->nr_cpus));
	info_key("boot");
	text_uuid(buf, sizeof(buf), hdr->boot_id);
	fputs(all_zero(hdr->boot_id, sizeof(hdr->boot_id)) ? "not known" : buf, stdout);
	if (hdr->build_id_size && hdr->build_id_size <= sizeof(hdr->build_id)) {
		text_hex(buf, sizeof(buf), hdr->build_id, hdr->build_id_size);
		printf(", build id %s", buf);
	}
	printf(", KASLR offset 0x%llx\n", (u64)hdr->kaslr_offset);
	if (hdr->types_size) {
		info_key("types");
		printf("%llu bytes of BTF at 0x%llx in the kernel's memory: of the recorder's build, as the kernel has none\n",
		       (u64)hdr->types_size, (u64)hdr->types_addr);
	}
}

static void put_info_generation(const struct generation *generation, bool is_this)
{
	char date[64], words[800];
	struct outcome fate;

	outcome_read(&fate, generation);
	outcome_words(words, sizeof(words), &fate);
	text_date(date, sizeof(date), generation->hdr.start_real_ns);
	info_key("generation");
	if (generation->hdr.number)
		printf("%llu", (u64)generation->hdr.number);
	else
		fputs("unnumbered", stdout);
	printf(" at 0x%llx%s: began %s, %s", generation->base, is_this ? " (this one)" : "",
	       date, words);
	if (generation->from_copy)
		fputs("; by the copy of its header", stdout);
	if (generation->is_repaired)
		fputs("; its header was repaired by parity", stdout);
	putchar('\n');
}

static void put_info_generations(const struct postmortem *pm)
{
	const struct epitaph_header *hdr = &pm->recording->generation->hdr;
	u32 i;

	for (i = 0; i < pm->generations->nr; i++)
		put_info_generation(&pm->generations->gen[i],
			       &pm->generations->gen[i] == pm->recording->generation);
	if (pm->generations->alone) {
		info_key("");
		printf("from place %u of %u, without what else the region held\n",
		       hdr->gen_index, hdr->nr_gens);
	}
	if (pm->generations->nr_overwritten) {
		info_key("");
		printf("and %u whose place is in part another's by now\n",
		       pm->generations->nr_overwritten);
	}
	if (hdr->lost_gens) {
		info_key("lost");
		printf("%u generation%s overwritten before %s harvested, last number %llu\n",
		       hdr->lost_gens, hdr->lost_gens == 1 ? " was" : "s were",
		       hdr->lost_gens == 1 ? "it was" : "they were", (u64)hdr->lost_number);
	}
}

static void put_other_regions(const struct other_regions *others)
{
	char date[64];
	u32 i;

	for (i = 0; i < others->nr && i < MAX_OTHER_REGIONS; i++) {
		text_date(date, sizeof(date), others->region[i].start_real_ns);
		info_key(i ? "" : "not read");
		printf("another region at 0x%llx: its newest generation began %s\n", others->region[i].addr, date);
	}
	if (i < others->nr) {
		info_key("");
		printf("and %u more\n", others->nr - i);
	}
}

static void put_crash_stamp(const struct postmortem *pm)
{
	const struct recording *recording = pm->recording;
	const struct recording_crash *crash = &recording->crash;
	char date[64];

	info_key("crash");
	if (!crash->known) {
		puts("no stamp");
		return;
	}
	text_date(date, sizeof(date), crash->real_ns);
	fputs(date, stdout);
	if (crash->cpu != NO_CPU)
		printf(" on CPU %u", crash->cpu);
	if (crash->pid != RECORDING_NO_PID) {
		fputs(", task ", stdout);
		text_put(stdout, crash->comm, sizeof(crash->comm));
		printf("-%u", crash->pid);
	}
	fputs(": ", stdout);
	debuginfo_put_text(pm->debuginfo, stdout, crash->reason, sizeof(crash->reason), false);
	putchar('\n');
}

static void put_info_sections(const struct generation *generation)
{
	char size[32];
	u32 i;

	for (i = 0; i < generation->nr_sections; i++) {
		const struct section *sec = &generation->sections[i];

		text_size(size, sizeof(size), sec->size);
		info_key("section");
		printf("%s at 0x%llx, %s", info_section_name(sec->type), sec->off, size);
		if (sec->cpu != EPITAPH_NO_CPU)
			printf(", CPU %u", sec->cpu);
		putchar('\n');
	}
}

static void put_info_owner(const struct recording_owner *owner)
{
	printf("of %s, program ", owner->name);
	text_put(stdout, owner->program, sizeof(owner->program));
	printf("-%u, thread ", owner->tgid);
	text_put(stdout, owner->comm, sizeof(owner->comm));
	printf("-%u, uid %u, %s, channel ", owner->pid, owner->uid, owner->has_ended ? "ended" : "live");
}

static void put_info_ring(const struct recording *recording, const struct recording_ring *ring)
{
	const struct ring_scan *scan = &ring->scan;
	char from[40], cpu[TEXT_CPU];
	u32 i;

	info_key("ring");
	if (ring->owner)
		put_info_owner(ring->owner);
	else
		printf("%s, channel ", text_cpu(cpu, ring->cpu));
	text_put(stdout, ring->channel->name, sizeof(ring->channel->name));
	printf(" (%s): %llu events in %u of %llu sub-buffers",
	       recording_channel_mode(ring->channel),
	       scan->nr_events, scan->nr_subs, scan->size / scan->unit);
	if (scan->complete) {
		text_seconds(from, sizeof(from), recording_ring_mono(ring, scan->horizon), true);
		printf("; complete from %s%s", from,
		       scan->whole ? ", the start of recording" : "");
	}
	putchar('\n');
	info_key("");
	printf("%u unfinished, %u never begun, %u without a sum; %u sub-buffers damaged, %u not in the file; dropped since the horizon: %llu",
	       scan->nr_torn, scan->nr_taken, scan->nr_unproven, scan->nr_damaged + scan->nr_lost_subs,
	       scan->nr_missing, scan->lost_last - scan->lost_first);
	if (scan->nr_repaired)
		printf("; repaired sub-buffers: %u", scan->nr_repaired);
	if (ring->owner && ring->full)
		printf("; dropped, whose format found no room: %llu", ring->full);
	else if (ring->full)
		printf("; came when it was full: %llu", ring->full);
	for (i = 0; i < ring->nr_dropped; i++) {
		const char *name = formats_name(recording->formats, ring->dropped[i].id);

		fputs(i ? ", " : " (", stdout);
		text_put(stdout, name, strlen(name));
		printf(" %llu%s", ring->dropped[i].nr, i + 1 == ring->nr_dropped ? ")" : "");
	}
	if (ring->archived)
		printf("; read out: %u sub-buffers", ring->archived->nr);
	if (ring->again)
		printf("; repeated sub-buffers: %u", ring->again);
	if (ring->refused > 0)
		printf("; refused: %lld", ring->refused);
	if (ring->counted)
		printf("; ever: %llu too large, %llu nested too deep\n", ring->too_large,
		       ring->too_deep);
	else
		puts(ring->channel->is_copy || ring->owner ? "" : "; the counters are lost");
}

/* Times are CLOCK_MONOTONIC, which begins with the kernel. */
static void put_start(const struct recording *recording)
{
	char start[40], first[40];
	bool whole = true;
	u32 i;

	info_key("start");
	if (generation_has_no_recorder(recording->generation)) {
		puts("no recorder: a copy of a vmcore's log and stacks");
		return;
	}
	text_seconds(start, sizeof(start), recording->generation->hdr.start_mono_ns, true);
	printf("recording began %s s after the kernel did", start);
	for (i = 0; i < recording->nr_rings; i++)
		whole &= !recording->rings[i].scan.nr_subs || recording->rings[i].scan.whole;
	if (recording->total.any) {
		text_seconds(first, sizeof(first),
			     recording_mono(recording, recording->total.first), true);
		printf("; %s event is at %s", whole ? "the first" : "the oldest kept", first);
	}
	putchar('\n');
}

static void put_klog_info(const struct klog *klog)
{
	if (!klog->there)
		return;
	info_key("kernel log");
	printf(klog->is_whole ? "%u lines, all that the vmcore has" : "%u lines from before recording began",
	       klog->nr);
	if (klog->nr) {
		putchar(',');
		info_span(klog->lines[0].mono_ns, klog->lines[klog->nr - 1].mono_ns);
	}
	puts(klog->is_cut ? "; older ones found no room" : "");
}

static void put_pstore_records(const struct records *records)
{
	u32 i;

	for (i = 0; i < records->nr; i++) {
		const struct record *record = &records->list[i];

		info_key("record");
		printf("of pstore's: %s, dump %u, part %u, %u bytes%s\n",
		       record_reason(record->reason), record->count, record->part, record->size,
		       record->packed ? ", compressed" : "");
	}
	if (records->evicted) {
		info_key("record");
		printf("and %llu overwritten by later ones\n", records->evicted);
	}
}

/* Formats whose print format is not known: their events are printed field by field. */
static void put_fields_only(struct formats *formats)
{
	u32 nr = 0, i;

	for (i = 0; i < formats_nr(formats); i++) {
		u32 id = formats_id(formats, i);
		const char *name;

		if (!formats_get(formats, id)->is_known || formats_program(formats, id))
			continue;
		if (nr++ >= MAX_FIELDS_ONLY)
			continue;
		if (nr == 1)
			info_key("fields only");
		name = formats_name(formats, id);
		fputs(nr > 1 ? ", " : "", stdout);
		text_put(stdout, name, strlen(name));
	}
	if (nr > MAX_FIELDS_ONLY)
		printf(" and %u more", nr - MAX_FIELDS_ONLY);
	if (nr)
		puts(": their print formats are not known");
}

static void put_recording_totals(const struct recording *recording)
{

	info_key("events");
	printf("%llu", recording->total.events);
	if (recording->total.any)
		info_span(recording_mono(recording, recording->total.first),
			  recording_mono(recording, recording->total.last));
	printf("; %u formats, %u symbols, %u marks\n", formats_nr(recording->formats),
	       symbols_nr(recording->symbols), recording->nr_marks);
	put_fields_only(recording->formats);
}

/* Of those that have events, the CPU behind @cpu whose clock was not measured; NO_CPU: none. */
static u32 next_not_measured(const struct recording *recording, u32 cpu)
{
	u32 i, next = NO_CPU;

	for (i = 0; i < recording->nr_rings; i++) {
		const struct recording_ring *ring = &recording->rings[i];

		if (ring->cpu < next && (cpu == NO_CPU || ring->cpu > cpu) && ring->scan.nr_events &&
		    !skew_is_measured(recording->clock.skew, ring->cpu))
			next = ring->cpu;
	}
	return next;
}

/* The last measurement of each CPU, and those that have none. */
static void put_info_skew(const struct recording *recording)
{
	const struct clock *clock = &recording->clock;
	const struct skew *skew = clock->skew;
	char text[96];
	u32 i, cpu;

	for (i = 0; skew && i < skew->nr; i++) {
		const struct skew_entry *e = &skew->entries[i];

		if (i + 1 < skew->nr && e[1].cpu == e->cpu)
			continue;
		text_skew(text, sizeof(text), clock, e);
		info_key("skew");
		printf("%s of CPU %u\n", text, skew->reference);
	}
	for (cpu = next_not_measured(recording, NO_CPU); cpu != NO_CPU; cpu = next_not_measured(recording, cpu)) {
		info_key("skew");
		text_distance(text, sizeof(text), clock_ticks_ns(clock, skew->unknown));
		printf("CPU %u was not measured: may be %s off\n", cpu, text);
	}
}

void info_text(struct postmortem *pm, const char *path)
{
	const struct recording *recording = pm->recording;
	char bound[200];
	u32 i;

	put_region_info(pm, path);
	put_recorded_kernel(&recording->generation->hdr);
	put_info_generations(pm);
	put_other_regions(&pm->generations->others);
	put_start(recording);
	text_bound(bound, sizeof(bound), recording);
	info_key("clock");
	printf("%s, %u ticks a millisecond; %s\n", text_clock(recording->clock.id),
	       recording->clock.khz, bound);
	put_info_skew(recording);
	info_debuginfo(pm);
	put_crash_stamp(pm);
	put_info_sections(recording->generation);
	for (i = 0; i < recording->nr_rings; i++)
		put_info_ring(recording, &recording->rings[i]);
	put_klog_info(&recording->klog);
	put_pstore_records(&recording->records);
	put_recording_totals(recording);
	info_guests_text(pm);
	info_damage(&recording->generation->notes, pm->dump);
}
