// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring_walk.h"

#include <string.h>

#include "base/byte_reader.h"

static void set_item_time(const struct ring_walk *walk, struct item *item, u64 raw)
{
	const struct clock *clock = &walk->recording->clock;
	u64 own = clock_of_time(clock, raw), value = clock_on_reference(clock, item->cpu, own);

	item->raw = value >> clock->shift;
	item->time = clock_mono(clock, value);
	item->skew = clock_skew_bound(clock, item->cpu, own);
}

struct item *ring_walk_stand(struct ring_walk *walk, enum item_kind kind, u64 raw)
{
	struct item *item = &walk->stream.head;

	*item = walk->blank;
	item->kind = kind;
	set_item_time(walk, item, raw);
	return item;
}

/*
 * An event that happened before its format was in the region contains the bytes of another
 * event. It becomes that event if the format came later, and stays as it is otherwise.
 */
static void unwrap_early_event(struct ring_walk *walk, const struct layout_field *early)
{
	struct item *item = &walk->stream.head;
	struct formats *formats = walk->stream.formats;
	struct bytes payload = bytes_of(item->payload, item->size, walk->stream.order);
	s64 id = layout_field_number(early, &payload);
	u32 size, at;

	if (id < EPITAPH_ID_FIRST || !bytes_has(&payload, 8, 4) || !formats_has(formats, id))
		return;
	size = bytes_u32(&payload, 8) >> 16;
	at = (bytes_u32(&payload, 8) & 0xffff) - FORMATS_COMMON;
	if (formats_get(formats, id)->early || at != 12 || !bytes_has(&payload, at, size))
		return;
	item->id = id;
	item->payload = (const u8 *)item->payload + at;
	item->size = size;
}

/* Replaces a packed or small event by the event that it encodes. */
static void unpack_event(struct ring_walk *walk)
{
	struct item *item = &walk->stream.head;
	bool small = id_is_small(item->id);
	u32 number = small ? item->id : *(const u8 *)item->payload;
	const struct packed_layout *packing = formats_packing(walk->stream.formats, number);

	if (small ? !packed_decode_small(packing, walk->stream.order, walk->unpacked) :
		    !packed_decode_event(packing, &walk->slots, walk->stream.order, item->payload,
					 item->size, walk->unpacked)) {
		bool big = walk->stream.order == ORDER_BIG;

		/* It becomes an EPITAPH_ID_PACKED, whose format has only the number. */
		memset(walk->unpacked, 0, 4);
		walk->unpacked[big] = number;
		walk->unpacked[!big] = number >> 8;
		item->id = EPITAPH_ID_PACKED;
		item->payload = walk->unpacked;
		item->size = 4;
		/* The event may be a switch. */
		walk->pid = -1;
		return;
	}
	item->id = packing->id;
	item->payload = walk->unpacked;
	item->size = (packing->size + 3) & ~3U;
}

/* Were its bytes repaired, or the header that proves it? */
static bool was_repaired(const struct ring_walk *walk, const struct subbuf_event *ev)
{
	return walk->raw && (memcmp(walk->raw, walk->data, sizeof(struct epitaph_sub)) ||
			     memcmp(walk->raw + ev->off, walk->data + ev->off, ev->words * 4));
}

