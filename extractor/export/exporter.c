// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/timeline.h"

#define OWN_CHANNEL	"epitaph"

static int add_lane(struct exporter *ex, const char *channel, u32 cpu, struct err *err)
{
	struct lane *lanes = ex->lanes;
	u32 i, n = ex->nr_lanes;

	if (!(n & (n - 1)))
		lanes = reallocarray(lanes, n ? 2 * n : 1, sizeof(*lanes));
	if (!lanes)
		return err_sys(err, "memory for %u lanes", n + 1);
	ex->lanes = lanes;
	lanes[n] = (struct lane){ .channel = channel, .cpu = cpu < EXPORTER_MAX_CPU ? cpu : NO_CPU };
	for (i = 0; i < n; i++)
		lanes[n].copy += lanes[i].cpu == lanes[n].cpu && !strcmp(lanes[i].channel, channel);
	ex->nr_lanes++;
	return 0;
}

/* A lane for each stream, under its number. */
static int add_lanes(struct exporter *ex, struct err *err)
{
	const struct postmortem *pm = ex->pm;
	int ret = 0;
	u32 i;

	for (i = 0; i < pm->nr_streams && !ret; i++)
		ret = add_lane(ex, pm->streams[i]->channel, pm->streams[i]->cpu, err);
	return ret;
}

int exporter_open(struct exporter *ex, struct postmortem *pm, const struct window *window,
		  struct err *err)
{
	int ret;

	*ex = (struct exporter){ .pm = pm, .window = window, .order = ORDER_LITTLE };
	if (pm->nr_streams)
		ex->order = pm->streams[0]->order;
	ex->own.order = ex->order;
	ret = event_classes_new(&ex->classes, ex->order, err);
	return ret ? ret : add_lanes(ex, err);
}

const char *exporter_clock(const struct exporter *ex)
{
	const struct ftrace_buffer *own = ex->pm->isolated_buffer;

	if (!own)
		return "mono";
	/* As report takes one for ns whose name is lost. */
	return *own->clock.name != '?' ? own->clock.name : own->clock.kind == FTRACE_CLOCK_NONE ? "counter" : "local";
}

void exporter_close(struct exporter *ex)
{
	event_classes_free(ex->classes);
	pack_free(&ex->own);
	free(ex->lanes);
}

/*
 * What comes out of no stream has a lane of its own for each CPU; so has what says itself on
 * which one it was, out of a ring that no CPU owns.
 */
static int lane_of(struct exporter *ex, const struct item *item, u32 *ret, struct err *err)
{
	u32 cpu = item->cpu < EXPORTER_MAX_CPU ? item->cpu : NO_CPU;
	const char *channel = item->stream ? item->stream->channel : OWN_CHANNEL;
	u32 i = ex->pm->nr_streams;

	if (item->stream && (item->stream->cpu != NO_CPU || cpu == NO_CPU)) {
		*ret = item->stream->rank;
		return 0;
	}
	while (i < ex->nr_lanes &&
	       (ex->lanes[i].cpu != cpu || strcmp(ex->lanes[i].channel, channel)))
		i++;
	*ret = i;
	return i < ex->nr_lanes ? 0 : add_lane(ex, channel, cpu, err);
}

static void give_own(struct exporter *ex, struct exported *event)
{
	const struct item *item = event->item;
	bool whole;

	if (item->extra) {
		whole = synthetic_pack_aux(&ex->own, item->extra);
	} else {
		whole = synthetic_pack_raw(&ex->own, item, item_name(item));
		ex->raw++;
	}
	ex->cut += !whole;
	event->payload = ex->own.data;
	event->size = ex->own.size;
}

/* @lane: the lane of the stream. count_left_out() counts there, and ignores the event's CPU. */
static void give_loss(struct lane *lane, struct exported *event)
{
	const struct item *item = event->item;

	event->lost = lane->withheld;
	event->is_lost = lane->withheld || lane->is_lost || (item->marks & (ITEM_LOST_BEFORE | ITEM_LAPPED));
	if (item->marks & ITEM_LOST_COUNTED)
		event->lost += item->nr_lost;
	lane->withheld = 0;
	lane->is_lost = false;
}

