/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which part of the timeline of a host and its guests is shown. */
#ifndef EPITAPH_TIMELINE_JOINT_WINDOW_H
#define EPITAPH_TIMELINE_JOINT_WINDOW_H

#include "joint.h"
#include "window.h"

#define JOINT_BESIDE	10	/* events of the host beside a guest's, for each of those */

/**
 * struct joint_part - of one of them
 * @before: its matching events until the end; @after: behind it
 * @skip: the first of them, which are still not to be shown
 * @more: those behind the end that still are
 * @first, @last: of a guest, the times of what is shown of it until the end; @first is ~0 if nothing is
 * @met: of the host, its events since @first that are not among its own last ones
 * @beside: those of them until @last
 * @beside_skip: the first of these, which are still not to be shown
 */
struct joint_part {
	u64 before;
	u64 after;
	u64 skip;
	u64 more;
	u64 first;
	u64 last;
	u64 met;
	u64 beside;
	u64 beside_skip;
};

/**
 * struct joint_window - what was asked for, and what follows
 * @from: of the host's time
 * @end: the last events count back from here
 * @events: so many of the last are shown of each; 0: all since @from
 * @parts: the host's, and those of the guests
 */
struct joint_window {
	const struct window *asked;
	const struct joint *joint;
	u64 from;
	u64 end;
	u64 events;
	struct joint_part parts[1 + JOINT_GUESTS_MAX];
};

/*
 * Of the last events, each has its own number, so that a guest cannot hide its host's; and what the host did
 * beside those of a guest is shown as well, so that it can make no more than JOINT_BESIDE lines of each.  @asked must outlive @ret.  Counts also what of the guests is left
 * out, and calls joint_refute().
 */
int joint_window_choose(struct joint_window *ret, const struct window *asked, struct joint *joint, struct err *err);

/*
 * Is the next event of a walk shown?  As window_next(): the crash is, and so are marks behind the last event
 * but one that is not.
 */
bool joint_window_shows(struct joint_window *window, const struct joint_event *event);

/* Of an event that is not: does it not match, and is what was lost before it shown, as @loss? */
bool joint_window_shows_loss(struct joint_window *window, const struct joint_event *event, struct item *loss);

#endif
