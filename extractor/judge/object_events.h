/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the trace has of the timers that lie in one object with the work item that died in it, or with the pointer that was bad. */
#ifndef EPITAPH_JUDGE_OBJECT_EVENTS_H
#define EPITAPH_JUDGE_OBJECT_EVENTS_H

#include "judge.h"

/*
 * object_events_claim() - who took such a timer out while the work item ran?
 * @place: of the claim
 *
 * A task that does so for the first time may take the object down: that is asked. The claim is that the object was given up, if the
 * memory of both is overwritten by the dump, too.
 */
void object_events_claim(struct explain *explain, const char *place);

/*
 * The same of a task that died with a pointer out of an object: another task took a timer of that out for the first time, and by the dump
 * the object is free now, or that timer is in its memory no more. It did so since the one that died slept last, or others that have such a
 * timer have a pointer where that one read its own. It is asked, where nothing else is
 * known of the pointer.
 */
void object_events_ask(struct explain *explain);

#endif
