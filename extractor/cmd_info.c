// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "json.h"
#include "text.h"

static const char *const section_names[] = {
	NULL, "channels", "event sizes", "event formats", "clock anchors", "task names",
	"symbols", "counters", "marks", "crash stamp", "CPUs", "ring",
};

static const char *section_name(u32 type)
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

static void put_origin(const struct opened *o, const char *path)
{
	const struct region *region = o->trace->region;
	const struct epitaph_header *hdr = &region->hdr;
	char size[32];

	line("file");
	text_put(stdout, path, strlen(path));
	printf(": %s\n", input_kind(o->in));
	text_size(size, sizeof(size), hdr->gen_size);
	line("region");
	printf("%u generation%s of %s at 0x%llx, recorded at 0x%llx%s\n", hdr->nr_gens,
	       hdr->nr_gens == 1 ? "" : "s", size, region_start(region),
	       (u64)hdr->phys_addr, region->from_copy ? ", by the copy of its header" : "");
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

static void put_generations(const struct opened *o)
{
	char date[64];
	u32 i;

	for (i = 0; i < o->regions->nr; i++) {
		const struct region *region = &o->regions->gen[i];

		text_date(date, sizeof(date), region->hdr.start_real_ns);
		line("generation");
		printf("%u: began %s%s\n", region->hdr.gen_index, date,
		       region == o->trace->region ? "" : "; not the newest, not shown");
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

static void put_crash(const struct trace *trace)
{
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
	text_put(stdout, crash->reason, sizeof(crash->reason));
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
		printf("%s at 0x%llx, %s", section_name(sec->type), sec->off, size);
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
	char from[40];

	line("ring");
	printf("CPU %u, channel ", ring->cpu);
	text_put(stdout, ring->channel->name, sizeof(ring->channel->name));
	printf(" (%s): %llu events in %u of %llu sub-buffers",
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
	if (ring->counted)
		printf("; ever: %llu too large, %llu nested too deep\n", ring->too_large,
		       ring->too_deep);
	else
		puts("; the counters are lost");
}

static void put_totals(const struct trace *trace)
{
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
	for (i = 0; i < trace->region->notes.nr && i < NOTES_MAX; i++) {
		line("damage");
		puts(trace->region->notes.list[i].text);
	}
	if (trace->region->notes.nr > NOTES_MAX) {
		line("damage");
		printf("and %llu things more\n", trace->region->notes.nr - NOTES_MAX);
	}
}

static void put_text(const struct opened *o, const char *path)
{
	const struct trace *trace = o->trace;
	u32 i;

	put_origin(o, path);
	put_kernel(&trace->region->hdr);
	put_generations(o);
	put_clock(trace);
	put_crash(trace);
	put_sections(trace->region);
	for (i = 0; i < trace->nr_rings; i++)
		put_ring(trace, &trace->rings[i]);
	put_totals(trace);
}

static void json_ring(struct json *j, const struct trace *trace,
		      const struct trace_ring *ring)
{
	const struct scan *scan = &ring->scan;

	json_open(j, NULL, '{');
	json_u64(j, "cpu", ring->cpu);
	json_str(j, "channel", ring->channel->name);
	json_u64(j, "events", scan->nr_events);
	json_u64(j, "sub_buffers", scan->size / scan->unit);
	json_u64(j, "sub_buffers_in_use", scan->nr_subs);
	if (scan->complete)
		json_u64(j, "horizon_ns", trace_mono(trace, scan->horizon));
	else
		json_null(j, "horizon_ns");
	json_bool(j, "from_the_start", scan->whole);
	json_u64(j, "unfinished", scan->nr_torn);
	json_u64(j, "never_begun", scan->nr_taken);
	json_u64(j, "without_sum", scan->nr_unproven);
	json_u64(j, "damaged", scan->nr_damaged + scan->nr_lost_subs);
	json_u64(j, "missing", scan->nr_missing);
	json_u64(j, "withheld", scan->nr_withheld);
	json_u64(j, "lost", scan->lost_last - scan->lost_first);
	if (ring->counted) {
		json_u64(j, "too_large", ring->too_large);
		json_u64(j, "too_deep", ring->too_deep);
	} else {
		json_null(j, "too_large");
		json_null(j, "too_deep");
	}
	json_close(j, '}');
}

static void json_field(struct json *j, const char *key, const char *text, size_t size)
{
	json_text(j, key, text, strnlen(text, size));
}

static void json_origin(struct json *j, const struct opened *o, const char *path)
{
	const struct region *region = o->trace->region;
	const struct epitaph_header *hdr = &region->hdr;
	char id[40];

	json_str(j, "file", path);
	json_str(j, "container", input_kind(o->in));
	json_u64(j, "address", region_start(region));
	json_u64(j, "recorded_at", hdr->phys_addr);
	json_u64(j, "generation_size", hdr->gen_size);
	json_bool(j, "header_copy_used", region->from_copy);
	json_u64(j, "major", hdr->major);
	json_u64(j, "minor", hdr->minor);
	json_field(j, "recorder", hdr->recorder, sizeof(hdr->recorder));
	json_field(j, "kernel", hdr->release, sizeof(hdr->release));
	json_field(j, "kernel_version", hdr->version, sizeof(hdr->version));
	json_str(j, "machine", text_machine(hdr->machine));
	json_bool(j, "big_endian", hdr->byte_order == EPITAPH_BIG_ENDIAN);
	json_u64(j, "cpus", hdr->nr_cpus);
	text_uuid(id, sizeof(id), hdr->boot_id);
	json_str(j, "boot_id", id);
}

static void json_generations(struct json *j, const struct opened *o)
{
	u32 i;

	json_open(j, "generations", '[');
	for (i = 0; i < o->regions->nr; i++) {
		const struct region *region = &o->regions->gen[i];

		json_open(j, NULL, '{');
		json_u64(j, "index", region->hdr.gen_index);
		json_u64(j, "start_wall_ns", region->hdr.start_real_ns);
		json_bool(j, "newest", region == o->trace->region);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_crash(struct json *j, const struct trace *trace)
{
	const struct trace_crash *crash = &trace->crash;

	if (!crash->known)
		return json_null(j, "crash");
	json_open(j, "crash", '{');
	json_u64(j, "ts_ns", clock_mono(&trace->clock, crash->clock));
	json_u64(j, "wall_ns", crash->real_ns);
	json_u64(j, "cpu", crash->cpu);
	json_u64(j, "pid", crash->pid);
	json_str(j, "comm", crash->comm);
	json_str(j, "reason", crash->reason);
	json_close(j, '}');
}

static void put_json(const struct opened *o, const char *path)
{
	const struct trace *trace = o->trace;
	struct json j = { .f = stdout };
	u32 i;

	json_open(&j, NULL, '{');
	json_origin(&j, o, path);
	json_generations(&j, o);
	json_open(&j, "clock", '{');
	json_str(&j, "name", text_clock(trace->clock.id));
	json_u64(&j, "khz", trace->clock.khz);
	json_u64(&j, "unit_ns", clock_units_ns(&trace->clock, 1));
	json_u64(&j, "anchors", trace->clock.from_header ? 0 : trace->clock.nr);
	if (trace->clock.from_header)
		json_null(&j, "bound_ns");
	else
		json_u64(&j, "bound_ns", trace->clock.bound_ns);
	json_close(&j, '}');
	json_crash(&j, trace);
	json_open(&j, "rings", '[');
	for (i = 0; i < trace->nr_rings; i++)
		json_ring(&j, trace, &trace->rings[i]);
	json_close(&j, ']');
	json_u64(&j, "events", trace->total.events);
	json_u64(&j, "formats", formats_nr(trace->formats));
	json_u64(&j, "marks", trace->nr_marks);
	json_u64(&j, "lost", trace->total.lost);
	json_u64(&j, "damage_notes", trace->region->notes.nr);
	json_close(&j, '}');
	json_end(&j);
}

static int info_file(const char *path, bool json)
{
	struct err err = ERR_INIT;
	struct opened o;
	int status;

	if (opened_open(&o, path, &err) || trace_scan(o.trace, &err)) {
		status = cmd_fail("info", &err);
	} else {
		formats_check(o.trace->formats);
		opened_note_input(&o);
		if (json)
			put_json(&o, path);
		else
			put_text(&o, path);
		status = opened_status(&o, "info", path);
	}
	opened_close(&o);
	return status;
}

int cmd_info(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ 0 },
	};
	int status = ERR_OK;
	bool json = false;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt != 'j')
			return cmd_usage("info");
		json = true;
	}
	if (optind == argc)
		return cmd_usage("info");
	for (; optind < argc; optind++)
		status = cmd_worse(status, info_file(argv[optind], json));
	return cmd_worse(status, cmd_flush("info"));
}
