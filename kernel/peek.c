// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading the rings while they are written.  docs/format.md has the rules; what
 * is different here is that a writer may be under way:
 *
 *   the sums are copied before the events, so there may be events that they do
 *   not speak of yet: these are newer than the copy, and left out of it;
 *
 *   a sub-buffer may be recycled while it is copied: its check is looked at
 *   before and after.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <epitaph/record.h>
#include "fields.h"
#include "pack.h"
#include "peek.h"
#include "recorder.h"

#define TRIES		4	/* of copying what is being written */
#define MASK_OF(bits)	((1ULL << (bits)) - 1)

/* A sub-buffer that was copied and checks. */
struct copy {
	struct copy	*newer;
	u32		off;		/* in the ring */
	u32		prev;
	u64		start;
	u32		vouched[EPITAPH_LEVELS]; /* events that the sums speak of */
	u32		nr_events;	/* but those that name a pid */
	u8		*data;
};

/* One event of a copy. */
struct item {
	u32		off;
	u32		word;
	u32		id;
	u32		level;
	u32		before;		/* words before the payload */
	u32		words;
	bool		is_silent;	/* of nobody: see docs/format.md and docs/packing.md */
};

struct walk {
	const u8	*data;
	u32		size;
	u32		off;
	u64		time;
};

struct reader {
	struct epitaph_ring *ring;
	u32		cpu;
	u32		channel;
	struct copy	*oldest;	/* NULL: nothing was copied */

	struct copy	*at;		/* NULL: at the end */
	struct walk	walk;
	u32		pid;
	u32		seen[EPITAPH_LEVELS];
	struct epitaph_told told;
	u8		unpacked[2][EPITAPH_UNPACKED_MAX] __aligned(8);	/* @next, and the one given before */
	bool		is_second;
	struct epitaph_peek_event next;
};

static struct reader *readers;
static struct copy *copies;
static u8 *memory;
static u32 nr_readers, nr_copies, used_copies;
static u64 since;

static u32 word_at(const struct walk *walk, u32 off)
{
	return le32_to_cpu(*(const __le32 *)(walk->data + off));
}

/* The next time from @time on whose low @bits are @low. */
static u64 forward(u64 time, u64 low, u32 bits)
{
	return time + ((low - time) & MASK_OF(bits));
}

static bool skip_claim(struct walk *walk, u32 word)
{
	u32 words = (word >> EPITAPH_CLAIM_WORDS_SHIFT) & EPITAPH_CLAIM_WORDS_MASK;
	u64 coarse = word & MASK_OF(EPITAPH_CLAIM_TIME_BITS);
	u64 time = walk->time >> EPITAPH_CLAIM_TIME_SHIFT;

	if (!words || walk->off + words * 4 > walk->size)
		return false;
	if (coarse != (time & MASK_OF(EPITAPH_CLAIM_TIME_BITS)))
		walk->time = forward(time, coarse, EPITAPH_CLAIM_TIME_BITS) <<
			     EPITAPH_CLAIM_TIME_SHIFT;
	walk->off += words * 4;
	return true;
}

static bool id_is_packed(u32 id)
{
	return id >= EPITAPH_ID_PACKED && id <= EPITAPH_ID_PACKED_LAST;
}

/* From the region: the module that had the event may be gone. */
static u32 words_of(u32 id)
{
	const struct epitaph_event_size *sizes;
	size_t size;

	if (id == EPITAPH_ID_PID)
		return 1 + 1;
	if (id_is_packed(id))
		return 1 + id - EPITAPH_ID_PID;
	if (id == EPITAPH_ID_TEXT || id == EPITAPH_ID_VALUE)
		return 1 + (id == EPITAPH_ID_TEXT ? EPITAPH_TEXT_WORDS : EPITAPH_VALUE_WORDS);
	sizes = epitaph_section(EPITAPH_SEC_EVENTS, &size);
	if (id < EPITAPH_ID_FIRST || id >= size / sizeof(*sizes) ||
	    le16_to_cpu(sizes[id].id) != id)
		return 0;
	return 1 + le16_to_cpu(sizes[id].words);
}

