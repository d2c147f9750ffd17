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
static bool is_of_cpu(const struct entry *entry, u32 cpu)
{
	const struct mce *mce;

	if (!entry->extra || entry->extra->kind != EXTRA_MCE)
		return entry->cpu == cpu;
	mce = entry->extra->data;
	return entry->cpu == cpu || mce->cpu == cpu;
}

bool window_wants(const struct window *window, const struct entry *entry)
{
	if (window->cpu >= 0 && !is_of_cpu(entry, window->cpu))
		return false;
	if (window->channel &&
	    (!entry->stream || fnmatch(window->channel, entry->stream->channel, 0)))
		return false;
	if (!entry_happened(entry))
		return true;
	if (window->pid >= 0 && entry->pid != window->pid)
		return false;
	if (window->comm && (!entry->comm || fnmatch(window->comm, entry->comm, 0)))
		return false;
	return !window->event || event_matches(window->event, entry_name(entry));
}

struct window_walk window_walk(const struct window *window)
{
	return (struct window_walk){
		.window = window, .skip = window->skip, .after = window->after,
	};
}

enum window_step window_step(struct window_walk *walk, const struct entry *entry)
{
	const struct window *window = walk->window;
	bool counts = entry_happened(entry);

	progress_printing(walk->done++, window->all);
	if (entry->time < window->from || !window_wants(window, entry))
		return WINDOW_PASS;
	if (walk->skip) {
		walk->skip -= counts;
		return WINDOW_PASS;
	}
	if (entry->time <= window->end || !counts)
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
static bool has_tallies(const struct window *window, const struct account *account)
{
	u32 i;

	if (is_picky(window) || window->damaged)
		return false;
	for (i = 0; i < account->nr_streams; i++)
		if (!account->streams[i]->ops->tally)
			return false;
	return true;
}

static void count_extras(const struct extras *extras, u64 from, u64 end, struct stream_counts *n)
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

static int add_tallies(const struct window *window, const struct account *account,
		       struct stream_counts *n, struct err *err)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < account->nr_streams && !ret; i++)
		ret = account->streams[i]->ops->tally(account->streams[i], window->from,
						      window->end, n, err);
	count_extras(&account->extras, window->from, window->end, n);
	return ret;
}

static int count_events(const struct window *window, struct account *account, u64 enough,
			struct stream_counts *n, struct err *err)
{
	struct timeline *tl;
	const struct entry *entry;
	u64 done = 0;
	int ret = timeline_open(&tl, account, window->from, window->damaged, err);

	if (ret)
		return ret;
	while (n->before + n->after <= enough && (entry = timeline_next(tl))) {
		progress("counting events", done++, account->total.events);
		if (!entry_happened(entry) || entry->time < window->from ||
		    !window_wants(window, entry))
			continue;
		if (entry->time <= window->end)
			n->before++;
		else
			n->after++;
	}
	progress_end();
	timeline_close(tl);
	return 0;
}

/* Matching events from window.from on; may stop counting beyond @enough. */
static int count(const struct window *window, struct account *account, u64 enough,
		 struct stream_counts *n, struct err *err)
{
	*n = (struct stream_counts){ 0 };
	if (has_tallies(window, account))
		return add_tallies(window, account, n, err);
	return count_events(window, account, enough, n, err);
}

static u64 events_since(const struct account *account, u64 from)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < account->nr_streams; i++)
		n += account->streams[i]->ops->count(account->streams[i], from);
	return n;
}

/* A time since when there are @n events or more until @end; 0: there are not. */
static u64 time_of_last(const struct account *account, u64 end, u64 n)
{
	u64 late = events_since(account, end);
	u64 span;

	for (span = 1024; span && span < end - account->total.first + 1; span *= 2)
		if (events_since(account, end - span) >= late + n)
			return end - span;
	return 0;
}

static u64 at_most(u64 n, u64 max)
{
	return n < max ? n : max;
}

/* As many before the end, and at most as many of what came after it. */
static int choose_events(struct window *window, struct account *account, u64 n,
			 struct err *err)
{
	u64 end = at_most(window->end, account->total.last);
	struct stream_counts found;
	u64 guess = n;
	int ret;

	do {
		window->from = time_of_last(account, end, guess);
		ret = count(window, account, ~0ULL - 1, &found, err);
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

static int choose_since(struct window *window, struct account *account, u64 from, u64 enough,
			struct err *err)
{
	struct stream_counts found;
	int ret;

	window->from = from;
	window->skip = 0;
	ret = count(window, account, enough, &found, err);
	window->after = found.after;
	window->hidden = 0;
	window->shown = found.before + found.after;
	return ret;
}

static int choose_ns(struct window *window, struct account *account, u64 ns, u64 enough,
		     struct err *err)
{
	u64 end = account->end.time;

	return choose_since(window, account, ns < end ? end - ns : 0, enough, err);
}

/* Nothing is counted where all are shown. */
static int choose_all(struct window *window, struct account *account, struct err *err)
{
	if (is_picky(window) || window->damaged)
		return choose_since(window, account, 0, ~0ULL - 1, err);
	window->from = 0;
	window->skip = 0;
	window->end = ~0ULL;
	window->shown = account->total.events + account->extras.nr;
	return 0;
}

static bool has_channel(const struct account *account, const char *glob)
{
	u32 i;

	for (i = 0; i < account->nr_streams; i++)
		if (!fnmatch(glob, account->streams[i]->channel, 0))
			return true;
	return false;
}

void window_prepare(const struct window *window, struct account *account)
{
	if (window->channel && account->trace)
		account->trace->whole_copies = true;
}

int window_choose(struct window *window, struct account *account, struct err *err)
{
	int ret = 0;

	if (window->channel && !has_channel(account, window->channel))
		ret = account_take_own(account, window->channel, err);
	if (ret)
		return ret;
	window->all = account->total.events;
	window->end = account->end.how != FATE_UNKNOWN ? account->end.time : ~0ULL;
	switch (window->kind) {
	case WINDOW_LAST_NS:
		return choose_ns(window, account, window->ns, ~0ULL - 1, err);
	case WINDOW_LAST_EVENTS:
		return choose_events(window, account, window->events, err);
	case WINDOW_ALL:
		return choose_all(window, account, err);
	case WINDOW_DEFAULT:
		break;
	}
	ret = choose_ns(window, account, WINDOW_NS, WINDOW_MANY, err);
	if (ret || (window->shown >= WINDOW_EVENTS && window->shown <= WINDOW_MANY)) {
		window->kind = WINDOW_LAST_NS;
		window->ns = WINDOW_NS;
		return ret;
	}
	window->kind = WINDOW_LAST_EVENTS;
	window->events = WINDOW_EVENTS;
	return choose_events(window, account, WINDOW_EVENTS, err);
}
