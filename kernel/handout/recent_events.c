// SPDX-License-Identifier: GPL-2.0-only
/*
 * The newest events of all CPUs, in the order of time, out of copies of their
 * sub-buffers.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "core/subbuf_copy.h"
#include "core/subbuf_walk.h"
#include "events/fields.h"
#include "events/pack.h"
#include "recent_events.h"
#include "recorder.h"

#define BUSY_MAX	32U	/* copies beside the newest */

struct recent_copy {
	struct recent_copy		*newer;
	struct epitaph_subcopy	sub;
};

struct reader {
	struct epitaph_ring *ring;
	u32		cpu;
	u32		channel;
	struct recent_copy	*oldest;	/* NULL: nothing was copied */

	struct recent_copy	*at;		/* NULL: at the end */
	struct epitaph_walk walk;
	u32		pid;
	u32		seen[EPITAPH_LEVELS];
	struct epitaph_entries entries;
	u8		unpacked[2][EPITAPH_UNPACKED_MAX] __aligned(8);	/* @next, and the one given before */
	bool		is_second;
	struct epitaph_peek_event next;
};

static struct reader *readers;
static struct recent_copy *copies;
static u8 *memory;
static u32 nr_readers, nr_copies, used_copies;
static u64 since;

static bool take_newest(struct reader *reader)
{
	struct recent_copy *copy = &copies[used_copies];

	if (epitaph_subcopy_newest(&copy->sub, reader->ring))
		return false;
	copy->newer = NULL;
	reader->oldest = copy;
	used_copies++;
	return true;
}

/* Return: 0, -ENOENT: it is overwritten, or -EBADMSG. */
static int take_older(struct reader *reader)
{
	struct recent_copy *newer = reader->oldest, *copy = &copies[used_copies];
	int err = epitaph_subcopy_before(&copy->sub, reader->ring, &newer->sub);

	if (err)
		return err;
	copy->newer = newer;
	reader->oldest = copy;
	used_copies++;
	return 0;
}

/* The one of which we have the shortest time; what has begun late is whole. */
static struct reader *shortest(void)
{
	struct reader *reader, *found = NULL;

	for (reader = readers; reader < readers + nr_readers; reader++)
		if (reader->oldest && reader->oldest->sub.prev &&
		    (!found || reader->oldest->sub.start > found->oldest->sub.start))
			found = reader;
	return found;
}

void epitaph_peek_take(struct epitaph_peek_result *result)
{
	struct reader *reader;
	int err = 0;
	u32 i;

	memset(result, 0, sizeof(*result));
	used_copies = 0;
	for (i = 0; i < nr_readers; i++) {
		readers[i].oldest = NULL;
		if (!take_newest(&readers[i]))
			result->unreadable++;
		else if (readers[i].channel == EPITAPH_CHANNEL_MAIN)
			result->nr_cpus++;
	}
	while (!err && used_copies < nr_copies && (reader = shortest()))
		err = take_older(reader);
	result->damaged = err == -EBADMSG;
	reader = shortest();
	since = reader ? reader->oldest->sub.start : 0;
	result->since = since;
	epitaph_peek_rewind();
}

static void enter(struct reader *reader, struct recent_copy *copy)
{
	const struct epitaph_sub *sub;

	reader->at = copy;
	if (!copy)
		return;
	sub = (const struct epitaph_sub *)copy->sub.data;
	epitaph_walk_begin(&reader->walk, copy->sub.data, reader->ring->sub_size);
	reader->pid = le32_to_cpu(sub->pid);
	memset(reader->seen, 0, sizeof(reader->seen));
	memset(&reader->entries, 0, sizeof(reader->entries));
	reader->entries.data = copy->sub.data;
}

static u32 next_pid(const struct epitaph_event *ev, const u8 *payload, u32 pid)
{
	const struct epitaph_field *field;
	unsigned int off;

	if (strcmp(ev->name, "sched_switch") || strcmp(ev->system, "sched"))
		return pid;
	epitaph_for_each_field(field, off, ev->fields)
		if (!strcmp(field->name, "next_pid"))
			memcpy(&pid, payload + off - EPITAPH_COMMON_BYTES, sizeof(pid));
	return pid;
}

static const struct epitaph_event *unpack_small(u32 id, u8 *out)
{
	u32 value;
	const struct epitaph_event *ev = epitaph_event_by_small(id, &value);

	memcpy(out, &value, sizeof(value));
	return ev;
}