static bool read_long(struct walk *walk, struct item *item)
{
	u32 second = word_at(walk, walk->off + 4);

	item->before = item->id == EPITAPH_ID_LONG_TIME ? 3 : 2;
	item->id = second & 0xffff;
	item->words = second >> 16;
	if (item->words < item->before || walk->off + item->words * 4 > walk->size)
		return false;
	if (item->before == 3)
		walk->time = forward(walk->time,
				     (u64)word_at(walk, walk->off + 8) << EPITAPH_TIME_BITS |
				     (item->word & MASK_OF(EPITAPH_TIME_BITS)),
				     EPITAPH_TIME_BITS + 32);
	return true;
}

static bool read_item(struct walk *walk, struct item *item)
{
	item->off = walk->off;
	item->id = item->word >> EPITAPH_ID_SHIFT;
	item->level = item->word >> EPITAPH_LEVEL_SHIFT & EPITAPH_LEVEL_MASK;
	if (item->level >= EPITAPH_LEVELS)
		return false;
	walk->time = forward(walk->time, item->word, EPITAPH_TIME_BITS);
	if (item->id == EPITAPH_ID_LONG || item->id == EPITAPH_ID_LONG_TIME) {
		if (walk->off + 12 > walk->size || !read_long(walk, item))
			return false;
	} else {
		item->before = 1;
		item->words = words_of(item->id);
	}
	if (!item->words || walk->off + item->words * 4 > walk->size)
		return false;
	walk->off += item->words * 4;
	item->is_silent = id_is_packed(item->id) ? !walk->data[item->off + item->before * 4] :
						   item->id < EPITAPH_ID_FIRST;
	return true;
}

/* Return: 1 with an item, 0 at the end, -EBADMSG. */
static int walk_next(struct walk *walk, struct item *item)
{
	while (walk->off + 4 <= walk->size) {
		item->word = word_at(walk, walk->off);
		if (!item->word)
			walk->off += 4;
		else if (item->word >> EPITAPH_ID_SHIFT)
			return read_item(walk, item) ? 1 : -EBADMSG;
		else if (!skip_claim(walk, item->word))
			return -EBADMSG;
	}
	return 0;
}

static void walk_begin(struct walk *walk, const struct copy *copy, u32 size)
{
	walk->data = copy->data;
	walk->size = size;
	walk->off = sizeof(struct epitaph_sub);
	walk->time = copy->start;
}

static u64 sum_of(u64 seed, const u8 *data, const struct item *item)
{
	u64 h = epitaph_mix(seed, (u64)item->off << 32 | item->word);
	const u8 *p = data + item->off + 4;
	u32 i;

	for (i = 1; i + 1 < item->words; i += 2, p += 8)
		h = epitaph_mix(h, get_unaligned_le64(p));
	if (i < item->words)
		h = epitaph_mix(h, get_unaligned_le32(p));
	return h;
}

/*
 * For each level, how many of its events the sum speaks of.  Events are summed
 * one after the other, so it speaks of the first ones.
 */
static int check_events(struct copy *copy, u32 size)
{
	const struct epitaph_sub *sub = (const struct epitaph_sub *)copy->data;
	u64 seed = le64_to_cpu(sub->check), sum[EPITAPH_LEVELS] = {};
	bool found[EPITAPH_LEVELS];
	u32 nr[EPITAPH_LEVELS] = {};
	struct walk walk;
	struct item item;
	int i, err;

	for (i = 0; i < EPITAPH_LEVELS; i++) {
		found[i] = !sub->sum[i];
		copy->vouched[i] = 0;
	}
	copy->nr_events = 0;
	walk_begin(&walk, copy, size);
	while ((err = walk_next(&walk, &item)) > 0) {
		i = item.level;
		nr[i]++;
		copy->nr_events += !item.is_silent;
		sum[i] = sum_of(seed ^ sum[i], copy->data, &item);
		if (sum[i] == le64_to_cpu(sub->sum[i])) {
			found[i] = true;
			copy->vouched[i] = nr[i];
		}
	}
	for (i = 0; i < EPITAPH_LEVELS; i++)
		if (!found[i])
			err = -EBADMSG;
	return err;
}

