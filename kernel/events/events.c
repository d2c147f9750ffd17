// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which events there are: those that the build made, and those that other modules register.
 */

#include <linux/export.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include "control/added.h"
#include "control/context.h"
#include "control/members.h"
#include "control/event_config.h"
#include "calls.h"
#include "probe.h"
#include "recorder.h"
#include "tracepoint.h"
#include "turn.h"

/* Events that a module registered. */
struct batch {
	struct list_head node;
	struct epitaph_event **events;
	int nr;
};

static DEFINE_MUTEX(events_lock);
static LIST_HEAD(batches);

void epitaph_events_lock(void)
{
	mutex_lock(&events_lock);
}

void epitaph_events_unlock(void)
{
	mutex_unlock(&events_lock);
}

bool epitaph_event_is_compiled(const struct epitaph_event *ev)
{
	struct batch *batch;
	int i;

	list_for_each_entry(batch, &batches, node)
		for (i = 0; i < batch->nr; i++)
			if (batch->events[i] == ev)
				return false;
	return true;
}

void epitaph_event_reset(struct epitaph_event *ev)
{
	ev->tp = epitaph_calls_is(ev) ? &epitaph_calls_place : NULL;
	ev->call = NULL;
	ev->next = NULL;
	ev->rings = epitaph_rings_for(ev);
	ev->steer = NULL;
	ev->published = ev->wanted = ev->refused = false;
}

void epitaph_for_all_events(void (*fn)(struct epitaph_event *ev, void *arg), void *arg)
{
	const struct epitaph_event_set *const *set;
	struct epitaph_event **ev;
	struct batch *batch;
	int i;

	for_each_compiled_event(set, ev)
		fn(*ev, arg);
	list_for_each_entry(batch, &batches, node)
		for (i = 0; i < batch->nr; i++)
			fn(batch->events[i], arg);
}

void epitaph_for_each_event(void (*fn)(struct epitaph_event *ev, void *arg), void *arg)
{
	mutex_lock(&events_lock);
	epitaph_for_all_events(fn, arg);
	mutex_unlock(&events_lock);
}

static void want_added(struct epitaph_event *ev, void *unused)
{
	ev->wanted = !epitaph_event_is_compiled(ev) && !epitaph_calls_is(ev);
}

void epitaph_want_none(void)
{
	epitaph_for_all_events(want_added, NULL);
}

static struct batch *find_batch(struct epitaph_event **events)
{
	struct batch *batch;

	list_for_each_entry(batch, &batches, node)
		if (batch->events == events)
			return batch;
	return NULL;
}

static int add_batch(struct epitaph_event **events, int nr)
{
	struct batch *batch;
	int i;

	if (!epitaph_probes_are_started())
		return -ENODEV;
	if (find_batch(events))
		return -EEXIST;
	batch = kmalloc(sizeof(*batch), GFP_KERNEL);
	if (!batch)
		return -ENOMEM;
	*batch = (struct batch) { .events = events, .nr = nr };
	list_add_tail(&batch->node, &batches);
	mutex_lock(&epitaph_tp_lock);
	for (i = 0; i < nr; i++) {
		epitaph_event_reset(events[i]);
		epitaph_select_added(events[i]);
		epitaph_name_add(events[i]);
	}
	mutex_unlock(&epitaph_tp_lock);
	return 0;
}

int epitaph_events_register(struct epitaph_event **events, int nr)
{
	int i, err;

	mutex_lock(&events_lock);
	err = add_batch(events, nr);
	if (!err) {
		epitaph_tracepoints_find();
		epitaph_tracepoints_find_in_modules();
		for (i = 0; i < nr; i++)
			epitaph_added_offer(events[i]);
		epitaph_probes_attach();
	}
	mutex_unlock(&events_lock);
	return err;
}
EXPORT_SYMBOL_GPL(epitaph_events_register);

void epitaph_events_unregister(struct epitaph_event **events, int nr)
{
	struct batch *batch;
	LIST_HEAD(gone);
	int i;

	mutex_lock(&events_lock);
	batch = find_batch(events);
	for (i = 0; batch && i < batch->nr; i++) {
		epitaph_turn_leave(events[i]);
		epitaph_members_leave(NULL, events[i]);
	}
	epitaph_turn_next();
	mutex_lock(&epitaph_tp_lock);
	for (i = 0; batch && i < batch->nr; i++) {
		epitaph_event_detach(events[i]);
		epitaph_name_remove(events[i]);
		epitaph_members_drop(&gone, NULL, events[i]);
	}
	mutex_unlock(&epitaph_tp_lock);
	for (i = 0; batch && i < batch->nr; i++) {
		epitaph_event_retract(events[i]);
		epitaph_context_forget(events[i]);
	}
	if (batch)
		list_del(&batch->node);
	kfree(batch);
	epitaph_probes_wait();
	/* What they asked for is shared with other events, and counted under the lock. */
	for (i = 0; i < nr; i++)
		epitaph_filter_leave(events[i]);
	epitaph_members_free(&gone);
	mutex_unlock(&events_lock);
}
EXPORT_SYMBOL_GPL(epitaph_events_unregister);
