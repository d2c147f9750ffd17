// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events find their tracepoints by name, in the kernel and in modules as they come and go,
 * and probes are put on them.  probe.c has the order of locks.
 */
#include <linux/jhash.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include "sources/console.h"
#include "sources/log.h"
#include "calls.h"
#include "probe.h"
#include "recorder.h"
#include "tracepoint.h"
#include "turn.h"

#define NR_NAMES 1024		/* buckets */

DEFINE_MUTEX(epitaph_tp_lock);
static struct epitaph_event *names[NR_NAMES];

static struct epitaph_event **bucket(const char *name)
{
	return &names[jhash(name, strlen(name), 0) % NR_NAMES];
}

void epitaph_name_add(struct epitaph_event *ev)
{
	struct epitaph_event **at = bucket(ev->name);

	ev->next = *at;
	smp_store_release(at, ev);	/* epitaph_probes_have() takes no lock */
}

void epitaph_name_remove(struct epitaph_event *ev)
{
	struct epitaph_event **at = bucket(ev->name);

	while (*at && *at != ev)
		at = &(*at)->next;
	if (*at)
		WRITE_ONCE(*at, ev->next);
	WRITE_ONCE(ev->next, NULL);
}

/* epitaph_tp_lock held.  Two headers may have an event of this name; its format decides later. */
static void found(struct tracepoint *tp, void *unused)
{
	struct epitaph_event *ev;

	for (ev = *bucket(tp->name); ev; ev = ev->next)
		if (!ev->tp && !strcmp(ev->name, tp->name))
			ev->tp = tp;
}

void epitaph_tracepoints_find(void)
{
	mutex_lock(&epitaph_tp_lock);
	for_each_kernel_tracepoint(found, NULL);
	mutex_unlock(&epitaph_tp_lock);
}

static void find_in_module(struct module *mod)
{
	unsigned int i;

	mutex_lock(&epitaph_tp_lock);
	/* One that goes has been forgotten, or will be when we are done. */
	for (i = 0; mod->state != MODULE_STATE_GOING && i < mod->num_tracepoints; i++)
		found(tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]), NULL);
	mutex_unlock(&epitaph_tp_lock);
}

/*
 * Behind ftrace's probes, which have 10: what a trigger of sched_switch sets off is of the task
 * that goes, and stands in front of our event.  Before those of task.c, which have 0.
 */
#define PROBE_PRIO	5

/* epitaph_tp_lock held. */
static int connect(struct epitaph_event *ev)
{
	if (epitaph_console_has(ev)) {
		epitaph_console_attach(ev);
		return 0;
	}
	if (epitaph_calls_is(ev))
		return epitaph_calls_attach(ev);
	/* A line printed at this very moment is lost rather than recorded twice. */
	if (epitaph_console_is(ev))
		epitaph_log_take(EPITAPH_LOG_ALL);
	if (ev == epitaph_switch_event) {
		epitaph_tasks_record(ev);
		return 0;
	}
	return tracepoint_probe_register_prio(ev->tp, ev->probe, ev, PROBE_PRIO);
}

static void disconnect(struct epitaph_event *ev)
{
	if (epitaph_console_has(ev))
		epitaph_console_detach();
	else if (epitaph_calls_is(ev))
		epitaph_calls_detach(ev);
	else if (ev == epitaph_switch_event)
		epitaph_tasks_record(NULL);
	else
		tracepoint_probe_unregister(ev->tp, ev->probe, ev);
}

bool epitaph_event_detach(struct epitaph_event *ev)
{
	if (!ev->on)
		return false;
	WRITE_ONCE(ev->on, false);
	disconnect(ev);
	return true;
}

static bool forget_tracepoint(struct tracepoint *tp)
{
	struct epitaph_event *ev;
	bool any = false;

	for (ev = *bucket(tp->name); ev; ev = ev->next) {
		if (ev->tp != tp)
			continue;
		any |= epitaph_event_detach(ev) || ev->call;
		ev->tp = NULL;
		WRITE_ONCE(ev->call, NULL);
		ev->refused = false;
	}
	return any;
}

void epitaph_probes_wait(void)
{
	tracepoint_synchronize_unregister();
	synchronize_rcu();
}

static void forget_module(struct module *mod)
{
	unsigned int i;
	bool any = false;

	mutex_lock(&epitaph_tp_lock);
	for (i = 0; i < mod->num_tracepoints; i++)
		any |= forget_tracepoint(tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]));
	mutex_unlock(&epitaph_tp_lock);
	if (any)
		epitaph_probes_wait();
}

const char *epitaph_event_attach(struct epitaph_event *ev)
{
	int err = 0;

	mutex_lock(&epitaph_tp_lock);
	epitaph_turn_enter(ev);
	if (ev->tp)	/* its module may have gone meanwhile */
		err = connect(ev);
	WRITE_ONCE(ev->on, ev->tp && !err);
	if (!ev->on)
		WRITE_ONCE(ev->call, NULL);
	mutex_unlock(&epitaph_tp_lock);
	return err ? "its probe could not be registered" : NULL;
}

bool epitaph_probes_have(const struct trace_event_call *call)
{
	const struct epitaph_event *ev;

	if (!(call->flags & TRACE_EVENT_FL_TRACEPOINT) || !call->tp)
		return false;
	for (ev = READ_ONCE(*bucket(call->tp->name)); ev; ev = READ_ONCE(ev->next))
		if (ev->tp == call->tp && READ_ONCE(ev->on) && epitaph_event_is_probes(ev))
			return true;
	return false;
}

static int tracepoint_module_event(struct notifier_block *nb, unsigned long what,
				   void *data)
{
	struct tp_module *tp_mod = data;

	if (what == MODULE_STATE_COMING)
		find_in_module(tp_mod->mod);
	else if (what == MODULE_STATE_GOING)
		forget_module(tp_mod->mod);
	return NOTIFY_OK;
}

static struct notifier_block tracepoint_modules = {
	.notifier_call = tracepoint_module_event,
};

static int find_only(struct notifier_block *nb, unsigned long what, void *data)
{
	struct tp_module *tp_mod = data;

	if (what == MODULE_STATE_COMING)
		find_in_module(tp_mod->mod);
	return NOTIFY_OK;
}

/* A new notifier is called for all modules that are loaded already. */
void epitaph_tracepoints_find_in_modules(void)
{
	struct notifier_block nb = { .notifier_call = find_only };

	if (!register_tracepoint_module_notifier(&nb))
		unregister_tracepoint_module_notifier(&nb);
}

int epitaph_tracepoints_follow(void)
{
	return register_tracepoint_module_notifier(&tracepoint_modules);
}

void epitaph_tracepoints_leave(void)
{
	unregister_tracepoint_module_notifier(&tracepoint_modules);
}

void epitaph_names_clear(void)
{
	memset(names, 0, sizeof(names));
}