static void copy_words(u64 *to, const u64 *from, u32 bytes)
{
	u32 i;

	for (i = 0; i < bytes / 8; i++)
		to[i] = READ_ONCE(from[i]);
}

/* Return: 0, or -EAGAIN: it was empty, or changed meanwhile. */
static int copy_sub(struct copy *to, const struct epitaph_ring *ring, u32 off)
{
	const struct epitaph_sub *sub = (const struct epitaph_sub *)(ring->data + off);
	__le64 check = READ_ONCE(sub->check);

	/* The check before the content: pairs with switch:B. */
	smp_rmb();
	copy_words((u64 *)to->data, (const u64 *)sub, sizeof(*sub));
	/* The sums before the events: pairs with commit:B. */
	smp_rmb();
	copy_words((u64 *)(to->data + sizeof(*sub)), (const u64 *)(sub + 1),
		   ring->sub_size - sizeof(*sub));
	/* The content before the check again: pairs with switch:A. */
	smp_rmb();
	if (!check || READ_ONCE(sub->check) != check)
		return -EAGAIN;
	sub = (const struct epitaph_sub *)to->data;
	if (le64_to_cpu(check) != epitaph_check(ring->salt ^ off, sub,
						offsetof(struct epitaph_sub, check)))
		return -EAGAIN;
	to->off = off;
	to->prev = le32_to_cpu(sub->prev);
	to->start = le64_to_cpu(sub->time);
	return check_events(to, ring->sub_size);
}

static u32 seq_of(const struct copy *copy)
{
	return (u32)le64_to_cpu(((const struct epitaph_sub *)copy->data)->seq);
}

/* Return: 0, -EAGAIN or -EBADMSG. */
static int copy_newest(struct copy *copy, const struct epitaph_ring *ring)
{
	int i, err = -EAGAIN;
	u64 head;

	for (i = 0; i < TRIES; i++) {
		head = READ_ONCE(ring->head);
		err = copy_sub(copy, ring, (u32)head & ~(ring->sub_size - 1));
		if (!err && seq_of(copy) == head >> 32)
			return 0;
	}
	return err ?: -EAGAIN;
}

static bool take_newest(struct reader *reader)
{
	struct copy *copy = &copies[used_copies];

	if (copy_newest(copy, reader->ring))
		return false;
	copy->newer = NULL;
	reader->oldest = copy;
	used_copies++;
	return true;
}

/*
 * Where the sub-buffer before is: in front of this one, but for those that were
 * held when the ring came by, or made ready and not used.
 */
static bool find_prev(const struct epitaph_ring *ring, u32 prev, u32 *off)
{
	const struct epitaph_sub *sub;
	int i;

	for (i = 0; i < EPITAPH_MIN_SUBS; i++) {
		*off = (*off ?: ring->size) - ring->sub_size;
		sub = (const struct epitaph_sub *)(ring->data + *off);
		if ((u32)le64_to_cpu(READ_ONCE(sub->seq)) == prev)
			return true;
	}
	return false;
}

/* The one before @prev says it is; @newer_off: of the one that says so. */
static int copy_older(struct copy *copy, const struct epitaph_ring *ring, u32 prev, u32 newer_off)
{
	int i, err = -ENOENT;
	u32 off;

	for (i = 0; i < TRIES; i++) {
		off = newer_off;
		if (!find_prev(ring, prev, &off))
			return -ENOENT;
		err = copy_sub(copy, ring, off);
		if (!err && seq_of(copy) == prev)
			return 0;
	}
	return err == -EBADMSG ? err : -ENOENT;
}

/* Return: 0, -ENOENT: it is overwritten, or -EBADMSG. */
static int take_older(struct reader *reader)
{
	struct copy *newer = reader->oldest, *copy = &copies[used_copies];
	int err = copy_older(copy, reader->ring, newer->prev, newer->off);

	if (err)
		return err;
	copy->newer = newer;
	reader->oldest = copy;
	used_copies++;
	return 0;
}

