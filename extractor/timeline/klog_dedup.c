// SPDX-License-Identifier: GPL-2.0-or-later
#include "klog_dedup.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_index.h"
#include "event/field_iter.h"

#define CHAIN_BITS	12
#define CHAIN_END	0xffffffffU
/* Two clocks, and a conversion each, may disagree by this. */
#define BEFORE_NS	2000000
/* A console may lag by seconds. The same text after a longer time is another line. */
#define BEHIND_NS	10000000000ULL
/* Lines with other hashes in one chain; only a hostile log has more. */
#define MAX_STEPS	1000

/* One line, found by the hash of its text; a chain is in the order of time. */
struct dedup_line {
	u64 time;
	u32 hash;
	u32 next;
};

struct klog_dedup {
	struct dedup_line *list;
	u32 nr;
	u32 room;
	u32 first[1 << CHAIN_BITS];
};

static u32 klog_line_hash(const char *text, u32 len)
{
	const char *end;
	u32 hash = NAME_HASH;

	klog_skip_prefix(&text, &len, NULL);
	/* Of several lines the first: the kernel's log may have the others as lines of their own. */
	end = memchr(text, '\n', len);
	if (end)
		len = end - text;
	while (len && text[len - 1] == ' ')
		len--;
	for (u32 i = 0; i < len; i++)
		hash = hash_name_add(hash, text[i]);
	return hash;
}

static int add_dedup_line(struct klog_dedup *dedup, u64 time, const char *text, u32 len,
			  struct err *err)
{
	if (dedup->nr == KLOG_MAX_LINES)
		return 0;
	if (dedup->nr == dedup->room) {
		u32 room = 2 * dedup->room + 256;
		void *p = reallocarray(dedup->list, room, sizeof(*dedup->list));

		if (!p)
			return err_sys(err, "memory for %u lines of the log", room);
		dedup->list = p;
		dedup->room = room;
	}
	dedup->list[dedup->nr++] = (struct dedup_line){
		.time = time, .hash = klog_line_hash(text, len),
	};
	return 0;
}

static int add_console_events(struct klog_dedup *dedup, struct stream *stream, struct err *err)
{
	const struct item *item = &stream->head;
	int ret = stream->ops->begin(stream, 0, false, err);
	struct field msg;

	while (!ret && stream->ops->next(stream))
		if (item->kind == ITEM_EVENT && !strcmp(item_name(item), "printk:console") &&
		    field_iter_find(item, "msg", &msg) && msg.kind == FIELD_TEXT)
			ret = add_dedup_line(dedup, item->time, msg.data, msg.size, err);
	stream->ops->end(stream);
	return ret;
}

static int compare_dedup_lines(const void *a, const void *b)
{
	const struct dedup_line *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

static void chain_dedup_lines(struct klog_dedup *dedup)
{
	if (dedup->nr)
		qsort(dedup->list, dedup->nr, sizeof(*dedup->list), compare_dedup_lines);
	for (size_t i = 0; i < ARRAY_SIZE(dedup->first); i++)
		dedup->first[i] = CHAIN_END;
	for (u32 i = dedup->nr; i--; ) {
		u32 *first = &dedup->first[dedup->list[i].hash >> (32 - CHAIN_BITS)];

		dedup->list[i].next = *first;
		*first = i;
	}
}

int klog_dedup_read(struct klog_dedup **ret, struct postmortem *pm, struct err *err)
{
	struct klog_dedup *dedup = calloc(1, sizeof(*dedup));
	const struct klog *klog = &pm->recording->klog;
	int res = 0;

	if (!dedup)
		return err_sys(err, "memory for lines of the log");
	for (u32 i = 0; i < klog->nr && !res; i++)
		res = add_dedup_line(dedup, klog->lines[i].mono_ns, klog->lines[i].text,
				     klog->lines[i].len, err);
	for (u32 i = 0; i < pm->nr_streams && !res; i++)
		res = add_console_events(dedup, pm->streams[i], err);
	if (res) {
		klog_dedup_free(dedup);
		return res;
	}
	chain_dedup_lines(dedup);
	*ret = dedup;
	return 0;
}

void klog_dedup_free(struct klog_dedup *dedup)
{
	if (!dedup)
		return;
	free(dedup->list);
	free(dedup);
}

bool klog_dedup_take(struct klog_dedup *dedup, u64 time, const char *text, u32 len)
{
	u32 hash = klog_line_hash(text, len), steps = 0;
	u32 *at = &dedup->first[hash >> (32 - CHAIN_BITS)];

	while (*at != CHAIN_END && steps++ < MAX_STEPS) {
		struct dedup_line *line = &dedup->list[*at];

		if (line->time > time && line->time - time > BEHIND_NS)
			return false;
		if (line->time < time && time - line->time > BEFORE_NS) {
			*at = line->next;	/* too old for all later calls as well */
		} else if (line->hash == hash) {
			*at = line->next;
			return true;
		} else {
			at = &line->next;
		}
	}
	return false;
}
