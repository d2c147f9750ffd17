// SPDX-License-Identifier: GPL-2.0-or-later
#include "recording.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/text.h"

/* Terminated, whatever the file has. */
static void copy_text(char *dst, const char *src, size_t size)
{
	memcpy(dst, src, size);
	dst[size] = 0;
}

static void read_id(struct trace *trace, u32 i, const struct epitaph_event_size *raw)
{
	u32 check = mix_check(trace->region->hdr.salt, raw, 4);

	if (!raw->id && !raw->words && !raw->check)
		return;
	if (!mix_holds(check, le32toh(raw->check)) || le16toh(raw->id) != i) {
		trace->ids.state[i] = ID_DAMAGED;
		notes_add(&trace->region->notes, NOTE_NOWHERE,
			  "the size of event %u is lost", i);
		return;
	}
	trace->ids.state[i] = ID_KNOWN;
	trace->ids.words[i] = le16toh(raw->words);
}

/* Those that the events section tells. */
static void read_told_ids(struct trace *trace)
{
	const struct section *sec = region_section(trace->region, EPITAPH_SEC_EVENTS);
	u64 n = section_entries(sec, sizeof(struct epitaph_event_size));
	struct epitaph_event_size raw;
	u64 i;

	for (i = 0; i < n && i < IDS_MAX; i++) {
		if (region_read(trace->region, sec->off + i * sec->unit, &raw,
				sizeof(raw), NULL) != sizeof(raw))
			break;
		if (i >= EPITAPH_ID_FIRST)
			read_id(trace, i, &raw);
	}
	trace->nr_ids = i;
	if (i >= n && n)
		return;
	notes_add(&trace->region->notes, sec ? sec->off : NOTE_NOWHERE,
		  "the sizes of events from %llu on are lost", i);
	memset(trace->ids.state + i, ID_DAMAGED, IDS_MAX - i);
}

static void read_ids(struct trace *trace)
{
	read_told_ids(trace);
	if (trace->region->hdr.incompat & EPITAPH_INCOMPAT_PACKED)
		ids_of_packed(&trace->ids);
}

static void read_channels(struct trace *trace)
{
	const struct section *sec = region_section(trace->region, EPITAPH_SEC_CHANNELS);
	u64 n = section_entries(sec, sizeof(struct epitaph_channel));
	u64 i;

	for (i = 0; i < n && trace->nr_channels < TRACE_MAX_CHANNELS / 2; i++) {
		struct trace_channel *channel = &trace->channels[trace->nr_channels];
		struct epitaph_channel raw;
		int good = section_entry(trace->region, sec, i, &raw, sizeof(raw));

		if (good == 0)
			continue;
		if (good != 1) {
			notes_add(&trace->region->notes, sec->off + i * sec->unit,
				  "channel %llu is damaged", i);
			continue;
		}
		channel->id = le32toh(raw.id);
		channel->mode = le32toh(raw.mode);
		copy_text(channel->name, raw.name, sizeof(raw.name));
		trace->nr_channels++;
	}
}

static const struct trace_channel *find_channel(const struct trace *trace, u32 id)
{
	static const struct trace_channel unknown = { .name = "?" };
	u32 i;

	for (i = 0; i < trace->nr_channels; i++)
		if (trace->channels[i].id == id)
			return &trace->channels[i];
	return &unknown;
}

static void ring_damage(void *priv, u64 off, const char *why)
{
	struct trace_ring *ring = priv;
	char cpu[TEXT_CPU];

	notes_add(&ring->trace->region->notes, ring->sec->off + off,
		  "ring of %s, sub-buffer %llu: %s", text_cpu(cpu, ring->cpu),
		  (off / ring->sec->unit), why);
}

static bool unit_is_possible(u32 unit)
{
	return unit >= SUB_MIN && unit <= SUB_MAX && !(unit & (unit - 1));
}

static u64 counter(const __le64 *pair, bool *known)
{
	u64 n = le64toh(pair[0]);

	if (le64toh(pair[1]) != ~n)
		*known = false;
	return n;
}

/* Where they are; false: nowhere. */
static bool find_counters(const struct trace *trace, const struct trace_ring *ring, u64 *off)
{
	const struct section *sec = region_section(trace->region, EPITAPH_SEC_COUNTERS);

	if (ring->channel->is_added) {
		*off = ring->channel->counters + ring->sec->index * sizeof(struct epitaph_counters);
		return ring->channel->counters;
	}
	if (ring->sec->index >= section_entries(sec, sizeof(struct epitaph_counters)))
		return false;
	*off = sec->off + (u64)ring->sec->index * sec->unit;
	return true;
}

