// SPDX-License-Identifier: GPL-2.0-or-later
#include "joint.h"

#include <stdlib.h>
#include <string.h>

#include "trace_hole.h"

#define TRIAL_NS	100000000ULL	/* what lies longer between two of its entries and exits is not tried */

#define NEAR_NS	1000000ULL	/* and more: bounds are not the same at all times */

#define NR_WAYS	(STREAM_NR_CLOCKS + 1)	/* by enum stream_clock; the last is the kernel's log */

/* The last event that one clock of a source gave. */
struct joint_last {
	const struct stream *stream;
	u64 time;
	bool any;
};

/* Whether the host runs a virtual CPU, by its kvm_entry and kvm_exit. */
enum vcpu_run { RUN_UNKNOWN, RUN_INSIDE, RUN_OUTSIDE };

/* @events: of the guest, since it came into this state at @since */
struct tried_vcpu {
	enum vcpu_run run;
	u64 since;
	u64 events;
};

/*
 * @guest: NULL: the host
 * @head: what it stands at, with the host's time, if @has_head
 * @tried: the guest's CPUs
 * @near: what is further than this from an event of the guest is surely behind or before it
 */
struct joint_source {
	struct joint_guest *guest;
	struct timeline *timeline;
	struct item head;
	bool has_head;
	struct tried_vcpu *tried;
	u64 near;
	struct joint_last last[NR_WAYS];
};

/*
 * @given: the source of @event; NULL: nothing was given yet
 * @holes: in the host's entries and exits
 */
struct joint_walk {
	struct joint *joint;
	struct joint_source sources[1 + JOINT_GUESTS_MAX];
	u32 nr;
	struct joint_source *given;
	struct joint_event event;
	struct trace_holes holes;
};

/* --- sources -------------------------------------------------------------- */

/* A time that the guest claims and that cannot be has no place. */
static bool place_item(struct joint_source *source, const struct item *item)
{
	struct joint_guest *guest = source->guest;

	source->head = *item;
	if (!guest)
		return true;
	switch (guest_time_host(&guest->time, item->time, &source->head.time)) {
	case GUEST_BEFORE:
		guest->left_before += item_happened(item);
		return false;
	case GUEST_AFTER:
		guest->left_after += item_happened(item);
		return false;
	case GUEST_PLACED:
		break;
	}
	return true;
}

static void advance_source(struct joint_source *source)
{
	const struct item *item;

	do {
		item = timeline_next(source->timeline);
		source->has_head = item;
	} while (item && !place_item(source, item));
}

static int add_joint_source(struct joint_walk *walk, struct joint_guest *guest, struct postmortem *pm, u64 from,
		      bool with_damaged, struct err *err)
{
	struct joint_source *source = &walk->sources[walk->nr];
	int ret = timeline_open(&source->timeline, pm, from, with_damaged, err);

	if (ret)
		return ret;
	walk->nr++;
	source->guest = guest;
	if (guest) {
		guest->left_before = guest->left_after = guest->inside = guest->outside = 0;
		source->tried = calloc(guest->vm->nr_vcpus + 1, sizeof(*source->tried));
		if (!source->tried)
			return err_sys(err, "memory for virtual CPUs");
		source->near = joint_bound(walk->joint, guest).others + NEAR_NS;
	}
	advance_source(source);
	return 0;
}

int joint_walk_open(struct joint_walk **ret, struct joint *joint, u64 from, bool with_damaged, struct err *err)
{
	struct joint_walk *walk = calloc(1, sizeof(*walk));
	int res;

	if (walk)
		walk->joint = joint;
	res = walk ? add_joint_source(walk, NULL, joint->host, from, with_damaged, err) : err_sys(err, "memory");

	for (u32 i = 0; i < joint->nr && !res; i++)
		if (joint->list[i].is_related)
			res = add_joint_source(walk, &joint->list[i], &joint->list[i].pm, 0, with_damaged, err);
	if (res) {
		joint_walk_close(walk);
		return res;
	}
	*ret = walk;
	return 0;
}

void joint_walk_close(struct joint_walk *walk)
{
	if (!walk)
		return;
	for (u32 i = 0; i < walk->nr; i++) {
		timeline_close(walk->sources[i].timeline);
		free(walk->sources[i].tried);
	}
	free(walk);
}

/* --- order ---------------------------------------------------------------- */

static u64 bound_in(const struct joint_source *source, const struct joint_guest *other, const struct stream *stream,
		    u64 time)
{
	return source->guest ? guest_time_bound(&source->guest->time, stream, time) :
	       other ? guest_time_host_bound(&other->time, stream, time) : 0;
}

