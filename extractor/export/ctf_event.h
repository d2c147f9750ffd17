/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of CTF: the fields of a kind one behind the other, without gaps; texts
 * escaped as everywhere.  ctf_metadata.h says the same in TSDL.
 */
#ifndef EPITAPH_EXPORT_CTF_EVENT_H
#define EPITAPH_EXPORT_CTF_EVENT_H

#include "exporter.h"

/* Bits of "marks", of each event. */
enum ctf_mark {
	CTF_UNCERTAIN = 1,	/* as enum item_mark, and so the next three */
	CTF_IN_DAMAGED = 2,
	CTF_LOST_BEFORE = 4,
	CTF_UNPROVEN = 16,
	CTF_TIME_MOVED = 32,	/* its own time is before that of the event before it, or absurd */
	CTF_REPAIRED = 128,	/* as enum item_mark */
};

/* How to write the events of each kind; by the number of a class. */
struct ctf_plans;

struct ctf_plans *ctf_plans_new(void);
void ctf_plans_free(struct ctf_plans *plans);

/* So many bytes one event has, or fewer; 0: no memory. */
u64 ctf_event_most(struct ctf_plans *plans, const struct exported *event);

/*
 * ctf_event_pack() - one event, behind what is in @p
 * @time: may differ from that of @event: see CTF_TIME_MOVED
 * @marks: enum ctf_mark
 *
 * Return: false without memory.
 */
bool ctf_event_pack(struct pack *p, struct ctf_plans *plans, const struct exported *event,
		    u64 time, u8 marks);

#endif