static void read_counters(struct trace *trace, struct trace_ring *ring)
{
	bool knows_refused = true, knows_full = true;
	struct epitaph_counters raw;
	u64 off;

	if (!find_counters(trace, ring, &off) ||
	    region_read(trace->region, off, &raw, sizeof(raw), NULL) != sizeof(raw))
		return;
	ring->counted = true;
	ring->too_large = counter(&raw.too_large, &ring->counted);
	ring->too_deep = counter(&raw.too_deep, &ring->counted);
	ring->refused = counter(&raw.refused, &knows_refused);
	ring->full = counter(&raw.full, &knows_full);
	if (!knows_refused)
		ring->refused = -1;
	if (!knows_full)
		ring->full = 0;
}

static void take_ring(struct trace *trace, const struct section *sec)
{
	struct trace_ring *ring = &trace->rings[trace->nr_rings];
	char cpu[TEXT_CPU];

	if (!unit_is_possible(sec->unit) || sec->size < sec->unit ||
	    sec->size / sec->unit > ~0U)
		return notes_add(&trace->region->notes, sec->off,
				 "ring of %s: %llu bytes in sub-buffers of %u are not possible",
				 text_cpu(cpu, sec->cpu), sec->size, sec->unit);
	ring->sec = sec;
	ring->trace = trace;
	ring->cpu = sec->cpu;
	ring->channel = find_channel(trace, sec->channel);
	ring->refused = -1;
	ring->rs = (struct region_source){ trace->region, sec };
	ring->scan = (struct scan){
		.src = region_source(&ring->rs), .size = sec->size - sec->size % sec->unit,
		.unit = sec->unit, .salt = trace->region->hdr.salt,
		.ids = &trace->ids, .on_damage = ring_damage, .priv = ring,
		.is_copy = ring->channel->is_copy,
	};
	read_counters(trace, ring);
	trace->nr_rings++;
}

static int read_rings(struct trace *trace, struct err *err)
{
	const struct region *region = trace->region;
	u32 i, n = trace->nr_added;

	for (i = 0; i < region->nr_sections; i++)
		n += region->sections[i].type == EPITAPH_SEC_RING;
	if (n > TRACE_MAX_RINGS) {
		notes_add(&trace->region->notes, NOTE_NOWHERE,
			  "there are %u rings; only %u are read", n, TRACE_MAX_RINGS);
		n = TRACE_MAX_RINGS;
	}
	trace->rings = calloc(n ? n : 1, sizeof(*trace->rings));
	if (!trace->rings)
		return err_sys(err, "memory for %u rings", n);
	for (i = 0; i < region->nr_sections && trace->nr_rings < n; i++)
		if (region->sections[i].type == EPITAPH_SEC_RING)
			take_ring(trace, &region->sections[i]);
	for (i = 0; i < trace->nr_added && trace->nr_rings < n; i++)
		take_ring(trace, &trace->added[i]);
	if (!n)
		notes_add(&trace->region->notes, NOTE_NOWHERE,
			  "there are no rings, for %u CPUs", region->hdr.nr_cpus);
	return 0;
}

