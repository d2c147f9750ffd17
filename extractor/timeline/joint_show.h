/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is shown of a host and its guests: events, and the gaps of virtual CPUs between them. */
#ifndef EPITAPH_TIMELINE_JOINT_SHOW_H
#define EPITAPH_TIMELINE_JOINT_SHOW_H

#include "joint_window.h"
#include "vcpu_wait.h"

#define JOINT_LONG_GAP_NS	100000000ULL

/**
 * struct joint_shown - one of them
 * @event: NULL: it is a gap
 * @wait: a gap, where it ends; NULL: it is an event
 */
struct joint_shown {
	const struct joint_event *event;
	const struct vcpu_wait *wait;
};

struct joint_show;

/*
 * joint_show_open() - all that @window shows, in the order of time
 * @window: chosen, and is used up
 * @shortest: gap that is shown where @window is of the last events, ns
 *
 * A gap is shown also where no event is.
 */
int joint_show_open(struct joint_show **ret, struct joint *joint, struct joint_window *window, u64 shortest, struct err *err);

/* Return: @shown is the next one, until the next call. */
bool joint_show_next(struct joint_show *show, struct joint_shown *shown);

/* @show may be NULL. */
void joint_show_close(struct joint_show *show);

#endif