int epitaph_peek_sample(const struct epitaph_ring *ring, void *room,
			struct epitaph_peek_sample *sample)
{
	struct copy copy = { .data = room };
	int err = copy_newest(&copy, ring);

	if (err)
		return err;
	sample->events = copy.nr_events;
	sample->since = copy.start;
	if (!copy.prev)
		return 0;
	err = copy_older(&copy, ring, copy.prev, copy.off);
	if (!err) {
		sample->events += copy.nr_events;
		sample->since = copy.start;
	}
	return err == -ENOENT ? 0 : err;
}

static void tell_sub(struct epitaph_peek_sub *sub, const struct copy *copy)
{
	sub->off = copy->off;
	sub->prev = copy->prev;
	memcpy(sub->vouched, copy->vouched, sizeof(sub->vouched));
}

int epitaph_peek_newest(const struct epitaph_ring *ring, void *room,
			struct epitaph_peek_sub *sub)
{
	struct copy copy = { .data = room };
	int err = copy_newest(&copy, ring);

	if (!err)
		tell_sub(sub, &copy);
	return err;
}

int epitaph_peek_before(const struct epitaph_ring *ring, void *room,
			struct epitaph_peek_sub *sub)
{
	struct copy copy = { .data = room };
	int err = copy_older(&copy, ring, sub->prev, sub->off);

	if (!err)
		tell_sub(sub, &copy);
	return err;
}

static void cut_off(struct epitaph_sub *sub, u32 end, u32 size)
{
	memset((u8 *)sub + end, 0, size - end);
	sub->used = cpu_to_le32(end);
	sub->used_not = cpu_to_le32(~end);
}

/*
 * The sums follow from the check, which is another one where it goes.  An event in
 * a closed sub-buffer that no sum speaks of stays so: a reader knows that.
 */
void epitaph_peek_seal(const struct epitaph_peek_sub *from, void *room, u32 size, u64 seed,
		       bool is_newest)
{
	struct epitaph_sub *sub = room;
	struct copy copy = { .data = room, .start = le64_to_cpu(sub->time) };
	u64 check = epitaph_check(seed, sub, offsetof(struct epitaph_sub, check));
	u64 sum[EPITAPH_LEVELS] = {};
	u32 i, end, seen[EPITAPH_LEVELS] = {};
	struct walk walk;
	struct item item;

	walk_begin(&walk, &copy, size);
	for (end = walk.off; walk_next(&walk, &item) > 0; end = walk.off) {
		bool is_vouched = seen[item.level]++ < from->vouched[item.level];

		if (is_newest && (!is_vouched || item.off != end))
			break;
		if (is_vouched)
			sum[item.level] = sum_of(check ^ sum[item.level], room, &item);
	}
	if (is_newest)
		cut_off(sub, end, size);
	sub->check = cpu_to_le64(check);
	for (i = 0; i < EPITAPH_LEVELS; i++)
		sub->sum[i] = cpu_to_le64(sum[i]);
}

static bool read_header(const struct epitaph_ring *ring, u32 off, struct epitaph_sub *to)
{
	const struct epitaph_sub *sub = (const struct epitaph_sub *)(ring->data + off);
	__le64 check = READ_ONCE(sub->check);

	/* As in copy_sub(). */
	smp_rmb();
	copy_words((u64 *)to, (const u64 *)sub, sizeof(*sub));
	smp_rmb();
	return check && READ_ONCE(sub->check) == check &&
	       le64_to_cpu(check) == epitaph_check(ring->salt ^ off, to,
						   offsetof(struct epitaph_sub, check));
}

/*
 * The first one behind the newest whose successor names it: what the ring went around
 * is older, and the ring is not complete from there on.
 */
