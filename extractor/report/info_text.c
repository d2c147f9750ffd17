// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "recording/clock_text.h"
#include "region/outcome.h"
#include "info.h"

static const char *const section_names[] = {
	NULL, "channels", "event sizes", "event formats", "clock anchors", "task names",
	"symbols", "counters", "marks", "crash stamp", "CPUs", "ring", "taken marks",
	"kernel log", "machine checks", "pstore records", "added channels", "pool",
};

const char *info_section_name(u32 type)
{
	static char other[32];

	if (type && type < ARRAY_SIZE(section_names))
		return section_names[type];
	snprintf(other, sizeof(other), "unknown (type %u)", type);
	return other;
}

static void line(const char *key)
{
	printf("%-12s ", key);
}

/* What the container lacks, where nothing of ours is affected: else it is noted. */
static void put_container(const struct account *account)
{
	const char *words;
	size_t i;

	for (i = 0; !account->trace->region->notes.nr && (words = input_damage(account->in, i)); i++) {
		line("");
		printf("%s; nothing of the region is affected\n", words);
	}
}

static void put_memory(const struct epitaph_header *hdr)
{
	static const char *const kinds[] = {
		NULL, "memmap=", "reserve_mem=: it may move from boot to boot",
		"allocated at load: it outlives no reset",
	};

	if (hdr->memory >= ARRAY_SIZE(kinds))
		printf(", memory of unknown kind %u", hdr->memory);
	else if (hdr->memory)
		printf(", %s", kinds[hdr->memory]);
}

static void put_origin(const struct account *account, const char *path)
{
	const struct region *region = account->trace->region;
	const struct epitaph_header *hdr = &region->hdr;
	char size[32];

	line("file");
	text_put(stdout, path, strlen(path));
	printf(": %s\n", input_kind(account->in));
	put_container(account);
	text_size(size, sizeof(size), hdr->gen_size);
	line("region");
	printf("%u generation%s of %s at 0x%llx, recorded at 0x%llx", hdr->nr_gens,
	       hdr->nr_gens == 1 ? "" : "s", size, account->regions->start, (u64)hdr->phys_addr);
	put_memory(hdr);
	putchar('\n');
	line("format");
	printf("%u.%u, recorder ", hdr->major, hdr->minor);
	text_put(stdout, hdr->recorder, sizeof(hdr->recorder));
	putchar('\n');
}

static void put_kernel(const struct epitaph_header *hdr)
{
	char buf[80];

	line("kernel");
	text_put(stdout, hdr->release, sizeof(hdr->release));
	putchar(' ');
	text_put(stdout, hdr->version, sizeof(hdr->version));
	printf(", %s, %s-endian, %u CPU%s\n", text_machine(hdr->machine),
	       hdr->byte_order == EPITAPH_BIG_ENDIAN ? "big" : "little", hdr->nr_cpus,
	       hdr->nr_cpus == 1 ? "" : "s");
	line("boot");
	text_uuid(buf, sizeof(buf), hdr->boot_id);
	fputs(buf, stdout);
	if (hdr->build_id_size && hdr->build_id_size <= sizeof(hdr->build_id)) {
		text_hex(buf, sizeof(buf), hdr->build_id, hdr->build_id_size);
		printf(", build id %s", buf);
	}
	printf(", KASLR offset 0x%llx\n", (u64)hdr->kaslr_offset);
}

static void put_generation(const struct region *region, bool is_this)
{
	char date[64], words[800];
	struct fate fate;

	fate_read(&fate, region);
	fate_words(words, sizeof(words), &fate);
	text_date(date, sizeof(date), region->hdr.start_real_ns);
	line("generation");
	if (region->hdr.number)
		printf("%llu", (u64)region->hdr.number);
	else
		fputs("unnumbered", stdout);
	printf(" at 0x%llx%s: began %s, %s", region->base, is_this ? " (this one)" : "",
	       date, words);
	if (region->from_copy)
		fputs("; by the copy of its header", stdout);
	putchar('\n');
}

