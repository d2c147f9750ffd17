// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring_walk.h"

#include <string.h>

#include "base/byte_reader.h"

struct entry *ring_walk_stand(struct ring_walk *walk, enum entry_kind kind, u64 raw)
{
	struct entry *entry = &walk->stream.head;

	*entry = walk->blank;
	entry->kind = kind;
	entry->raw = raw;
	entry->time = trace_mono(walk->trace, raw);
	return entry;
}

/* A ring of all CPUs: the event says where. */
static void find_cpu(struct ring_walk *walk)
{
	struct entry *entry = &walk->stream.head;
	const struct format *format = formats_get(walk->stream.formats, entry->id);
	struct bytes payload = bytes_of(entry->payload, entry->size, walk->stream.order);
	s64 cpu = format->cpu ? format_number(format->cpu, &payload) : -1;

	if (cpu >= 0 && cpu < walk->trace->region->hdr.nr_cpus)
		entry->cpu = cpu;
}

/*
 * An event that happened before its format was in the region: id, ftrace's number, and where
 * the bytes are.  It is one as others if the format came, and stays what it is if not.
 */
static void unwrap_early(struct ring_walk *walk, const struct tep_format_field *early)
{
	struct entry *entry = &walk->stream.head;
	struct formats *formats = walk->stream.formats;
	struct bytes payload = bytes_of(entry->payload, entry->size, walk->stream.order);
	s64 id = format_number(early, &payload);
	u32 size, at;

	if (id < EPITAPH_ID_FIRST || !bytes_has(&payload, 8, 4) || !formats_has(formats, id))
		return;
	size = bytes_u32(&payload, 8) >> 16;
	at = (bytes_u32(&payload, 8) & 0xffff) - FORMATS_COMMON;
	if (formats_get(formats, id)->early || at != 12 || !bytes_has(&payload, at, size))
		return;
	entry->id = id;
	entry->payload = (const u8 *)entry->payload + at;
	entry->size = size;
}

/* One of EPITAPH_ID_PACKED, with a format that says so. */
static void give_unknown(struct ring_walk *walk, u32 number)
{
	struct entry *entry = &walk->stream.head;
	bool big = walk->stream.order == ORDER_BIG;

	memset(walk->unpacked, 0, 4);
	walk->unpacked[big] = number;
	walk->unpacked[!big] = number >> 8;
	entry->id = EPITAPH_ID_PACKED;
	entry->payload = walk->unpacked;
	entry->size = 4;
	/* It may have been a switch. */
	walk->pid = -1;
}

/* The event that a packed or small one is. */
static void unpack(struct ring_walk *walk)
{
	struct entry *entry = &walk->stream.head;
	bool small = id_is_small(entry->id);
	u32 number = small ? entry->id : *(const u8 *)entry->payload;
	const struct packing *packing = formats_packing(walk->stream.formats, number);

	if (small ? !unpack_small(packing, walk->stream.order, walk->unpacked) :
		    !unpack_event(packing, &walk->slots, walk->stream.order, entry->payload,
				  entry->size, walk->unpacked)) {
		give_unknown(walk, number);
		return;
	}
	entry->id = packing->id;
	entry->payload = walk->unpacked;
	entry->size = (packing->size + 3) & ~3U;
}

/* Who runs after this event; the event itself is still the one before's. */
static void follow_pid(struct ring_walk *walk, const struct format *format)
{
	struct entry *entry = &walk->stream.head;
	struct bytes payload;

	if (!format->name) {
		/* It may have been a switch. */
		walk->pid = -1;
		return;
	}
	if (!format->is_switch)
		return;
	if (format->nr_comms < 2) {
		walk->pid = -1;
		return;
	}
	payload = bytes_of(entry->payload, entry->size, walk->stream.order);
	if (entry->pid < 0)
		entry->pid = format_number(format->comms[0].pid, &payload);
	walk->pid = format_number(format->comms[1].pid, &payload);
}

static void give_event(struct ring_walk *walk, const struct sub_event *ev)
{
	struct entry *entry = ring_walk_stand(walk, ENTRY_EVENT, ev->time);
	const struct format *format;

	entry->id = ev->id;
	entry->pid = walk->pid;
	entry->marks = walk->marks;
	entry->nr_lost = walk->nr_lost;
	entry->nr_lapped = walk->nr_lapped;
	entry->payload = walk->data + ev->off + ev->before * 4;
	entry->size = (ev->words - ev->before) * 4;
	if (walk->damaged)
		entry->marks |= ENTRY_IN_DAMAGED;
	if (ev->unproven)
		entry->marks |= ENTRY_UNPROVEN;
	if (ev->doubtful)
		entry->marks |= ENTRY_UNCERTAIN;
	walk->marks = 0;
	walk->nr_lost = 0;
	walk->nr_lapped = 0;
	if (walk->trace->ids.state[entry->id] == ID_EMPTY || id_is_packed(entry->id))
		unpack(walk);
	format = formats_get(walk->stream.formats, entry->id);
	if (format->early) {
		unwrap_early(walk, format->early);
		format = formats_get(walk->stream.formats, entry->id);
	}
	if (entry->cpu == NO_CPU)
		find_cpu(walk);
	follow_pid(walk, format);
}

static void take_pid(struct ring_walk *walk, const struct sub_event *ev)
{
	struct bytes b = bytes_of(walk->data, walk->unit, ORDER_LITTLE);

	walk->pid = bytes_u32(&b, ev->off + ev->before * 4);
}

bool ring_walk_next(struct ring_walk *walk)
{
	struct sub_event ev;

	for (;;) {
		sub_next(&walk->sub, walk->data, &walk->at, &walk->trace->ids, &ev);
		if (ev.kind == SUB_END || ev.kind == SUB_BROKEN)
			return false;
		if (ev.kind != SUB_COMMITTED) {
			ring_walk_stand(walk, ENTRY_TORN, ev.time)->size = ev.words * 4;
			return true;
		}
		if (!ev.is_silent) {
			give_event(walk, &ev);
			return true;
		}
		if (ev.id == EPITAPH_ID_PID)
			take_pid(walk, &ev);
		else if (!id_is_packed(ev.id))
			unpack_learn(&walk->slots, ev.id, ev.off + ev.before * 4);
	}
}

void ring_walk_enter(struct ring_walk *walk)
{
	walk->pid = walk->sub.pid;
	walk->at = sub_begin(&walk->sub);
	unpack_forget(&walk->slots, walk->data);
}

u64 ring_walk_real(const struct stream *stream, const struct entry *entry)
{
	const struct clock *clock = &((const struct ring_walk *)stream)->trace->clock;

	return clock_real(clock, clock_of_time(clock, entry->raw));
}

u64 ring_walk_bound(const struct stream *stream, u64 time)
{
	(void)time;
	return ((const struct ring_walk *)stream)->trace->clock.bound_ns;
}

void ring_walk_init(struct ring_walk *walk, const struct stream_ops *ops,
		    const struct trace *trace, const char *channel, u32 cpu, u32 unit)
{
	walk->trace = trace;
	walk->unit = unit;
	walk->stream = (struct stream){
		.ops = ops, .channel = channel, .cpu = cpu,
		.order = trace->region->hdr.byte_order == EPITAPH_BIG_ENDIAN ?
			 ORDER_BIG : ORDER_LITTLE,
		.clock = STREAM_RECORDER,
		.doubt = clock_units_ns(&trace->clock, clock_doubt(&trace->clock)),
		.formats = trace->formats,
	};
	walk->blank = (struct entry){
		.stream = &walk->stream, .cpu = cpu, .pid = -1, .flags = ENTRY_NO_FLAGS,
	};
}