bool epitaph_peek_oldest(const struct epitaph_ring *ring, u64 *time, bool *whole)
{
	u32 newest = (u32)READ_ONCE(ring->head) & ~(ring->sub_size - 1), off = newest;
	struct epitaph_sub last, sub;
	bool have_last = false, have;

	do {
		off += ring->sub_size;
		if (off >= ring->size)
			off = 0;
		have = read_header(ring, off, &sub);
		if (have && have_last && sub.prev == cpu_to_le32((u32)le64_to_cpu(last.seq)))
			break;
		last = sub;
		have_last = have;
	} while (off != newest);
	*time = le64_to_cpu(last.time);
	*whole = !last.prev;
	return have_last;
}

/* The one of which we have the shortest time; what has begun late is whole. */
static struct reader *shortest(void)
{
	struct reader *reader, *found = NULL;

	for (reader = readers; reader < readers + nr_readers; reader++)
		if (reader->oldest && reader->oldest->prev &&
		    (!found || reader->oldest->start > found->oldest->start))
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
	since = reader ? reader->oldest->start : 0;
	result->since = since;
	epitaph_peek_rewind();
}

static void enter(struct reader *reader, struct copy *copy)
{
	const struct epitaph_sub *sub;

	reader->at = copy;
	if (!copy)
		return;
	sub = (const struct epitaph_sub *)copy->data;
	walk_begin(&reader->walk, copy, reader->ring->sub_size);
	reader->pid = le32_to_cpu(sub->pid);
	memset(reader->seen, 0, sizeof(reader->seen));
	memset(&reader->told, 0, sizeof(reader->told));
	reader->told.data = copy->data;
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

/* What nothing tells of stays what it is. */
static const struct epitaph_event *unpack(struct reader *reader)
{
	struct epitaph_peek_event *next = &reader->next;
	u8 *out = reader->unpacked[reader->is_second];
	const struct epitaph_event *ev = epitaph_unpack(&reader->told, next->payload, next->bytes, out);

	if (ev) {
		reader->is_second = !reader->is_second;
		next->id = ev->id;
		next->bytes = round_up(ev->size, 4);
		next->payload = out;
	}
	return ev;
}

static void show(struct reader *reader, const struct item *item)
{
	struct epitaph_peek_event *next = &reader->next;
	const struct epitaph_event *ev = epitaph_event_by_id(item->id);

	next->time = reader->walk.time;
	next->cpu = reader->cpu;
	next->pid = reader->pid;
	next->id = item->id;
	next->bytes = (item->words - item->before) * 4;
	next->payload = reader->walk.data + item->off + item->before * 4;
	if (id_is_packed(item->id))
		ev = unpack(reader);
	if (ev)
		reader->pid = next_pid(ev, next->payload, reader->pid);
}

/* On to the next event of this CPU that is to be told. */
static void advance(struct reader *reader)
{
	struct item item;

	while (reader->at) {
		if (walk_next(&reader->walk, &item) <= 0) {
			enter(reader, reader->at->newer);
			continue;
		}
		/* It was told before an event that somebody vouches for. */
		if (item.id == EPITAPH_ID_TEXT || item.id == EPITAPH_ID_VALUE)
			epitaph_told_learn(&reader->told, item.id, item.off + item.before * 4);
		if (++reader->seen[item.level] > reader->at->vouched[item.level])
			continue;
		if (item.id == EPITAPH_ID_PID)
			reader->pid = word_at(&reader->walk, item.off + item.before * 4);
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

/* The newest of each ring, another one, and some for those that are busy. */
int epitaph_peek_init(void)
{
	u32 i;

	nr_readers = num_possible_cpus() * EPITAPH_NR_CHANNELS;
	nr_copies = 2 * nr_readers + 32;
	readers = vzalloc(array_size(nr_readers, sizeof(*readers)));
	copies = vzalloc(array_size(nr_copies, sizeof(*copies)));
	memory = vmalloc(array_size(nr_copies, EPITAPH_SUB_SIZE));
	if (!readers || !copies || !memory) {
		epitaph_peek_exit();
		return -ENOMEM;
	}
	for (i = 0; i < nr_copies; i++)
		copies[i].data = memory + (size_t)i * EPITAPH_SUB_SIZE;
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
