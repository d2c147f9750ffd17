// SPDX-License-Identifier: GPL-2.0-or-later
#include "window.h"

#include <fnmatch.h>

u64 window_end(const struct trace *trace)
{
	if (trace->crash.known)
		return trace->crash.clock >> trace->clock.shift;
	return trace->total.any ? trace->total.last : trace->total.end;
}

/* "system:name", or the name alone. */
static bool event_matches(const char *glob, const char *name)
{
	const char *colon = name;

	while (*colon && *colon != ':')
		colon++;
	return !fnmatch(glob, name, 0) || (*colon && !fnmatch(glob, colon + 1, 0));
}

bool window_wants(const struct window *window, struct trace *trace,
		  const struct entry *entry)
{
	if (window->cpu >= 0 && entry->ring->cpu != window->cpu)
		return false;
	if (entry->kind != ENTRY_EVENT)
		return true;
	if (window->pid >= 0 && entry->pid != window->pid)
		return false;
	if (window->comm && (!entry->comm || fnmatch(window->comm, entry->comm, 0)))
		return false;
	return !window->event ||
	       event_matches(window->event, formats_name(trace->formats, entry->id));
}

/* Matching events from @from on; stops counting beyond @enough. */
static int count_from(const struct window *window, struct trace *trace, u64 from,
		      u64 enough, u64 *ret_count, struct err *err)
{
	struct timeline *tl;
	const struct entry *entry;
	u64 n = 0;
	int ret = timeline_open(&tl, trace, from, window->damaged, err);

	if (ret)
		return ret;
	while (n <= enough && (entry = timeline_next(tl)))
		n += entry->kind == ENTRY_EVENT && entry->time >= from &&
		     window_wants(window, trace, entry);
	timeline_close(tl);
	*ret_count = n;
	return 0;
}

/* Sub-buffers that begin at @from or later hold how many events? */
static u64 events_since(const struct trace *trace, u64 from)
{
	u64 n = 0;
	u32 i, k;

	for (i = 0; i < trace->nr_rings; i++) {
		const struct scan *scan = &trace->rings[i].scan;

		for (k = scan->nr_subs; k > 0; k--)
			if (scan->subs[k - 1].first >= from)
				n += scan->subs[k - 1].nr_events;
	}
	return n;
}

/* A time since when there are @n events or more; 0: there are not. */
static u64 time_of_last(const struct trace *trace, u64 n)
{
	u64 end = trace->total.last;
	u64 span;

	for (span = 1024; span && span < end - trace->total.first + 1; span *= 2)
		if (events_since(trace, end - span) >= n)
			return end - span;
	return 0;
}

static int choose_events(struct window *window, struct trace *trace, u64 n,
			 struct err *err)
{
	u64 guess = n, count = 0;
	int ret;

	do {
		window->from = time_of_last(trace, guess);
		ret = count_from(window, trace, window->from, ~0ULL - 1, &count, err);
		if (ret)
			return ret;
		guess = guess > ~0ULL / 16 ? ~0ULL : guess * 16;
	} while (count < n && window->from);
	window->shown = count < n ? count : n;
	window->skip = count - window->shown;
	return 0;
}

static int choose_ns(struct window *window, struct trace *trace, u64 ns, u64 enough,
		     struct err *err)
{
	window->from = clock_before(&trace->clock, window_end(trace), ns);
	window->skip = 0;
	return count_from(window, trace, window->from, enough, &window->shown, err);
}

static bool is_filtered(const struct window *window)
{
	return window->cpu >= 0 || window->pid >= 0 || window->comm ||
	       window->event || window->damaged;
}

int window_choose(struct window *window, struct trace *trace, struct err *err)
{
	int ret;

	switch (window->kind) {
	case WINDOW_LAST_NS:
		return choose_ns(window, trace, window->ns, ~0ULL - 1, err);
	case WINDOW_LAST_EVENTS:
		return choose_events(window, trace, window->events, err);
	case WINDOW_ALL:
		window->from = 0;
		window->skip = 0;
		if (!is_filtered(window)) {
			window->shown = trace->total.events;
			return 0;
		}
		return count_from(window, trace, 0, ~0ULL - 1, &window->shown, err);
	case WINDOW_DEFAULT:
		break;
	}
	ret = choose_ns(window, trace, WINDOW_NS, WINDOW_MANY, err);
	if (ret || (window->shown >= WINDOW_EVENTS && window->shown <= WINDOW_MANY)) {
		window->kind = WINDOW_LAST_NS;
		window->ns = WINDOW_NS;
		return ret;
	}
	window->kind = WINDOW_LAST_EVENTS;
	window->events = WINDOW_EVENTS;
	return choose_events(window, trace, WINDOW_EVENTS, err);
}