static int pass_on_event(struct exporter *ex, const struct item *item, struct exported *event,
			 struct err *err)
{
	int ret = lane_of(ex, item, &event->lane, err);

	if (ret)
		return ret;
	event->item = item;
	event->class = event_classes_of(ex->classes, item, ex->stacks);
	if (!event->class)
		return err_sys(err, "memory for the kinds of events");
	if (event->class->id <= SYNTHETIC_NR) {
		give_own(ex, event);
	} else {
		event->payload = item->payload;
		event->size = item->size;
	}
	give_loss(&ex->lanes[item->stream ? item->stream->rank : event->lane], event);
	ex->shown++;
	return ex->own.failed ? err_sys(err, "memory for an event") : 0;
}

/* Not an event. Marks and the crash have no place in these formats. */
static void count_left_out(struct exporter *ex, const struct item *item)
{
	struct lane *lane = item->stream ? &ex->lanes[item->stream->rank] : NULL;

	if (item->kind == ITEM_TORN) {
		ex->torn++;
	} else if (item->kind == ITEM_LOSS) {
		lane->withheld += item->marks & ITEM_LOST_COUNTED ? item->nr_lost : 0;
		lane->is_lost = true;
	} else if (lane) {
		ex->withheld += item->nr_lost;
		lane->withheld += item->nr_lost;
		lane->is_lost |= !!(item->marks & ITEM_LAPPED);
	}
}

int exporter_give(struct exporter *ex, const struct item *item,
		  int (*take)(void *priv, const struct exported *event), void *priv,
		  struct err *err)
{
	struct exported event;
	int ret;

	if (!item_happened(item)) {
		count_left_out(ex, item);
		return 0;
	}
	ret = pass_on_event(ex, item, &event, err);
	return ret ? ret : take(priv, &event);
}

static int walk_timeline(struct exporter *ex, struct timeline *tl,
			 int (*take)(void *priv, const struct exported *event), void *priv,
			 struct err *err)
{
	struct window_walk walk = window_walk(ex->window);
	const struct item *item;
	int ret = 0;

	while (!ret && (item = window_next(&walk, tl)))
		ret = exporter_give(ex, item, take, priv, err);
	return ret;
}

int exporter_run(struct exporter *ex, int (*take)(void *priv, const struct exported *event),
		 void *priv, struct err *err)
{
	struct timeline *tl;
	u32 i;
	int ret = timeline_open(&tl, ex->pm, ex->window->from, ex->window->damaged, err);

	if (ret)
		return ret;
	ex->shown = ex->raw = ex->cut = ex->torn = ex->withheld = 0;
	for (i = 0; i < ex->nr_lanes; i++)
		ex->lanes[i].withheld = ex->lanes[i].is_lost = 0;
	ret = walk_timeline(ex, tl, take, priv, err);
	timeline_close(tl);
	return ret;
}

static void print_export_count(const char *format, u64 n, const char *one, const char *many)
{
	if (n)
		fprintf(stderr, "epitaph export: %s: %llu %s\n", format, n, n == 1 ? one : many);
}

void exporter_tell(const struct exporter *ex, const char *format)
{
	print_export_count(format, ex->torn, "unfinished event has no place in it and is left out",
		     "unfinished events have no place in it and are left out");
	print_export_count(format, ex->withheld, "event of a damaged sub-buffer is left out; it counts as lost",
		     "events of damaged sub-buffers are left out; they count as lost");
	print_export_count(format, ex->raw, "event does not fit its format, or it is lost: given as bytes",
		     "events do not fit their format, or it is lost: given as bytes");
	print_export_count(format, ex->cut, "text or event was too long for it and is cut",
		     "texts or events were too long for it and are cut");
}
