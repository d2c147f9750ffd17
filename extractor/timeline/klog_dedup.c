// SPDX-License-Identifier: GPL-2.0-or-later
#include "klog_dedup.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_index.h"
#include "event/field_iter.h"

#define BITS		12	/* of the number of chains */
#define NOBODY		0xffffffffU
/* Two clocks, and a conversion each, may disagree on one moment by this. */
#define BEFORE_NS	2000000
/* A console may be behind by seconds; a line that comes again is another one then. */
#define BEHIND_NS	10000000000ULL

/* One line, found by the hash of its text, chained by age. */
struct line {
	u64 time;
	u32 hash;
	u32 next;
};

struct klog_dedup {
	struct line *list;
	u32 nr;
	u32 room;
	u32 first[1 << BITS];
};

/* --- text ---------------------------------------------------------------- */

/* Of a line with more than one, the first: the others may stand for themselves. */
static u32 first_line(const char *text, u32 len)
{
	const char *end = memchr(text, '\n', len);

	return end ? end - text : len;
}

static u32 hash_of(const char *text, u32 len)
{
	u32 hash = NAME_HASH;

	klog_skip_prefix(&text, &len, NULL);
	len = first_line(text, len);
	while (len && text[len - 1] == ' ')
		len--;
	for (u32 i = 0; i < len; i++)
		hash = hash_name_add(hash, text[i]);
	return hash;
}

/* --- collecting ---------------------------------------------------------- */

static int add(struct klog_dedup *told, u64 time, const char *text, u32 len, struct err *err)
{
	if (told->nr == KLOG_MAX_LINES)
		return 0;
	if (told->nr == told->room) {
		u32 room = 2 * told->room + 256;
		void *p = reallocarray(told->list, room, sizeof(*told->list));

		if (!p)
			return err_sys(err, "memory for %u lines of the log", room);
		told->list = p;
		told->room = room;
	}
	told->list[told->nr++] = (struct line){ .time = time, .hash = hash_of(text, len) };
	return 0;
}

static int add_event(struct klog_dedup *told, const struct item *item, struct err *err)
{
	struct field msg;

	if (item->kind != ITEM_EVENT || strcmp(item_name(item), "printk:console") ||
	    !field_iter_find(item, "msg", &msg) || msg.kind != FIELD_TEXT)
		return 0;
	return add(told, item->time, msg.data, msg.size, err);
}

static int add_stream(struct klog_dedup *told, struct stream *stream, struct err *err)
{
	int ret = stream->ops->begin(stream, 0, false, err);

	while (!ret && stream->ops->next(stream))
		ret = add_event(told, &stream->head, err);
	stream->ops->end(stream);
	return ret;
}

static int add_all(struct klog_dedup *told, struct postmortem *pm, struct err *err)
{
	const struct klog *klog = &pm->recording->klog;
	int ret = 0;

	for (u32 i = 0; i < klog->nr && !ret; i++)
		ret = add(told, klog->lines[i].mono_ns, klog->lines[i].text, klog->lines[i].len, err);
	for (u32 i = 0; i < pm->nr_streams && !ret; i++)
		ret = add_stream(told, pm->streams[i], err);
	return ret;
}

static int by_time(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

static void chain(struct klog_dedup *told)
{
	if (told->nr)
		qsort(told->list, told->nr, sizeof(*told->list), by_time);
	for (size_t i = 0; i < ARRAY_SIZE(told->first); i++)
		told->first[i] = NOBODY;
	for (u32 i = told->nr; i--; ) {
		u32 *first = &told->first[told->list[i].hash >> (32 - BITS)];

		told->list[i].next = *first;
		*first = i;
	}
}

int klog_dedup_read(struct klog_dedup **ret, struct postmortem *pm, struct err *err)
{
	struct klog_dedup *told = calloc(1, sizeof(*told));
	int res;

	if (!told)
		return err_sys(err, "memory for lines of the log");
	res = add_all(told, pm, err);
	if (res) {
		klog_dedup_free(told);
		return res;
	}
	chain(told);
	*ret = told;
	return 0;
}

void klog_dedup_free(struct klog_dedup *told)
{
	if (!told)
		return;
	free(told->list);
	free(told);
}

/* --- asking -------------------------------------------------------------- */

#define MAX_STEPS 1000		/* lines with other hashes between; more are made on purpose */

bool klog_dedup_take(struct klog_dedup *told, u64 time, const char *text, u32 len)
{
	u32 hash = hash_of(text, len), steps = 0;
	u32 *at = &told->first[hash >> (32 - BITS)];

	while (*at != NOBODY && steps++ < MAX_STEPS) {
		struct line *line = &told->list[*at];

		if (line->time > time && line->time - time > BEHIND_NS)
			return false;
		if (line->time < time && time - line->time > BEFORE_NS) {
			*at = line->next;	/* later lines ask for later ones */
		} else if (line->hash == hash) {
			*at = line->next;
			return true;
		} else {
			at = &line->next;
		}
	}
	return false;
}
