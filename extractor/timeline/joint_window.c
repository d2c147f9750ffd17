// SPDX-License-Identifier: GPL-2.0-or-later
#include "joint_window.h"

#include <string.h>

#include "os/progress.h"

static bool is_counted(const struct joint_window *window, const struct joint_event *event)
{
	return item_happened(event->item) && event->item->time >= window->from && window_wants(window->asked, event->item);
}

static struct joint_part *part_of(struct joint_window *window, const struct joint_event *event)
{
	return &window->parts[event->guest ? 1 + (event->guest - window->joint->list) : 0];
}

static void count_event(struct joint_window *window, const struct joint_event *event)
{
	struct joint_part *part = part_of(window, event);

	if (event->item->time <= window->end)
		part->before++;
	else
		part->after++;
}

static void meet_spans(struct joint_window *window)
{
	for (u32 i = 1; i <= window->joint->nr; i++)
		window->parts[i].met += window->parts[i].first != ~0ULL;
}

/* Where the last events of a guest begin and end, and how many of the host lie there. */
static void find_span(struct joint_window *window, const struct joint_event *event)
{
	struct joint_part *part = part_of(window, event);
	u64 time = event->item->time;

	if (time > window->end)
		return;
	if (part->skip) {
		part->skip--;
		if (!event->guest)
			meet_spans(window);
		return;
	}
	if (part->first > time)
		part->first = time;
	part->last = time;
	part->beside = part->met;
}

static int walk_counted(struct joint_window *window, struct joint *joint,
			void (*see)(struct joint_window *window, const struct joint_event *event), struct err *err)
{
	const struct joint_event *event;
	struct joint_walk *walk;
	u64 done = 0;
	int ret = joint_walk_open(&walk, joint, window->from, window->asked->damaged, err);

	if (ret)
		return ret;
	while ((event = joint_next(walk))) {
		progress("counting events", done++, joint->host->total.events);
		if (is_counted(window, event))
			see(window, event);
	}
	progress_end();
	joint_walk_close(walk);
	return 0;
}

static int count_joint_events(struct joint_window *window, struct joint *joint, struct err *err)
{
	memset(window->parts, 0, sizeof(window->parts));
	return walk_counted(window, joint, count_event, err);
}

static void set_skips(struct joint_window *window)
{
	for (u32 i = 0; i < ARRAY_SIZE(window->parts); i++) {
		struct joint_part *part = &window->parts[i];

		part->skip = window->events && part->before > window->events ? part->before - window->events : 0;
		part->beside_skip = part->beside > JOINT_BESIDE * window->events ? part->beside - JOINT_BESIDE * window->events : 0;
		part->more = window->events && part->after > window->events ? window->events : part->after;
	}
}

static int find_spans(struct joint_window *window, struct joint *joint, struct err *err)
{
	int ret;

	for (u32 i = 0; i < ARRAY_SIZE(window->parts); i++)
		window->parts[i].first = ~0ULL;
	set_skips(window);
	ret = walk_counted(window, joint, find_span, err);
	set_skips(window);
	return ret;
}

int joint_window_choose(struct joint_window *ret, const struct window *asked, struct joint *joint, struct err *err)
{
	const struct postmortem_end *end = &joint->host->end;
	int res;

	*ret = (struct joint_window){
		.asked = asked, .joint = joint, .end = end->how == OUTCOME_UNKNOWN ? ~0ULL : end->time,
	};
	if (asked->kind == WINDOW_LAST_NS)
		ret->from = asked->ns < end->time ? end->time - asked->ns : 0;
	else if (asked->kind != WINDOW_ALL)
		ret->events = asked->kind == WINDOW_LAST_EVENTS ? asked->events : WINDOW_EVENTS;
	res = count_joint_events(ret, joint, err);
	if (!res && joint_refute(joint))
		res = count_joint_events(ret, joint, err);
	joint->matched = 0;
	for (u32 i = 0; i <= joint->nr; i++)
		joint->matched += ret->parts[i].before + ret->parts[i].after;
	if (!res && ret->events)
		res = find_spans(ret, joint, err);
	else
		set_skips(ret);
	return res;
}

/* What the host did beside the last events of a guest; of that, the last. */
static bool is_beside_guest(struct joint_window *window, const struct item *item)
{
	bool ret = false;

	for (u32 i = 1; i <= window->joint->nr && window->events; i++) {
		struct joint_part *part = &window->parts[i];

		if (item->time < part->first || item->time > part->last)
			continue;
		if (part->beside_skip)
			part->beside_skip -= item_happened(item);
		else
			ret = true;
	}
	return ret;
}

bool joint_window_shows(struct joint_window *window, const struct joint_event *event)
{
	struct joint_part *part = part_of(window, event);
	const struct item *item = event->item;

	if (item->kind == ITEM_CRASH)
		return true;
	if (item->kind == ITEM_MARK)
		return part->skip <= 1 && item->time >= window->from;
	if (item->time < window->from || !window_wants(window->asked, item))
		return false;
	if (part->skip) {
		part->skip -= item_happened(item);
		return !event->guest && is_beside_guest(window, item);
	}
	if (item->time <= window->end || !item_happened(item))
		return true;
	if (!part->more)
		return false;
	part->more--;
	return true;
}

bool joint_window_shows_loss(struct joint_window *window, const struct joint_event *event, struct item *loss)
{
	const struct item *item = event->item;

	return !part_of(window, event)->skip && item->time >= window->from && !window_wants(window->asked, item) &&
	       window_loss(window->asked, item, loss);
}
