// SPDX-License-Identifier: GPL-2.0-or-later
#include "window.h"

#include <fnmatch.h>

#include "os/progress.h"

/* Events that are worth several processes, if the user asks for them and if not. */
#define TURNS_WORTH	(16 * TURN_STEPS)
#define TURNS_WORTH_UNASKED	(2048 * TURN_STEPS)

/* @glob is for "system:name" or for the name alone. */
static bool event_matches(const char *glob, const char *name)
{
	const char *colon = name;

	while (*colon && *colon != ':')
		colon++;
	return !fnmatch(glob, name, 0) || (*colon && !fnmatch(glob, colon + 1, 0));
}

/* A machine check is of the CPU that recorded it and of the CPU whose bank it was in. */
static bool is_of_cpu(const struct item *item, u32 cpu)
{
	const struct mce *mce;

	if (!item->extra || item->extra->kind != AUX_EVENT_MCE)
		return item->cpu == cpu;
	mce = item->extra->data;
	return item->cpu == cpu || mce->cpu == cpu;
}

bool window_loss(const struct window *window, const struct item *item, struct item *loss)
{
	u32 marks = item->marks & (ITEM_LOST_BEFORE | ITEM_LOST_COUNTED | ITEM_LAPPED);

	if (item->kind != ITEM_EVENT || !marks)
		return false;
	*loss = *item;
	loss->kind = ITEM_LOSS;
	loss->marks = marks;
	return window_wants(window, loss);
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

/* Is what is shown chosen by the kernel's events, with a part of what programs wrote beside them? */
static bool is_not_counted(const struct window *window, const struct stream *stream)
{
	return window->per_program && stream && stream->program;
}

struct turns *window_turns(const struct window *window, const struct postmortem *pm)
{
	struct turns *turns = window->turns;

	/* What debuginfo lacks is known when all is printed. */
	if (!turns || turns->nr < 2 || pm->debuginfo)
		return NULL;
	return window->shown >= (turns->asked ? TURNS_WORTH : TURNS_WORTH_UNASKED) ? turns : NULL;
}

struct window_walk window_walk(const struct window *window)
{
	return (struct window_walk){
		.window = window, .skip = window->skip, .after = window->after,
	};
}

enum window_step {
	WINDOW_SHOW,
	WINDOW_SHOW_LOSS,	/* walk->loss instead */
	WINDOW_PASS,
	WINDOW_STOP,		/* no later event is shown */
};

static enum window_step window_step(struct window_walk *walk, const struct item *item)
{
	const struct window *window = walk->window;
	bool is_of_program = is_not_counted(window, item->stream);
	bool counts = item_happened(item) && !is_of_program;

	if (item->kind == ITEM_CRASH)
		return WINDOW_SHOW;
	if (item->kind == ITEM_MARK)
		return walk->skip > 1 ? WINDOW_PASS : WINDOW_SHOW;
	progress_printing(walk->done++, window->all);
	if (item->time < window->from)
		return WINDOW_PASS;
	if (!window_wants(window, item))
		return !walk->skip && window_loss(window, item, &walk->loss) ? WINDOW_SHOW_LOSS : WINDOW_PASS;
	if (walk->skip) {
		walk->skip -= counts;
		return WINDOW_PASS;
	}
	if (item->time <= window->end || is_of_program || !counts)
		return WINDOW_SHOW;
	if (!walk->after)
		return WINDOW_STOP;
	walk->after--;
	return WINDOW_SHOW;
}

const struct item *window_next(struct window_walk *walk, struct timeline *timeline)
{
	const struct item *item;

	while ((item = timeline_next(timeline))) {
		switch (window_step(walk, item)) {
		case WINDOW_SHOW:
			return item;
		case WINDOW_SHOW_LOSS:
			return &walk->loss;
		case WINDOW_STOP:
			timeline_drop_events(timeline);
			break;
		case WINDOW_PASS:
			break;
		}
	}
	return NULL;
}

/* Are there options that only some events match? */
static bool is_filtered(const struct window *window)
{
	return window->cpu >= 0 || window->pid >= 0 || window->comm || window->event ||
	       window->channel;
}

/* Can every stream count its events without reading them? */
static bool has_tallies(const struct window *window, const struct postmortem *pm)
{
	u32 i;

	if (is_filtered(window) || window->damaged)
		return false;
	for (i = 0; i < pm->nr_streams; i++)
		if (!pm->streams[i]->ops->tally)
			return false;
	return true;
}

static int add_tallies(const struct window *window, const struct postmortem *pm,
		       struct stream_counts *n, struct err *err)
{
	const struct aux_event *aux = pm->aux_events.list;
	int ret = 0;
	u32 i;

	for (i = 0; i < pm->nr_streams && !ret; i++)
		ret = is_not_counted(window, pm->streams[i]) ? 0 :
		      pm->streams[i]->ops->tally(pm->streams[i], window->from,
						 window->end, n, err);
	for (i = 0; i < pm->aux_events.nr; i++) {
		n->before += aux[i].time >= window->from && aux[i].time <= window->end;
		n->after += aux[i].time >= window->from && aux[i].time > window->end;
	}
	return ret;
}

/* Count matching events from window.from on; the count may stop beyond @enough. */
static int count_matching(const struct window *window, struct postmortem *pm, u64 enough,
			  struct stream_counts *n, struct err *err)
{
	struct timeline *tl;
	const struct item *item;
	u64 done = 0;
	int ret;

	*n = (struct stream_counts){ 0 };
	if (has_tallies(window, pm))
		return add_tallies(window, pm, n, err);
	ret = timeline_open(&tl, pm, window->from, window->damaged, err);
	if (ret)
		return ret;
	while (n->before + n->after <= enough && (item = timeline_next(tl))) {
		progress("counting events", done++, pm->total.events);
		if (!item_happened(item) || item->time < window->from || is_not_counted(window, item->stream) ||
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

static u64 events_since(const struct window *window, const struct postmortem *pm, u64 from)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < pm->nr_streams; i++)
		if (!is_not_counted(window, pm->streams[i]))
			n += pm->streams[i]->ops->count(pm->streams[i], from);
	return n;
}

/* A time from which @n events or more lie before @end; 0: there are fewer. */
static u64 time_of_last(const struct window *window, const struct postmortem *pm, u64 end, u64 n)
{
	u64 late = events_since(window, pm, end);
	u64 span;

	for (span = 1024; span && span < end - pm->total.first + 1; span *= 2)
		if (events_since(window, pm, end - span) >= late + n)
			return end - span;
	return 0;
}

static u64 smaller_of(u64 a, u64 b)
{
	return a < b ? a : b;
}

/* Show the last @n events before the end, and at most @n after it. */
static int choose_events(struct window *window, struct postmortem *pm, u64 n,
			 struct err *err)
{
	u64 end = smaller_of(window->end, pm->total.last);
	struct stream_counts found;
	u64 guess = n;
	int ret;

	do {
		window->from = time_of_last(window, pm, end, guess);
		ret = count_matching(window, pm, ~0ULL - 1, &found, err);
		if (ret)
			return ret;
		guess = guess > ~0ULL / 16 ? ~0ULL : guess * 16;
	} while (found.before < n && window->from);
	window->skip = found.before - smaller_of(found.before, n);
	window->after = smaller_of(found.after, n);
	window->hidden = found.after - window->after;
	window->shown = smaller_of(found.before, n) + window->after;
	return 0;
}

static int choose_since(struct window *window, struct postmortem *pm, u64 from, u64 enough,
			struct err *err)
{
	struct stream_counts found;
	int ret;

	window->from = from;
	window->skip = 0;
	ret = count_matching(window, pm, enough, &found, err);
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

static bool has_channel(const struct postmortem *pm, const char *glob)
{
	u32 i;

	for (i = 0; i < pm->nr_streams; i++)
		if (!fnmatch(glob, pm->streams[i]->channel, 0))
			return true;
	return false;
}

bool window_is_isolated(const struct window *window, const struct postmortem *pm)
{
	return window->channel && !has_channel(pm, window->channel) && pm_isolated_buffer(pm, window->channel);
}

void window_prepare(const struct window *window, struct postmortem *pm)
{
	if (window->channel && pm->recording)
		pm->recording->whole_copies = true;
}

void window_prepare_tail(const struct window *window, struct postmortem *pm)
{
	if (!pm->recording || window->kind != WINDOW_LAST_NS || is_filtered(window) || window->damaged)
		return;
	pm->recording->tail_ns = window->ns ? window->ns : 1;
	pm->recording->tail_end = pm->end.how != OUTCOME_UNKNOWN ? pm->end.time : 0;
}

/* Who asks for a time, or for some events, gets what programs wrote as all else. */
static u64 window_of_programs(const struct window *window)
{
	u64 events = window->kind == WINDOW_LAST_EVENTS ? window->events : WINDOW_EVENTS;

	if (is_filtered(window) || window->damaged ||
	    (window->kind != WINDOW_DEFAULT && window->kind != WINDOW_LAST_EVENTS))
		return 0;
	return events / 4 ? events / 4 : 1;
}

/* Of each program's ring the last of those that are in the window, as time says. */
static int choose_of_programs(struct window *window, struct postmortem *pm, struct err *err)
{
	u32 i;

	for (i = 0; i < pm->nr_streams; i++) {
		struct stream *stream = pm->streams[i];
		struct stream_counts n = { 0 };
		int ret;

		if (!is_not_counted(window, stream))
			continue;
		ret = stream->ops->tally(stream, window->from, ~0ULL, &n, err);
		if (ret)
			return ret;
		stream->skip = n.before - smaller_of(n.before, window->per_program);
		window->of_programs += n.before - stream->skip;
		window->left_out += stream->skip;
	}
	return 0;
}

static int choose_default(struct window *window, struct postmortem *pm, struct err *err)
{
	int ret = choose_ns(window, pm, WINDOW_NS, WINDOW_MANY, err);

	if (ret || (window->shown >= WINDOW_EVENTS && window->shown <= WINDOW_MANY)) {
		window->kind = WINDOW_LAST_NS;
		window->ns = WINDOW_NS;
		return ret;
	}
	window->kind = WINDOW_LAST_EVENTS;
	window->events = WINDOW_EVENTS;
	return choose_events(window, pm, WINDOW_EVENTS, err);
}

int window_choose(struct window *window, struct postmortem *pm, struct err *err)
{
	int ret = 0;

	if (window_is_isolated(window, pm))
		ret = pm_select_isolated(pm, window->channel, err);
	if (ret)
		return ret;
	window->all = pm->total.events;
	window->per_program = window_of_programs(window);
	window->end = pm->end.how != OUTCOME_UNKNOWN ? pm->end.time : ~0ULL;
	switch (window->kind) {
	case WINDOW_LAST_NS:
		return choose_ns(window, pm, window->ns, ~0ULL - 1, err);
	case WINDOW_LAST_EVENTS:
		ret = choose_events(window, pm, window->events, err);
		return ret ? ret : choose_of_programs(window, pm, err);
	case WINDOW_ALL:
		if (is_filtered(window) || window->damaged)
			return choose_since(window, pm, 0, ~0ULL - 1, err);
		/* All are shown: there is nothing to count. */
		window->from = 0;
		window->skip = 0;
		window->end = ~0ULL;
		window->shown = pm->total.events + pm->aux_events.nr;
		return 0;
	case WINDOW_DEFAULT:
		break;
	}
	ret = choose_default(window, pm, err);
	return ret ? ret : choose_of_programs(window, pm, err);
}
