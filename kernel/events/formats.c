// SPDX-License-Identifier: GPL-2.0-only
/*
 * The formats of events in the region.  An event's is there, and checked,
 * before the first event with its id.
 *
 * An id means one format as long as the region is: what is in the rings may be
 * of an event that is gone.  When an event of the same format comes, it gets
 * that id, so a module that comes and goes takes no room but once.
 */
#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/zlib.h>
#include <epitaph/pack.h>
#include <epitaph/probes.h>
#include "control/event_config.h"
#include "core/lost.h"
#include "pack.h"
#include "probe.h"
#include "recorder.h"

#define TEXT_SIZE	(32 << 10)

/* Of a few KiB each: with more, zlib clears tables that are larger than the text. */
#define WINDOW_BITS	12
#define MEM_LEVEL	4

/*
 * What the region has of an id whose format was written here.
 * @sum: of the format's text, but for its id
 * @format_at: its batch, in formats
 * @packing, @small: as in struct epitaph_event, which follow from the format; 0: it has none
 * @is_idle: its event is gone
 */
struct given_id {
	u64 sum;
	u32 format_at;
	u16 small;
	u8 packing;
	bool is_idle;
};

static atomic_t next_id;
static u32 max_id, nr_idle;
static u32 spare_id;		/* of a format that did not fit: the next one takes it; 0: none */

static DEFINE_MUTEX(lock);		/* all of the following */
static u8 *formats;
static size_t formats_size, formats_used;
static struct epitaph_event_size *sizes;
static struct given_id *given;
static struct epitaph_event **by_id;
static struct epitaph_event *by_packing[EPITAPH_MAX_PACKINGS + 1];
static u32 nr_packings;
static struct epitaph_event *by_small[EPITAPH_ID_SMALL_LAST + 1 - EPITAPH_ID_SMALL];
static u32 nr_small;
struct epitaph_event *epitaph_switch_event;
u32 epitaph_switch_id;
static char *text, *packed;
static z_stream stream;

int epitaph_formats_init(void)
{
	size_t size;

	formats = epitaph_section(EPITAPH_SEC_FORMATS, &formats_size);
	formats_used = 0;
	sizes = epitaph_section(EPITAPH_SEC_EVENTS, &size);
	atomic_set(&next_id, EPITAPH_ID_FIRST);
	nr_idle = 0;
	spare_id = 0;
	max_id = size / sizeof(*sizes) - 1;
	memset(by_packing, 0, sizeof(by_packing));
	nr_packings = 0;
	memset(by_small, 0, sizeof(by_small));
	nr_small = 0;
	by_id = vzalloc(array_size(max_id + 1, sizeof(*by_id)));
	given = vzalloc(array_size(max_id + 1, sizeof(*given)));
	text = vmalloc(TEXT_SIZE);
	packed = vmalloc(TEXT_SIZE);
	stream.workspace = vmalloc(zlib_deflate_workspacesize(WINDOW_BITS, MEM_LEVEL));
	if (by_id && given && text && packed && stream.workspace && !epitaph_packing_init())
		return 0;
	epitaph_formats_exit();
	return -ENOMEM;
}

void epitaph_formats_exit(void)
{
	epitaph_packing_exit();
	vfree(stream.workspace);
	vfree(packed);
	vfree(text);
	vfree(given);
	vfree(by_id);
	stream.workspace = NULL;
	packed = text = NULL;
	given = NULL;
	by_id = NULL;
	epitaph_switch_event = NULL;
}