static void set_event_item(struct ring_walk *walk, const struct subbuf_event *ev)
{
	struct item *item = ring_walk_stand(walk, ITEM_EVENT, ev->time);
	const struct format *format;
	struct bytes payload;
	s64 cpu;

	item->id = ev->id;
	item->pid = walk->owner ? walk->owner->pid : walk->pid;
	item->comm = walk->owner ? walk->owner->comm : NULL;
	item->marks = walk->marks;
	item->nr_lost = walk->nr_lost;
	item->nr_lapped = walk->nr_lapped;
	item->payload = walk->data + ev->off + ev->before * 4;
	item->size = (ev->words - ev->before) * 4;
	if (walk->damaged)
		item->marks |= ITEM_IN_DAMAGED;
	if (ev->unproven)
		item->marks |= ITEM_UNPROVEN;
	if (was_repaired(walk, ev))
		item->marks |= ITEM_REPAIRED;
	if (ev->doubtful)
		item->marks |= ITEM_UNCERTAIN;
	walk->marks = 0;
	walk->nr_lost = 0;
	walk->nr_lapped = 0;
	if (walk->ids->state[item->id] == ID_EMPTY || id_is_packed(item->id))
		unpack_event(walk);
	format = formats_get(walk->stream.formats, item->id);
	if (format->early) {
		unwrap_early_event(walk, format->early);
		format = formats_get(walk->stream.formats, item->id);
	}
	payload = bytes_of(item->payload, item->size, walk->stream.order);
	/* The event itself has the CPU, in a ring of all CPUs. */
	if (item->cpu == NO_CPU && format->cpu) {
		cpu = layout_field_number(format->cpu, &payload);
		if (cpu >= 0 && cpu < walk->recording->generation->hdr.nr_cpus)
			item->cpu = cpu;
		set_item_time(walk, item, ev->time);
	}
	/* The thread that runs after this event; the event itself belongs to the one before. */
	if (format->is_switch && format->nr_comms >= 2) {
		if (item->pid < 0)
			item->pid = layout_field_number(format->comms[0].pid, &payload);
		walk->pid = layout_field_number(format->comms[1].pid, &payload);
	} else if (format->is_switch || !format->name) {
		walk->pid = -1;
	}
}

bool ring_walk_next(struct ring_walk *walk)
{
	struct bytes b = bytes_of(walk->data, walk->unit, ORDER_LITTLE);
	struct subbuf_event ev;

	for (;;) {
		subbuf_next(&walk->sub, walk->data, &walk->at, walk->ids, &ev);
		if (ev.kind == SUBBUF_END || ev.kind == SUBBUF_BROKEN)
			return false;
		if (ev.kind != SUBBUF_COMMITTED) {
			ring_walk_stand(walk, ITEM_TORN, ev.time)->size = ev.words * 4;
			return true;
		}
		if (!ev.is_silent) {
			set_event_item(walk, &ev);
			return true;
		}
		if (ev.id == EPITAPH_ID_PID)
			walk->pid = bytes_u32(&b, ev.off + ev.before * 4);
		else if (!id_is_packed(ev.id))
			packed_decode_learn(&walk->slots, ev.id, ev.off + ev.before * 4);
	}
}

void ring_walk_enter(struct ring_walk *walk)
{
	walk->pid = walk->sub.pid;
	walk->at = subbuf_begin(&walk->sub);
	packed_decode_forget(&walk->slots, walk->data);
}

u64 ring_walk_real(const struct stream *stream, const struct item *item)
{
	const struct clock *clock = &((const struct ring_walk *)stream)->recording->clock;

	return clock_real(clock, clock_of_time(clock, item->raw));
}

u64 ring_walk_bound(const struct stream *stream, u64 time)
{
	(void)time;
	return ((const struct ring_walk *)stream)->recording->clock.bound_ns;
}

void ring_walk_init(struct ring_walk *walk, const struct stream_ops *ops,
		    const struct recording *recording, const char *channel, u32 cpu, u32 unit)
{
	walk->recording = recording;
	walk->ids = &recording->ids;
	walk->unit = unit;
	walk->stream = (struct stream){
		.ops = ops, .channel = channel, .cpu = cpu,
		.order = recording->generation->hdr.byte_order == EPITAPH_BIG_ENDIAN ?
			 ORDER_BIG : ORDER_LITTLE,
		.clock = STREAM_RECORDER,
		.doubt = clock_units_ns(&recording->clock, clock_doubt(&recording->clock)),
		.formats = recording->formats,
	};
	walk->blank = (struct item){
		.stream = &walk->stream, .cpu = cpu, .pid = -1, .flags = ITEM_NO_FLAGS,
	};
}