static void put_generations(const struct account *account)
{
	const struct epitaph_header *hdr = &account->trace->region->hdr;
	u32 i;

	for (i = 0; i < account->regions->nr; i++)
		put_generation(&account->regions->gen[i],
			       &account->regions->gen[i] == account->trace->region);
	if (account->regions->alone) {
		line("");
		printf("from place %u of %u, without what else the region held\n",
		       hdr->gen_index, hdr->nr_gens);
	}
	if (account->regions->nr_overwritten) {
		line("");
		printf("and %u whose place is in part another's by now\n",
		       account->regions->nr_overwritten);
	}
	if (hdr->lost_gens) {
		line("lost");
		printf("%u generation%s overwritten though nobody had %s, last number %llu\n",
		       hdr->lost_gens, hdr->lost_gens == 1 ? " was" : "s were",
		       hdr->lost_gens == 1 ? "it" : "them", (u64)hdr->lost_number);
	}
}

static void put_clock(const struct trace *trace)
{
	char bound[200];

	text_bound(bound, sizeof(bound), trace);
	line("clock");
	printf("%s, %u ticks a millisecond; %s\n", text_clock(trace->clock.id),
	       trace->clock.khz, bound);
}

static void put_debuginfo(const struct account *account)
{
	if (!account->debuginfo)
		return;
	line("debuginfo");
	puts(debuginfo_path(account->debuginfo));
}

static void put_crash(const struct account *account)
{
	const struct trace *trace = account->trace;
	const struct trace_crash *crash = &trace->crash;
	char date[64];

	line("crash");
	if (!crash->known) {
		puts("no stamp");
		return;
	}
	text_date(date, sizeof(date), crash->real_ns);
	printf("%s on CPU %u, task ", date, crash->cpu);
	text_put(stdout, crash->comm, sizeof(crash->comm));
	printf("-%u: ", crash->pid);
	debuginfo_put_text(account->debuginfo, stdout, crash->reason, sizeof(crash->reason), false);
	putchar('\n');
}

static void put_sections(const struct region *region)
{
	char size[32];
	u32 i;

	for (i = 0; i < region->nr_sections; i++) {
		const struct section *sec = &region->sections[i];

		text_size(size, sizeof(size), sec->size);
		line("section");
		printf("%s at 0x%llx, %s", info_section_name(sec->type), sec->off, size);
		if (sec->cpu != EPITAPH_NO_CPU)
			printf(", CPU %u", sec->cpu);
		putchar('\n');
	}
}

static void seconds_of(const struct trace *trace, char *buf, size_t size, u64 time)
{
	text_seconds(buf, size, trace_mono(trace, time), true);
}

static void put_ring(const struct trace *trace, const struct trace_ring *ring)
{
	const struct scan *scan = &ring->scan;
	char from[40], cpu[TEXT_CPU];

	line("ring");
	printf("%s, channel ", text_cpu(cpu, ring->cpu));
	text_put(stdout, ring->channel->name, sizeof(ring->channel->name));
	printf(" (%s): %llu events in %u of %llu sub-buffers",
	       ring->channel->is_copy ? "copy" :
	       ring->channel->mode == EPITAPH_STOP ? "stop" : "overwrite",
	       scan->nr_events, scan->nr_subs, scan->size / scan->unit);
	if (scan->complete) {
		seconds_of(trace, from, sizeof(from), scan->horizon);
		printf("; complete from %s%s", from,
		       scan->whole ? ", the start of recording" : "");
	}
	putchar('\n');
	line("");
	printf("%u unfinished, %u never begun, %u without a sum; %u sub-buffers damaged, %u not in the file; dropped since the horizon: %llu",
	       scan->nr_torn, scan->nr_taken, scan->nr_unproven, scan->nr_damaged + scan->nr_lost_subs,
	       scan->nr_missing, scan->lost_last - scan->lost_first);
	if (ring->full)
		printf("; came when it was full: %llu", ring->full);
	if (ring->again)
		printf("; sub-buffers told already: %u", ring->again);
	if (ring->refused > 0)
		printf("; refused: %lld", ring->refused);
	if (ring->counted)
		printf("; ever: %llu too large, %llu nested too deep\n", ring->too_large,
		       ring->too_deep);
	else
		puts(ring->channel->is_copy ? "" : "; the counters are lost");
}