/* Return: bytes in packed, or 0 if it does not get smaller. */
static size_t compress(size_t size)
{
	if (zlib_deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, WINDOW_BITS,
			      MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return 0;
	stream.next_in = text;
	stream.avail_in = size;
	stream.total_in = 0;
	stream.next_out = packed;
	stream.avail_out = size;
	stream.total_out = 0;
	return zlib_deflate(&stream, Z_FINISH) == Z_STREAM_END ? stream.total_out : 0;
}

/*
 * The bytes first, the header after them, its check last.  Until then a reader
 * finds a check of 0, which ends the sequence.
 */
static void append(const void *data, size_t size, size_t raw_size,
		   enum epitaph_method method)
{
	struct epitaph_batch *batch = (void *)(formats + formats_used);
	u64 check;

	memcpy(batch + 1, data, size);
	batch->size = cpu_to_le32(size);
	batch->raw_size = cpu_to_le32(raw_size);
	batch->method = cpu_to_le32(method);
	batch->nr_events = cpu_to_le32(1);
	check = epitaph_check(epitaph_region.salt, batch,
			      offsetof(struct epitaph_batch, check));
	check = epitaph_check(check, batch + 1, size);
	smp_wmb();
	WRITE_ONCE(batch->check, cpu_to_le64(check));
	formats_used += ALIGN(sizeof(*batch) + size, 8);
}

/* Of text. */
static int write_batch(size_t raw)
{
	size_t size = compress(raw);

	if (formats_used + sizeof(struct epitaph_batch) + (size ?: raw) + 8 > formats_size)
		return -ENOSPC;
	if (size)
		append(packed, size, raw, EPITAPH_ZLIB);
	else
		append(text, raw, raw, EPITAPH_STORED);
	return 0;
}

/* Is what is at @at the batch that text would make? */
static bool is_batch(u32 at, size_t raw)
{
	const struct epitaph_batch *batch = (const void *)(formats + at);
	size_t size = compress(raw);
	const void *data = size ? packed : text;

	return le32_to_cpu(batch->size) == (size ?: raw) && le32_to_cpu(batch->raw_size) == raw &&
	       le32_to_cpu(batch->method) == (size ? EPITAPH_ZLIB : EPITAPH_STORED) &&
	       !memcmp(batch + 1, data, size ?: raw);
}

/* Into text.  @more: as epitaph_format_text_more().  Return: its length, or an error. */
static int make_text(const struct epitaph_event *ev, u32 id, const struct epitaph_format_more *more)
{
	int head = scnprintf(text, TEXT_SIZE, "system: %s\n", ev->system);
	int n = epitaph_format_text_more(ev, id, more, text + head, TEXT_SIZE - head);

	return n < 0 ? n : head + n;
}

/* @format, in which the number is another. */
static int write_format_text(u32 id, const char *system, const char *format)
{
	const char *rest = strstr(format, "\nID: ");
	size_t n;

	if (!rest)
		return -EINVAL;
	n = scnprintf(text, TEXT_SIZE, "system: %s\n%.*s\nID: %u%s", system,
		      (int)(rest - format), format, id, strchrnul(rest + 1, '\n'));
	return n < TEXT_SIZE - 1 ? write_batch(n) : -ENOSPC;
}

/* Of text.  Return: whether there is room for it. */
static bool publish_packing(int n)
{
	if (n < 0 || formats_used + sizeof(struct epitaph_batch) + n + 8 > formats_size)
		return false;
	append(text, n, n, EPITAPH_PACKINGS);
	return true;
}

/* Of text, which has @n bytes, but for the line with its id. */
static u64 sum_of_text(size_t n)
{
	const char *line = strstr(text, "\nID: ") + 1, *rest = strchrnul(line, '\n');
	u64 sum = epitaph_check(epitaph_region.salt, text, line - text);

	return epitaph_check(sum, rest, text + n - rest);
}

/* As long as there are ids for it.  Its probe may still run, with those that it had. */
static void write_small(struct epitaph_event *ev)
{
	u32 i, small = given[ev->id].small ?: EPITAPH_ID_SMALL + nr_small;

	if (!given[ev->id].small) {
		if (nr_small + EPITAPH_SMALL_NUMBERS > ARRAY_SIZE(by_small) ||
		    !publish_packing(scnprintf(text, TEXT_SIZE, "%u %u %u s0/%u\n", small, ev->id,
					       ev->size, EPITAPH_SMALL_NUMBERS)))
			return;
		given[ev->id].small = small;
		nr_small += EPITAPH_SMALL_NUMBERS;
	}
	ev->small = small;
	ev->is_small = true;
	for (i = 0; i < EPITAPH_SMALL_NUMBERS; i++)
		WRITE_ONCE(by_small[small - EPITAPH_ID_SMALL + i], ev);
}

static void write_large(struct epitaph_event *ev)
{
	u32 number = given[ev->id].packing ?: nr_packings + 1;

	if (number > EPITAPH_MAX_PACKINGS || !epitaph_packing_steps(ev))
		return;
	ev->packing = number;
	ev->pack_head = epitaph_packing_head(ev);
	if (!given[ev->id].packing) {
		if (!publish_packing(epitaph_packing_text(ev, text, TEXT_SIZE))) {
			ev->packing = 0;
			return;
		}
		given[ev->id].packing = number;
		nr_packings++;
	}
	WRITE_ONCE(by_packing[number], ev);
}

/* A packing has a number of its own, as an event has its id.  Without one, @ev is not packed. */
static void write_packing(struct epitaph_event *ev)
{
	ev->packing = 0;
	ev->is_small = false;
	if (!epitaph_packs() || !ev->may_pack || ev->rings != &epitaph_rings[EPITAPH_CHANNEL_MAIN] ||
	    ev->size + ev->dynamic > EPITAPH_UNPACKED_MAX)
		return;
	if (ev->size != sizeof(u32))
		write_large(ev);
	else if (ev->fields->size == ev->size)
		write_small(ev);
}

/* One store: an entry is there or not. */
static void write_size(u32 id, u32 words)
{
	struct epitaph_event_size entry = {
		.id = cpu_to_le16(id),
		.words = cpu_to_le16(words),
	};
	u64 word;

	entry.check = cpu_to_le32((u32)epitaph_check(epitaph_region.salt, &entry, 4));
	memcpy(&word, &entry, sizeof(word));
	WRITE_ONCE(*(u64 *)&sizes[id], word);
}

u32 epitaph_id_take(void)
{
	int next, id = atomic_read(&next_id);

	do {
		if (id > max_id)
			return 0;
		next = id + 1;
		if (next == EPITAPH_ID_SMALL && epitaph_packs())
			next = EPITAPH_ID_SMALL_LAST + 1;
	} while (!atomic_try_cmpxchg(&next_id, &id, next));
	return id;
}

/* An id whose event is gone, if that was the same to the byte; or 0. */
static u32 find_idle_id(const struct epitaph_event *ev, const struct epitaph_format_more *more, u64 sum,
			u32 words)
{
	u32 id;
	int n;

	for (id = EPITAPH_ID_FIRST; id <= max_id; id++) {
		if (!given[id].is_idle || given[id].sum != sum || le16_to_cpu(sizes[id].words) != words)
			continue;
		n = make_text(ev, id, more);
		if (n > 0 && is_batch(given[id].format_at, n))
			return id;
	}
	return 0;
}

/* The format of a new id, and how large its events are. */
static int write_format(const struct epitaph_event *ev, const struct epitaph_format_more *more, u32 words)
{
	u32 id = spare_id ?: epitaph_id_take(), at = formats_used;
	int n, err;

	if (!id)
		return -ENOSPC;
	spare_id = id;
	n = make_text(ev, id, more);
	err = n < 0 ? n : write_batch(n);
	if (err)
		return err;
	given[id] = (struct given_id){ .sum = sum_of_text(n), .format_at = at };
	write_size(id, words);
	spare_id = 0;
	return id;
}

static int find_or_make_id(const struct epitaph_event *ev, const struct epitaph_format_more *more,
			   u32 words)
{
	int n = nr_idle ? make_text(ev, 0, more) : 0;
	u32 id;

	if (n < 0)
		return n;
	id = n ? find_idle_id(ev, more, sum_of_text(n), words) : 0;
	if (!id)
		return write_format(ev, more, words);
	given[id].is_idle = false;
	nr_idle--;
	return id;
}

/* Return: the id, whose format is in the region then, or an error. */
static int give_id(const struct epitaph_event *ev, const struct epitaph_format_more *more, u32 words)
{
	int id;

	/* Who loses the region waits for us. */
	rcu_read_lock();
	id = epitaph_lost() ? -EIO : find_or_make_id(ev, more, words);
	rcu_read_unlock();
	return id;
}

int epitaph_format_publish(u32 id, const char *system, const char *format)
{
	int err;

	mutex_lock(&lock);
	/* Who loses the region waits for us. */
	rcu_read_lock();
	err = epitaph_lost() ? -EIO : write_format_text(id, system, format);
	if (!err)
		write_size(id, 0);
	rcu_read_unlock();
	mutex_unlock(&lock);
	return err;
}

void epitaph_event_choose_path(struct epitaph_event *ev)
{
	/* 0: not by the fast path; where the size varies, the second word has the id. */
	ev->first = epitaph_is_fast && ev->id <= EPITAPH_ID_SHORT_MAX ? (u32)ev->id << EPITAPH_ID_SHIFT : 0;
	WRITE_ONCE(ev->is_fast, epitaph_is_fast && !ev->steer && !ev->is_between && ev->id &&
		   !ev->nr_syms && (ev->dynamic || ev->id <= EPITAPH_ID_SHORT_MAX) &&
		   ev->rings == &epitaph_rings[EPITAPH_CHANNEL_MAIN]);
	WRITE_ONCE(ev->fast_context, epitaph_fast_context(ev));
	WRITE_ONCE(ev->is_packed, (ev->packing || ev->is_small) && !ev->steer && !ev->is_between);
	WRITE_ONCE(ev->is_usual, ev->packing && ev->is_fast);
}

/**
 * epitaph_event_publish() - give an event its id, and put its format down
 * @ev: not published yet
 *
 * Context: process, may sleep.
 * Return: 0; -EIO if the region is lost; -ENOSPC if there is no room for another format or id;
 *         -EMSGSIZE if no sub-buffer holds the event; or what
 *         epitaph_format_text() said.
 */
int epitaph_event_publish(struct epitaph_event *ev)
{
	int id;

	if (ev->rings && ev->size > epitaph_ring_max_payload(raw_cpu_ptr(ev->rings)))
		return -EMSGSIZE;
	mutex_lock(&lock);
	id = give_id(ev, NULL, ev->dynamic ? 0 : DIV_ROUND_UP(ev->size, 4));
	if (id > 0) {
		ev->id = id;
		WRITE_ONCE(by_id[id], ev);
		write_packing(ev);
		epitaph_event_choose_path(ev);
		if (!strcmp(ev->name, "sched_switch") && !strcmp(ev->system, "sched")) {
			WRITE_ONCE(epitaph_switch_event, ev);
			WRITE_ONCE(epitaph_switch_id, ev->id);
		}
	}
	mutex_unlock(&lock);
	return id < 0 ? id : 0;
}

int epitaph_format_more_publish(const struct epitaph_event *ev, const struct epitaph_format_more *more)
{
	int id;

	mutex_lock(&lock);
	id = give_id(ev, more, more->words);
	if (id > 0)
		WRITE_ONCE(by_id[id], by_id[ev->id]);
	mutex_unlock(&lock);
	return id;
}

/* All ids of @ev, lower ones too: it may have been given a higher one again. */
static void forget_ids(const struct epitaph_event *ev)
{
	u32 id;

	for (id = EPITAPH_ID_FIRST; id <= max_id; id++) {
		if (by_id[id] != ev)
			continue;
		WRITE_ONCE(by_id[id], NULL);
		given[id].is_idle = true;
		nr_idle++;
	}
}

/**
 * epitaph_event_retract() - what was published goes away
 * @ev: published or not; its probe may still run, so it keeps its id
 *
 * Its format stays in the region, for what is in the rings.  Published again with the same
 * format, it gets the same id; with another one, another.
 *
 * Context: process, may sleep.  The caller waits for readers of
 *	epitaph_event_by_id() before @ev goes.
 */
void epitaph_event_retract(struct epitaph_event *ev)
{
	u32 i;

	mutex_lock(&lock);
	if (ev->published)
		forget_ids(ev);
	if (ev->published && by_packing[ev->packing] == ev)
		WRITE_ONCE(by_packing[ev->packing], NULL);
	for (i = 0; i < nr_small; i++)
		if (by_small[i] == ev)
			WRITE_ONCE(by_small[i], NULL);
	if (epitaph_switch_event == ev)
		WRITE_ONCE(epitaph_switch_event, NULL);
	ev->published = false;
	mutex_unlock(&lock);
}

struct epitaph_event *epitaph_event_by_id(u32 id)
{
	return id <= max_id ? READ_ONCE(by_id[id]) : NULL;
}

struct epitaph_event *epitaph_event_by_packing(u8 number)
{
	return READ_ONCE(by_packing[number]);
}

struct epitaph_event *epitaph_event_by_small(u32 id, u32 *value)
{
	struct epitaph_event *ev = READ_ONCE(by_small[id - EPITAPH_ID_SMALL]);

	*value = ev ? id - ev->small : 0;
	return ev;
}
