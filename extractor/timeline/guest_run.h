/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How its host ran a guest before the guest's end. */
#ifndef EPITAPH_TIMELINE_GUEST_RUN_H
#define EPITAPH_TIMELINE_GUEST_RUN_H

#include "vcpu_wait.h"

#define GUEST_RUN_NS	30000000000ULL	/* before the guest's end */
#define GUEST_STUCK_NS	10000000000ULL	/* half of what a watchdog for soft lockups waits */

/**
 * struct guest_run - in the last GUEST_RUN_NS
 * @end: of the guest, in the host's time; of the host, if the guest's is not known
 * @last: the host's time of the guest's end, or of its last event
 * @not_run: ns in which that virtual CPU was not run that waited longest, all its gaps together
 * @longest: the longest gap of this one, of what lies in that time
 * @older: events of the guest that would lie before its counter was set, at @set of the host; 0: there are none,
 *	or it never was
 * @clock_set: of the host, when its kvm-clock was set, if it had recorded events by then; 0: it was not
 * @has_end: @end is the guest's
 * @is_of_end: and this is the CPU on which it ended
 */
struct guest_run {
	u64 end;
	u64 last;
	u64 not_run;
	struct vcpu_wait longest;
	u64 older;
	u64 set;
	u64 clock_set;
	bool has_end;
	bool is_of_end;
};

/* Return: 0, or -ERR_IO without memory. @guest is of @joint, and related. */
int guest_run_read(struct guest_run *run, struct joint *joint, struct joint_guest *guest, struct err *err);

#endif
