// SPDX-License-Identifier: GPL-2.0-only
/* Events in channels that were added; epitaph_events_lock() keeps the list. */
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include "events/probe.h"
#include "events/tracepoint.h"
#include "events/turn.h"
#include "members.h"
#include "event_config.h"

static LIST_HEAD(members);

int epitaph_member_add(struct epitaph_event *origin, struct epitaph_ring __percpu *rings,
		       const void *channel)
{
	struct epitaph_member *member = kzalloc(sizeof(*member), GFP_KERNEL);

	if (!member)
		return -ENOMEM;
	mutex_lock(&epitaph_tp_lock);
	member->ev = *origin;
	member->ev.rings = rings;
	member->ev.call = NULL;
	member->ev.steer = NULL;
	member->ev.fast_context = NULL;
	member->ev.is_fast = member->ev.on = member->ev.wanted = member->ev.refused = false;
	member->ev.is_packed = member->ev.is_usual = false;
	member->ev.packing = 0;
	member->origin = origin;
	member->channel = channel;
	epitaph_name_add(&member->ev);
	mutex_unlock(&epitaph_tp_lock);
	list_add_tail(&member->node, &members);
	return 0;
}

struct epitaph_event *epitaph_member_of(const void *channel, const struct epitaph_event *origin)
{
	struct epitaph_member *member;

	list_for_each_entry(member, &members, node)
		if (member->channel == channel && member->origin == origin)
			return &member->ev;
	return NULL;
}

void epitaph_members_each(void (*fn)(struct epitaph_member *member, void *arg), void *arg)
{
	struct epitaph_member *member;

	list_for_each_entry(member, &members, node)
		fn(member, arg);
}

void epitaph_members_run(const void *channel, bool run)
{
	struct epitaph_member *member;

	list_for_each_entry(member, &members, node)
		if (member->channel == channel)
			member->ev.wanted = run;
	epitaph_probes_follow();
}

void epitaph_members_count(const void *channel, unsigned int *on, unsigned int *all)
{
	struct epitaph_member *member;

	list_for_each_entry(member, &members, node) {
		*on += member->channel == channel && member->ev.on;
		*all += member->channel == channel;
	}
}

static bool member_is_of(const struct epitaph_member *member, const void *channel,
			 const struct epitaph_event *origin)
{
	return member->channel == channel || member->origin == origin;
}

void epitaph_members_leave(const void *channel, const struct epitaph_event *origin)
{
	struct epitaph_member *member;

	list_for_each_entry(member, &members, node)
		if (member_is_of(member, channel, origin))
			epitaph_turn_leave(&member->ev);
}

void epitaph_members_drop(struct list_head *gone, const void *channel,
			  const struct epitaph_event *origin)
{
	struct epitaph_member *member, *next;

	list_for_each_entry_safe(member, next, &members, node) {
		if (!member_is_of(member, channel, origin))
			continue;
		epitaph_event_detach(&member->ev);
		epitaph_name_remove(&member->ev);
		list_move(&member->node, gone);
	}
}

void epitaph_members_free(struct list_head *gone)
{
	struct epitaph_member *member, *next;

	list_for_each_entry_safe(member, next, gone, node) {
		epitaph_filter_leave(&member->ev);
		kfree(member);
	}
}

void epitaph_members_remove(const void *channel)
{
	LIST_HEAD(gone);

	epitaph_members_leave(channel, NULL);
	epitaph_turn_next();
	mutex_lock(&epitaph_tp_lock);
	epitaph_members_drop(&gone, channel, NULL);
	mutex_unlock(&epitaph_tp_lock);
	epitaph_probes_wait();
	epitaph_members_free(&gone);
}
