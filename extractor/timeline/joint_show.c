// SPDX-License-Identifier: GPL-2.0-or-later
#include "joint_show.h"

#include <stdlib.h>

/*
 * @shortest: gap that is shown
 * @event: is the next one, but for gaps before it; NULL: it is not read yet
 * @wait: ends with the event that was given last; NULL: none does
 * @open: gaps that did not end, by where they are known no more; @given of them are before @event
 * @lost: what was lost before an event that does not match; @loss is its item
 */
struct joint_show {
	struct joint_window *window;
	u64 shortest;
	struct joint_walk *walk;
	const struct joint_event *event;
	struct vcpu_waits *waits;
	const struct vcpu_wait *wait;
	struct vcpu_wait *open;
	u32 nr_open;
	u32 given;
	struct joint_event lost;
	struct item loss;
};

/* --- gaps that did not end -------------------------------------------------- */

static int compare_ends(const void *a, const void *b)
{
	const struct vcpu_wait *x = a, *y = b;

	return x->to < y->to ? -1 : x->to > y->to;
}

static int add_open_gap(struct joint_show *show, const struct vcpu_wait *wait, struct err *err)
{
	struct vcpu_wait *more = realloc(show->open, (show->nr_open + 1) * sizeof(*more));

	if (!more)
		return err_sys(err, "memory for gaps");
	show->open = more;
	more[show->nr_open++] = *wait;
	return 0;
}

/* Which they are is known at the end of the host, and they stand before that. */
static int find_open_gaps(struct joint_show *show, struct joint *joint, u64 from, struct err *err)
{
	const struct vcpu_wait *wait;
	struct vcpu_waits *waits;
	const struct item *item;
	struct timeline *tl;
	int ret = vcpu_waits_new(&waits, joint, err);

	if (ret)
		return ret;
	ret = timeline_open(&tl, joint->host, from, show->window->asked->damaged, err);
	if (!ret) {
		while ((item = timeline_next(tl)))
			vcpu_waits_take(waits, item);
		timeline_close(tl);
	}
	while (!ret && (wait = vcpu_waits_rest(waits, joint->host->end.time)))
		ret = add_open_gap(show, wait, err);
	if (show->nr_open)
		qsort(show->open, show->nr_open, sizeof(*show->open), compare_ends);
	vcpu_waits_free(waits);
	return ret;
}

/* --- all ---------------------------------------------------------------------- */

int joint_show_open(struct joint_show **ret, struct joint *joint, struct joint_window *window, u64 shortest, struct err *err)
{
	struct joint_show *show = calloc(1, sizeof(*show));
	int res = show ? vcpu_waits_new(&show->waits, joint, err) : err_sys(err, "memory");

	if (!res) {
		show->window = window;
		show->shortest = window->events ? shortest : 0;
		if (joint->nr_threads)
			res = find_open_gaps(show, joint, vcpu_waits_begin(window->from), err);
	}
	if (!res)
		res = joint_walk_open(&show->walk, joint, vcpu_waits_begin(window->from), window->asked->damaged, err);
	if (res) {
		joint_show_close(show);
		return res;
	}
	*ret = show;
	return 0;
}

/* The gap that ends with the event that was given last. */
static bool give_gap(struct joint_show *show, struct joint_shown *shown)
{
	*shown = (struct joint_shown){ .wait = show->wait };
	show->wait = NULL;
	return shown->wait && shown->wait->to >= show->window->from && shown->wait->to - shown->wait->from >= show->shortest;
}

/* One that did not end, before @time. */
static bool give_open_gap(struct joint_show *show, struct joint_shown *shown, u64 time)
{
	while (show->given < show->nr_open && show->open[show->given].to < time) {
		*shown = (struct joint_shown){ .wait = &show->open[show->given++] };
		if (shown->wait->to >= show->window->from)
			return true;
	}
	return false;
}

static bool give_joint_loss(struct joint_show *show, struct joint_shown *shown, const struct joint_event *event)
{
	if (!joint_window_shows_loss(show->window, event, &show->loss))
		return false;
	show->lost = (struct joint_event){ &show->loss, event->guest };
	shown->event = &show->lost;
	return true;
}

bool joint_show_next(struct joint_show *show, struct joint_shown *shown)
{
	if (give_gap(show, shown))
		return true;
	for (;;) {
		const struct joint_event *event = show->event ? show->event : joint_next(show->walk);

		show->event = event;
		if (give_open_gap(show, shown, event ? event->item->time : ~0ULL))
			return true;
		if (!event)
			return false;
		show->event = NULL;
		show->wait = event->guest ? NULL : vcpu_waits_take(show->waits, event->item);
		*shown = (struct joint_shown){ .event = event };
		if (joint_window_shows(show->window, event) || give_joint_loss(show, shown, event) ||
		    give_gap(show, shown))
			return true;
	}
}

void joint_show_close(struct joint_show *show)
{
	if (!show)
		return;
	joint_walk_close(show->walk);
	vcpu_waits_free(show->waits);
	free(show->open);
	free(show);
}
