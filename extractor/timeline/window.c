// SPDX-License-Identifier: GPL-2.0-or-later
#include "window.h"

#include <fnmatch.h>

#include "os/progress.h"

/* "system:name", or the name alone. */
static bool event_matches(const char *glob, const char *name)
{
	const char *colon = name;

	while (*colon && *colon != ':')
		colon++;
	return !fnmatch(glob, name, 0) || (*colon && !fnmatch(glob, colon + 1, 0));
}

/* A machine check: where it was recorded, and whose bank it is of. */
static bool is_of_cpu(const struct item *item, u32 cpu)
{
	const struct mce *mce;

	if (!item->extra || item->extra->kind != AUX_EVENT_MCE)
		return item->cpu == cpu;
	mce = item->extra->data;
	return item->cpu == cpu || mce->cpu == cpu;
}

bool window_wants(const struct window *window, const struct item *item)
{
	if (window->cpu >= 0 && !is_of_cpu(item, window->cpu))
		return false;
	if (window->channel &&
	    (!item->stream || fnmatch(window->channel, item->stream->channel, 0)))
		return false;
	if (!item_happened(item))
		return true;
	if (window->pid >= 0 && item->pid != window->pid)
		return false;
	if (window->comm && (!item->comm || fnmatch(window->comm, item->comm, 0)))
		return false;
	return !window->event || event_matches(window->event, item_name(item));
}

struct window_walk window_walk(const struct window *window)
{
	return (struct window_walk){
		.window = window, .skip = window->skip, .after = window->after,
	};
}

enum window_step window_step(struct window_walk *walk, const struct item *item)
{
	const struct window *window = walk->window;
	bool counts = item_happened(item);

	progress_printing(walk->done++, window->all);
	if (item->time < window->from || !window_wants(window, item))
		return WINDOW_PASS;
	if (walk->skip) {
		walk->skip -= counts;
		return WINDOW_PASS;
	}
	if (item->time <= window->end || !counts)
		return WINDOW_SHOW;
	if (!walk->after)
		return WINDOW_STOP;
	walk->after--;
	return WINDOW_SHOW;
}

static bool is_picky(const struct window *window)
{
	return window->cpu >= 0 || window->pid >= 0 || window->comm || window->event || window->channel;
}

/* Can every stream tell how many there are, without the events themselves? */
static bool has_tallies(const struct window *window, const struct postmortem *pm)
{
	u32 i;

	if (is_picky(window) || window->damaged)
		return false;
	for (i = 0; i < pm->nr_streams; i++)
		if (!pm->streams[i]->ops->tally)
			return false;
	return true;
}

static void count_extras(const struct aux_events *extras, u64 from, u64 end, struct stream_counts *n)
{
	u32 i;

	for (i = 0; i < extras->nr; i++) {
		if (extras->list[i].time < from)
			continue;
		if (extras->list[i].time <= end)
			n->before++;
		else
			n->after++;
	}
}

static int add_tallies(const struct window *window, const struct postmortem *pm,
		       struct stream_counts *n, struct err *err)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < pm->nr_streams && !ret; i++)
		ret = pm->streams[i]->ops->tally(pm->streams[i], window->from,
						 window->end, n, err);
	count_extras(&pm->aux_events, window->from, window->end, n);
	return ret;
}

static int count_events(const struct window *window, struct postmortem *pm, u64 enough,
			struct stream_counts *n, struct err *err)
{
	struct timeline *tl;
	const struct item *item;
	u64 done = 0;
	int ret = timeline_open(&tl, pm, window->from, window->damaged, err);

	if (ret)
		return ret;
	while (n->before + n->after <= enough && (item = timeline_next(tl))) {
		progress("counting events", done++, pm->total.events);
		if (!item_happened(item) || item->time < window->from ||
		    !window_wants(window, item))
			continue;
		if (item->time <= window->end)
			n->before++;
		else
			n->after++;
	}
	progress_end();
	timeline_close(tl);
	return 0;
}

/* Matching events from window.from on; may stop counting beyond @enough. */
static int count(const struct window *window, struct postmortem *pm, u64 enough,
		 struct stream_counts *n, struct err *err)
{
	*n = (struct stream_counts){ 0 };
	if (has_tallies(window, pm))
		return add_tallies(window, pm, n, err);
	return count_events(window, pm, enough, n, err);
}