/* No ring that holds something has overwritten something. */
static bool is_whole(const struct trace *trace)
{
	u32 i;

	for (i = 0; i < trace->nr_rings; i++)
		if (trace->rings[i].scan.nr_subs && !trace->rings[i].scan.whole)
			return false;
	return true;
}

/* CLOCK_MONOTONIC begins with the kernel. */
static void put_start(const struct trace *trace)
{
	char start[40], first[40];

	text_seconds(start, sizeof(start), trace->region->hdr.start_mono_ns, true);
	line("start");
	printf("recording began %s s after the kernel did", start);
	if (trace->total.any) {
		seconds_of(trace, first, sizeof(first), trace->total.first);
		printf("; %s event is at %s",
		       is_whole(trace) ? "the first" : "the oldest kept", first);
	}
	putchar('\n');
}

static void put_log(const struct klog *klog)
{
	char first[40], last[40];

	if (!klog->there)
		return;
	line("kernel log");
	printf("%u lines from before recording began", klog->nr);
	if (klog->nr) {
		text_seconds(first, sizeof(first), klog->lines[0].mono_ns, true);
		text_seconds(last, sizeof(last), klog->lines[klog->nr - 1].mono_ns, true);
		printf(", from %s to %s", first, last);
	}
	puts(klog->is_cut ? "; older ones found no room" : "");
}

static void put_records(const struct records *records)
{
	u32 i;

	for (i = 0; i < records->nr; i++) {
		const struct record *record = &records->list[i];

		line("record");
		printf("of pstore's: %s, dump %u, part %u, %u bytes%s\n",
		       record_reason(record->reason), record->count, record->part, record->size,
		       record->packed ? ", compressed" : "");
	}
	if (records->evicted) {
		line("record");
		printf("and %llu overwritten by later ones\n", records->evicted);
	}
}

static void put_totals(const struct account *account)
{
	const struct trace *trace = account->trace;
	char first[40], last[40];
	u64 i;

	line("events");
	printf("%llu", trace->total.events);
	if (trace->total.any) {
		seconds_of(trace, first, sizeof(first), trace->total.first);
		seconds_of(trace, last, sizeof(last), trace->total.last);
		printf(" from %s to %s", first, last);
	}
	printf("; %u formats, %u symbols, %u marks\n", formats_nr(trace->formats),
	       symbols_nr(trace->symbols), trace->nr_marks);
	for (i = 0; i < trace->region->notes.kept; i++) {
		line("damage");
		puts(trace->region->notes.list[i].text);
	}
	/* What the file lacks where the trace is not: else it is among the notes. */
	for (i = 0; !trace->region->notes.nr && input_damage(account->in, i); i++) {
		line("file lacks");
		puts(input_damage(account->in, i));
	}
	if (trace->region->notes.nr > trace->region->notes.kept) {
		line("damage");
		printf("and %llu things more\n", trace->region->notes.nr - trace->region->notes.kept);
	}
}

void info_text(const struct account *account, const char *path)
{
	const struct trace *trace = account->trace;
	u32 i;

	put_origin(account, path);
	put_kernel(&trace->region->hdr);
	put_generations(account);
	put_start(trace);
	put_clock(trace);
	put_debuginfo(account);
	put_crash(account);
	put_sections(trace->region);
	for (i = 0; i < trace->nr_rings; i++)
		put_ring(trace, &trace->rings[i]);
	put_log(&trace->klog);
	put_records(&trace->records);
	put_totals(account);
}
