// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_run.h"

#include <stdlib.h>

/* Its gaps, of what lies in the time that is looked at. */
struct vcpu_gaps {
	u64 sum;
	struct vcpu_wait longest;
};

static void add_gap(const struct guest_run *run, struct vcpu_gaps *gaps, const struct vcpu_wait *wait)
{
	u64 begin = run->end > GUEST_RUN_NS ? run->end - GUEST_RUN_NS : 0;
	struct vcpu_gaps *own = &gaps[wait->cpu];
	struct vcpu_wait cut = *wait;

	cut.from = wait->from > begin ? wait->from : begin;
	cut.to = wait->to < run->end ? wait->to : run->end;
	if (cut.from >= cut.to)
		return;
	own->sum += cut.to - cut.from;
	if (cut.to - cut.from > own->longest.to - own->longest.from)
		own->longest = cut;
}

/* The CPU of the guest's end, if it waited that long; else the one that waited most. */
static void choose_gaps(struct guest_run *run, const struct vcpu_gaps *gaps, const struct joint_guest *guest)
{
	u32 nr = guest->vm->nr_vcpus, most = 0, end = guest->pm.end.cpu;

	for (u32 i = 1; i < nr; i++)
		most = gaps[i].sum > gaps[most].sum ? i : most;
	if (end < nr && gaps[end].longest.to - gaps[end].longest.from >= GUEST_STUCK_NS)
		most = end;
	run->not_run = gaps[most].sum;
	run->longest = gaps[most].longest;
	run->is_of_end = run->has_end && most == end;
}

static int walk_gaps(struct guest_run *run, struct vcpu_waits *waits, struct vcpu_gaps *gaps, struct joint *joint,
		     const struct joint_guest *guest, struct err *err)
{
	const struct vcpu_wait *wait;
	const struct item *item;
	struct timeline *tl;
	int ret = timeline_open(&tl, joint->host, 0, false, err);

	if (ret)
		return ret;
	while ((item = timeline_next(tl))) {
		wait = vcpu_waits_take(waits, item);
		if (wait && wait->guest == guest)
			add_gap(run, gaps, wait);
	}
	while ((wait = vcpu_waits_rest(waits, joint->host->end.time)))
		if (wait->guest == guest)
			add_gap(run, gaps, wait);
	timeline_close(tl);
	return 0;
}

/* When a guest begins its clock is set as well, but it has no events before that. */
static u64 clock_set_again(const struct joint_guest *guest)
{
	u64 first, set = guest->time.clock_set;

	if (guest->time.is_set)
		return 0;
	if (guest->time.clock_is_set)
		return guest->left_before ? set : 0;
	return guest->pm.total.any && guest_time_host(&guest->time, guest->pm.total.first, &first) == GUEST_PLACED && first < set ? set : 0;
}

int guest_run_read(struct guest_run *run, struct joint *joint, struct joint_guest *guest, struct err *err)
{
	struct vcpu_gaps *gaps = calloc(guest->vm->nr_vcpus + 1, sizeof(*gaps));
	struct vcpu_waits *waits = NULL;
	int ret = gaps ? vcpu_waits_new(&waits, joint, err) : err_sys(err, "memory for virtual CPUs");

	*run = (struct guest_run){ .end = joint->host->end.time, .set = guest->time.first };
	if (guest->time.is_set)
		run->older = guest->left_before;
	run->clock_set = clock_set_again(guest);
	if (guest_time_host(&guest->time, guest->pm.end.time, &run->last) != GUEST_PLACED)
		run->last = run->end;
	else
		run->has_end = guest->pm.end.how != OUTCOME_UNKNOWN;
	if (run->has_end)
		run->end = run->last;
	if (!ret)
		ret = walk_gaps(run, waits, gaps, joint, guest, err);
	if (!ret)
		choose_gaps(run, gaps, guest);
	vcpu_waits_free(waits);
	free(gaps);
	return ret;
}