/* An event that cannot be unpacked stays as it is. */
static const struct epitaph_event *unpack(struct reader *reader)
{
	struct epitaph_peek_event *next = &reader->next;
	u8 *out = reader->unpacked[reader->is_second];
	const struct epitaph_event *ev = epitaph_id_is_small(next->id) ? unpack_small(next->id, out) :
		epitaph_unpack(&reader->entries, next->payload, next->bytes, out);

	if (ev) {
		reader->is_second = !reader->is_second;
		next->id = ev->id;
		next->bytes = round_up(ev->size + ev->dynamic, 4);
		next->payload = out;
	}
	return ev;
}

static void show(struct reader *reader, const struct epitaph_item *item)
{
	struct epitaph_peek_event *next = &reader->next;
	const struct epitaph_event *ev = epitaph_event_by_id(item->id);

	next->time = reader->walk.time;
	next->cpu = reader->cpu;
	next->pid = reader->pid;
	next->id = item->id;
	next->bytes = (item->words - item->before) * 4;
	next->payload = reader->walk.data + item->off + item->before * 4;
	if (epitaph_id_is_packed(item->id) || epitaph_id_is_small(item->id))
		ev = unpack(reader);
	if (ev)
		reader->pid = next_pid(ev, next->payload, reader->pid);
}

/* On to the next event of this CPU that is printed. */
static void advance(struct reader *reader)
{
	struct epitaph_item item;

	while (reader->at) {
		if (epitaph_walk_next(&reader->walk, &item) <= 0) {
			enter(reader, reader->at->newer);
			continue;
		}
		/* No sum needs to cover it: it was complete before an event that one covers. */
		if (epitaph_id_is_entry(item.id))
			epitaph_entries_add(&reader->entries, item.id, item.off + item.before * 4);
		if (++reader->seen[item.level] > reader->at->sub.vouched[item.level])
			continue;
		if (item.id == EPITAPH_ID_PID)
			reader->pid = get_unaligned_le32(reader->walk.data + item.off + item.before * 4);
		if (item.is_silent)
			continue;
		show(reader, &item);
		if (reader->next.time >= since)
			return;
	}
}

void epitaph_peek_rewind(void)
{
	u32 i;

	for (i = 0; i < nr_readers; i++) {
		enter(&readers[i], readers[i].oldest);
		advance(&readers[i]);
	}
}

bool epitaph_peek_next(struct epitaph_peek_event *event)
{
	struct reader *reader, *first = NULL;

	for (reader = readers; reader < readers + nr_readers; reader++)
		if (reader->at && (!first || reader->next.time < first->next.time))
			first = reader;
	if (!first)
		return false;
	*event = first->next;
	advance(first);
	return true;
}

static void set_readers(u32 channel)
{
	struct reader *reader = readers + channel * num_possible_cpus();
	u32 cpu;

	for_each_possible_cpu(cpu) {
		reader->ring = per_cpu_ptr(&epitaph_rings[channel], cpu);
		reader->channel = channel;
		reader++->cpu = cpu;
	}
}

/*
 * The newest of each ring, and some for those that are busy: on a machine of many CPUs these are
 * more events than anyone prints, and what they take is not there for anything else.
 */
int epitaph_peek_init(void)
{
	u32 i;

	nr_readers = num_possible_cpus() * EPITAPH_NR_CHANNELS;
	nr_copies = nr_readers + min(nr_readers, BUSY_MAX) + 32;
	readers = vzalloc(array_size(nr_readers, sizeof(*readers)));
	copies = vzalloc(array_size(nr_copies, sizeof(*copies)));
	memory = vmalloc(array_size(nr_copies, EPITAPH_SUB_SIZE));
	if (!readers || !copies || !memory) {
		epitaph_peek_exit();
		return -ENOMEM;
	}
	for (i = 0; i < nr_copies; i++)
		copies[i].sub.data = memory + (size_t)i * EPITAPH_SUB_SIZE;
	for (i = 0; i < EPITAPH_NR_CHANNELS; i++)
		set_readers(i);
	return 0;
}

void epitaph_peek_exit(void)
{
	vfree(memory);
	vfree(copies);
	vfree(readers);
	memory = NULL;
	copies = NULL;
	readers = NULL;
	nr_readers = 0;
}
