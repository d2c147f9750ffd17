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

#endif