/* May two events of different sources have come in the other order? */
static bool may_swap(const struct joint_source *a, const struct stream *stream_a, u64 time_a,
		     const struct joint_source *b, const struct stream *stream_b, u64 time_b)
{
	u64 apart = time_a > time_b ? time_a - time_b : time_b - time_a;

	/* What bounds cost is not to be paid for each event. */
	if (apart > a->near + b->near)
		return false;
	return apart <= bound_in(a, b->guest, stream_a, time_a) + bound_in(b, a->guest, stream_b, time_b);
}

static bool is_near_other(const struct joint_source *now, const struct joint_source *other)
{
	const struct item *item = &now->head, *next = &other->head;

	if (other->has_head && item_happened(next) &&
	    may_swap(now, item->stream, item->time, other, next->stream, next->time))
		return true;
	for (u32 i = 0; i < NR_WAYS; i++)
		if (other->last[i].any &&
		    may_swap(now, item->stream, item->time, other, other->last[i].stream, other->last[i].time))
			return true;
	return false;
}

static void mark_order(const struct joint_walk *walk, struct joint_source *now)
{
	const struct stream *stream = now->head.stream;
	u32 way = stream ? stream->clock : STREAM_NR_CLOCKS;

	if (!item_happened(&now->head))
		return;
	for (u32 i = 0; i < walk->nr; i++)
		if (&walk->sources[i] != now && is_near_other(now, &walk->sources[i]))
			now->head.marks |= ITEM_UNCERTAIN;
	now->last[way] = (struct joint_last){ stream, now->head.time, true };
}

/* --- where the host ran it -------------------------------------------------- */

static struct tried_vcpu *tried_of_thread(struct joint_walk *walk, s64 pid, struct joint_guest **guest)
{
	const struct joint_guest *found;
	u32 cpu;

	found = joint_guest_of(walk->joint, pid, &cpu);
	for (u32 i = 0; i < walk->nr && found; i++)
		if (walk->sources[i].guest == found) {
			*guest = walk->sources[i].guest;
			return &walk->sources[i].tried[cpu];
		}
	return NULL;
}

static void forget_tried(struct joint_walk *walk)
{
	for (u32 i = 0; i < walk->nr; i++)
		for (u32 k = 0; walk->sources[i].guest && k < walk->sources[i].guest->vm->nr_vcpus; k++)
			walk->sources[i].tried[k].run = RUN_UNKNOWN;
}

/* What the guest did between an entry and an exit of its CPU is inside, between an exit and an entry outside. */
static void see_host_item(struct joint_walk *walk, const struct item *item)
{
	const char *name = item->kind == ITEM_EVENT ? item_name(item) : "";
	bool is_entry = !strcmp(name, "kvm:kvm_entry"), is_exit = !strcmp(name, "kvm:kvm_exit");
	struct joint_guest *guest;
	struct tried_vcpu *tried;

	if (trace_hole_before(&walk->holes, item, is_entry || is_exit))
		forget_tried(walk);
	tried = is_entry || is_exit ? tried_of_thread(walk, item->pid, &guest) : NULL;
	if (!tried)
		return;
	if (item->time <= tried->since + TRIAL_NS) {
		guest->inside += tried->run == RUN_INSIDE && is_exit ? tried->events : 0;
		guest->outside += tried->run == RUN_OUTSIDE && is_entry ? tried->events : 0;
	}
	*tried = (struct tried_vcpu){ is_entry ? RUN_INSIDE : RUN_OUTSIDE, item->time, 0 };
}

/* An event right behind an exit may have come before it. */
static void see_guest_event(struct joint_source *source)
{
	const struct item *item = &source->head;

	if (item->kind == ITEM_EVENT && item->cpu < source->guest->vm->nr_vcpus && !(item->marks & ITEM_UNCERTAIN))
		source->tried[item->cpu].events++;
}

/* Of one time, the host's comes first. */
static struct joint_source *first_source(struct joint_walk *walk)
{
	struct joint_source *first = NULL;

	for (u32 i = 0; i < walk->nr; i++)
		if (walk->sources[i].has_head && (!first || walk->sources[i].head.time < first->head.time))
			first = &walk->sources[i];
	return first;
}

const struct joint_event *joint_next(struct joint_walk *walk)
{
	struct joint_source *source;

	if (walk->given)
		advance_source(walk->given);
	source = first_source(walk);
	walk->given = source;
	if (!source)
		return NULL;
	mark_order(walk, source);
	if (source->guest)
		see_guest_event(source);
	else
		see_host_item(walk, &source->head);
	walk->event = (struct joint_event){ &source->head, source->guest };
	return &walk->event;
}

int joint_try(struct joint *joint, struct err *err)
{
	struct joint_walk *walk;
	int ret = joint_walk_open(&walk, joint, 0, false, err);

	if (ret)
		return ret;
	while (joint_next(walk))
		;
	joint_walk_close(walk);
	joint_refute(joint);
	return 0;
}