static u64 events_since(const struct postmortem *pm, u64 from)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < pm->nr_streams; i++)
		n += pm->streams[i]->ops->count(pm->streams[i], from);
	return n;
}

/* A time since when there are @n events or more until @end; 0: there are not. */
static u64 time_of_last(const struct postmortem *pm, u64 end, u64 n)
{
	u64 late = events_since(pm, end);
	u64 span;

	for (span = 1024; span && span < end - pm->total.first + 1; span *= 2)
		if (events_since(pm, end - span) >= late + n)
			return end - span;
	return 0;
}

static u64 at_most(u64 n, u64 max)
{
	return n < max ? n : max;
}

/* As many before the end, and at most as many of what came after it. */
static int choose_events(struct window *window, struct postmortem *pm, u64 n,
			 struct err *err)
{
	u64 end = at_most(window->end, pm->total.last);
	struct stream_counts found;
	u64 guess = n;
	int ret;

	do {
		window->from = time_of_last(pm, end, guess);
		ret = count(window, pm, ~0ULL - 1, &found, err);
		if (ret)
			return ret;
		guess = guess > ~0ULL / 16 ? ~0ULL : guess * 16;
	} while (found.before < n && window->from);
	window->skip = found.before - at_most(found.before, n);
	window->after = at_most(found.after, n);
	window->hidden = found.after - window->after;
	window->shown = at_most(found.before, n) + window->after;
	return 0;
}

static int choose_since(struct window *window, struct postmortem *pm, u64 from, u64 enough,
			struct err *err)
{
	struct stream_counts found;
	int ret;

	window->from = from;
	window->skip = 0;
	ret = count(window, pm, enough, &found, err);
	window->after = found.after;
	window->hidden = 0;
	window->shown = found.before + found.after;
	return ret;
}

static int choose_ns(struct window *window, struct postmortem *pm, u64 ns, u64 enough,
		     struct err *err)
{
	u64 end = pm->end.time;

	return choose_since(window, pm, ns < end ? end - ns : 0, enough, err);
}

/* Nothing is counted where all are shown. */
static int choose_all(struct window *window, struct postmortem *pm, struct err *err)
{
	if (is_picky(window) || window->damaged)
		return choose_since(window, pm, 0, ~0ULL - 1, err);
	window->from = 0;
	window->skip = 0;
	window->end = ~0ULL;
	window->shown = pm->total.events + pm->aux_events.nr;
	return 0;
}

static bool has_channel(const struct postmortem *pm, const char *glob)
{
	u32 i;

	for (i = 0; i < pm->nr_streams; i++)
		if (!fnmatch(glob, pm->streams[i]->channel, 0))
			return true;
	return false;
}

void window_prepare(const struct window *window, struct postmortem *pm)
{
	if (window->channel && pm->recording)
		pm->recording->whole_copies = true;
}

int window_choose(struct window *window, struct postmortem *pm, struct err *err)
{
	int ret = 0;

	if (window->channel && !has_channel(pm, window->channel))
		ret = pm_select_isolated(pm, window->channel, err);
	if (ret)
		return ret;
	window->all = pm->total.events;
	window->end = pm->end.how != OUTCOME_UNKNOWN ? pm->end.time : ~0ULL;
	switch (window->kind) {
	case WINDOW_LAST_NS:
		return choose_ns(window, pm, window->ns, ~0ULL - 1, err);
	case WINDOW_LAST_EVENTS:
		return choose_events(window, pm, window->events, err);
	case WINDOW_ALL:
		return choose_all(window, pm, err);
	case WINDOW_DEFAULT:
		break;
	}
	ret = choose_ns(window, pm, WINDOW_NS, WINDOW_MANY, err);
	if (ret || (window->shown >= WINDOW_EVENTS && window->shown <= WINDOW_MANY)) {
		window->kind = WINDOW_LAST_NS;
		window->ns = WINDOW_NS;
		return ret;
	}
	window->kind = WINDOW_LAST_EVENTS;
	window->events = WINDOW_EVENTS;
	return choose_events(window, pm, WINDOW_EVENTS, err);
}