static int by_clock(const void *a, const void *b)
{
	const struct trace_mark *x = a, *y = b;

	if (x->clock != y->clock)
		return x->clock < y->clock ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void fill_mark(struct trace_mark *mark, const struct epitaph_mark *raw)
{
	mark->seq = le64toh(raw->seq);
	mark->clock = le64toh(raw->clock);
	mark->real_ns = le64toh(raw->real_ns);
	mark->type = le32toh(raw->type);
	mark->cpu = le32toh(raw->cpu);
	copy_text(mark->text, raw->text, sizeof(raw->text));
}

static int read_marks(struct trace *trace, struct err *err)
{
	const struct section *sec = region_section(trace->region, EPITAPH_SEC_MARKS);
	u64 n = section_entries(sec, sizeof(struct epitaph_mark));
	u64 i;

	trace->marks = calloc(TRACE_MAX_MARKS, sizeof(*trace->marks));
	if (!trace->marks)
		return err_sys(err, "memory for marks");
	for (i = 0; i < n && i < TRACE_MAX_MARKS; i++) {
		struct epitaph_mark raw;
		int good = section_entry(trace->region, sec, i, &raw, sizeof(raw));

		if (good == -2)
			break;
		if (good == 1)
			fill_mark(&trace->marks[trace->nr_marks++], &raw);
		else if (good == -1)
			notes_add(&trace->region->notes, sec->off + i * sec->unit,
				  "mark %llu is damaged", i);
	}
	qsort(trace->marks, trace->nr_marks, sizeof(*trace->marks), by_clock);
	return 0;
}

static void read_crash(struct trace *trace)
{
	const struct section *sec = region_section(trace->region, EPITAPH_SEC_CRASH);
	struct trace_crash *crash = &trace->crash;
	struct epitaph_crash raw;
	int good = section_entry(trace->region, sec, 0, &raw, sizeof(raw));

	if (good == -1)
		notes_add(&trace->region->notes, sec->off, "the crash stamp is damaged");
	if (good != 1)
		return;
	crash->known = true;
	crash->clock = le64toh(raw.clock);
	crash->mono_ns = le64toh(raw.mono_ns);
	crash->real_ns = le64toh(raw.real_ns);
	crash->cpu = le32toh(raw.cpu);
	crash->pid = le32toh(raw.pid);
	copy_text(crash->comm, raw.comm, sizeof(raw.comm));
	copy_text(crash->reason, raw.reason, sizeof(raw.reason));
}

/* A format is written before the size: no id has the one without the other. */
static void check_formats_there(struct trace *trace)
{
	u32 i, lacking = 0;

	for (i = EPITAPH_ID_FIRST; i < trace->nr_ids; i++)
		lacking += trace->ids.state[i] == ID_KNOWN &&
			   !formats_has(trace->formats, i);
	if (lacking && !formats_incomplete(trace->formats))
		notes_add(&trace->region->notes, NOTE_NOWHERE,
			  "event formats: those of %u events are lost", lacking);
}

static int read_parts(struct trace *trace, struct err *err)
{
	int ret;

	read_ids(trace);
	read_channels(trace);
	read_crash(trace);
	fate_read(&trace->fate, trace->region);
	ret = read_marks(trace, err);
	if (!ret)
		ret = trace_read_added(trace, err);
	if (!ret)
		ret = read_rings(trace, err);
	if (!ret)
		ret = clock_read(&trace->clock, trace->region, err);
	if (!ret)
		ret = formats_read(&trace->formats, trace->region, err);
	if (!ret)
		check_formats_there(trace);
	if (!ret)
		ret = symbols_read(&trace->symbols, trace->region, trace->formats, err);
	if (!ret)
		ret = tasks_new(&trace->tasks, trace->region, err);
	if (!ret)
		ret = klog_read(&trace->klog, trace->region, err);
	if (!ret)
		ret = mces_read(&trace->mces, trace->region, &trace->clock, &trace->klog, err);
	if (!ret)
		ret = records_read(&trace->records, trace->region, err);
	return ret;
}

int trace_open(struct trace **ret_trace, struct region *region, struct err *err)
{
	struct trace *trace = calloc(1, sizeof(*trace));
	int ret;

	if (!trace)
		return err_sys(err, "memory");
	trace->region = region;
	ret = read_parts(trace, err);
	if (ret) {
		trace_close(trace);
		return ret;
	}
	*ret_trace = trace;
	return 0;
}

bool trace_read_mark(const struct trace *trace, u64 seq, struct trace_mark *mark)
{
	const struct section *sec = region_section(trace->region, EPITAPH_SEC_MARKS);
	u64 n = section_entries(sec, sizeof(struct epitaph_mark));
	struct epitaph_mark raw;

	if (!n || section_entry(trace->region, sec, (seq - 1) % n, &raw, sizeof(raw)) != 1 ||
	    le64toh(raw.seq) < seq)
		return false;
	fill_mark(mark, &raw);
	return true;
}

int trace_more(struct trace *trace, struct err *err)
{
	struct clock clock;
	struct symbols *symbols;
	int ret = clock_read(&clock, trace->region, err);

	if (ret) {
		clock_free(&clock);
		return ret;
	}
	clock_free(&trace->clock);
	trace->clock = clock;
	read_ids(trace);
	formats_more(trace->formats, trace->region);
	ret = symbols_read(&symbols, trace->region, trace->formats, err);
	if (ret)
		return ret;
	symbols_free(trace->symbols);
	trace->symbols = symbols;
	return 0;
}

int trace_extras(const struct trace *trace, struct extras *extras, struct err *err)
{
	int ret = klog_add(&trace->klog, extras, err);

	return ret ? ret : mces_place(&trace->mces, extras, err);
}

void trace_close(struct trace *trace)
{
	u32 i;

	if (!trace)
		return;
	for (i = 0; i < trace->nr_rings; i++)
		scan_free(&trace->rings[i].scan);
	free(trace->rings);
	free(trace->added);
	free(trace->marks);
	clock_free(&trace->clock);
	formats_free(trace->formats);
	symbols_free(trace->symbols);
	tasks_free(trace->tasks);
	mces_free(&trace->mces);
	klog_free(&trace->klog);
	records_free(&trace->records);
	free(trace);
}
