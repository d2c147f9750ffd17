// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes on and off: what is wanted is recorded, as soon as there is its tracepoint.
 *
 * Locks, outermost first:
 *
 *	module notifier chain
 *	  epitaph_events_lock()	which events there are, and what is to be recorded
 *	    event_mutex		ftrace's, in trace_get_event_file()
 *	      tracepoint modules  the kernel's, while its notifier runs
 *		epitaph_tp_lock	event->tp, ->call and ->on, and the table of names
 *		  console lock	the kernel's
 *
 * The tracepoint notifier may not take the first: newer kernels call it with event_mutex held.
 */

#include <linux/module.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include "control/added.h"
#include "control/answer.h"
#include "control/members.h"
#include "control/event_config.h"
#include "core/lost.h"
#include "sources/console.h"
#include "probe.h"
#include "recorder.h"
#include "tracepoint.h"
#include "turn.h"

static bool started;
static bool paused;
static bool main_stopped;

bool epitaph_main_is_stopped(void)
{
	return READ_ONCE(paused) || READ_ONCE(main_stopped);
}

static bool is_stopped(const struct epitaph_event *ev)
{
	return paused || (main_stopped && ev->rings == &epitaph_rings[EPITAPH_CHANNEL_MAIN]);
}

static bool event_is_due(const struct epitaph_event *ev)
{
	return !is_stopped(ev) && ev->wanted && !ev->on && !ev->refused && READ_ONCE(ev->tp);
}

static void refuse_event(struct epitaph_event *ev, const char *why)
{
	pr_warn("not recording %s:%s: %s\n", ev->system, ev->name, why);
	ev->refused = true;
	WRITE_ONCE(ev->call, NULL);
}

static void attach_wanted(struct epitaph_event *ev, void *any)
{
	const char *why;

	if (!event_is_due(ev))
		return;
	*(bool *)any = true;
	why = epitaph_event_prepare(ev) ?: epitaph_filter_join(ev, NULL) ?: epitaph_event_attach(ev);
	if (why)
		refuse_event(ev, why);
}

/* It carries the id of its origin, whose format is in the region then. */
static const char *prepare_member(struct epitaph_member *member)
{
	struct epitaph_event *ev = &member->ev, *origin = member->origin;
	const char *why;

	if (epitaph_console_has(ev))
		return "it comes through one console, which is the main channel's";
	why = epitaph_event_prepare(origin);
	if (why)
		return why;
	ev->id = origin->id;
	ev->nr_syms = origin->nr_syms;
	memcpy(ev->sym_off, origin->sym_off, sizeof(ev->sym_off));
	if (ev->size > epitaph_ring_max_payload(raw_cpu_ptr(ev->rings)))
		return "it is larger than a sub-buffer of the channel holds";
	return NULL;
}

static void attach_member(struct epitaph_member *member, void *any)
{
	const char *why;

	if (!event_is_due(&member->ev))
		return;
	*(bool *)any = true;
	why = prepare_member(member) ?:
	      epitaph_filter_join(&member->ev, epitaph_added_name(member->channel)) ?:
	      epitaph_event_attach(&member->ev);
	if (why)
		refuse_event(&member->ev, why);
}

void epitaph_probes_attach(void)
{
	bool any = false;

	epitaph_for_all_events(attach_wanted, &any);
	epitaph_members_each(attach_member, &any);
	if (any)
		epitaph_turn_next();
}

/* After ftrace has made the module's events. */
static int module_event(struct notifier_block *nb, unsigned long what, void *data)
{
	struct module *mod = data;

	if (what != MODULE_STATE_COMING || !mod->num_tracepoints)
		return NOTIFY_DONE;
	epitaph_events_lock();
	if (started)
		epitaph_probes_attach();
	epitaph_events_unlock();
	return NOTIFY_OK;
}

static struct notifier_block modules = {
	.notifier_call = module_event,
	.priority = -1,
};

static void add_event(struct epitaph_event *ev, void *unused)
{
	epitaph_event_reset(ev);
	epitaph_name_add(ev);
}

int epitaph_probes_choose(const char *globs)
{
	struct epitaph_answer answer = {};
	int err;

	epitaph_names_clear();
	epitaph_for_all_events(add_event, NULL);
	main_stopped = false;
	/* Who loses the region pauses behind this, or has done so. */
	epitaph_events_lock();
	paused = epitaph_lost();
	epitaph_events_unlock();
	err = epitaph_select(&answer, globs);
	if (err && answer.used)
		pr_err("%.*s", (int)answer.used, answer.text);
	epitaph_answer_free(&answer);
	return err;
}

int epitaph_probes_start(void)
{
	int err;

	epitaph_tracepoints_find();
	err = epitaph_tracepoints_follow();
	if (err)
		return err;
	err = register_module_notifier(&modules);
	if (err) {
		epitaph_tracepoints_leave();
		return err;
	}
	epitaph_events_lock();
	epitaph_probes_attach();
	started = true;
	epitaph_events_unlock();
	return 0;
}

static void detach_event(struct epitaph_event *ev, void *unused)
{
	epitaph_event_detach(ev);
}

static void detach_member(struct epitaph_member *member, void *unused)
{
	epitaph_event_detach(&member->ev);
}

void epitaph_probes_stop(void)
{
	unregister_module_notifier(&modules);
	/* Says of every module that it goes. */
	epitaph_tracepoints_leave();
	epitaph_events_lock();
	started = false;
	mutex_lock(&epitaph_tp_lock);
	epitaph_for_all_events(detach_event, NULL);
	epitaph_members_each(detach_member, NULL);
	mutex_unlock(&epitaph_tp_lock);
	epitaph_events_unlock();
	tracepoint_synchronize_unregister();
}

/* What was refused is tried again when it is asked for again. */
static void detach_unwanted(struct epitaph_event *ev, void *any)
{
	ev->refused &= ev->wanted;
	if (is_stopped(ev) || !ev->wanted)
		*(bool *)any |= epitaph_event_detach(ev);
}

static void detach_unwanted_member(struct epitaph_member *member, void *any)
{
	detach_unwanted(&member->ev, any);
}

/* What is stopped is the bridge's neither, so nothing is handed over, and no CPU's work is waited for. */
static void leave_unwanted(struct epitaph_event *ev, void *any)
{
	if (!is_stopped(ev) && !ev->wanted && ev->on) {
		epitaph_turn_leave(ev);
		*(bool *)any = true;
	}
}

static void leave_unwanted_member(struct epitaph_member *member, void *any)
{
	leave_unwanted(&member->ev, any);
}

void epitaph_probes_follow(void)
{
	bool any = false, leaves = false;

	epitaph_for_all_events(leave_unwanted, &leaves);
	epitaph_members_each(leave_unwanted_member, &leaves);
	if (leaves)
		epitaph_turn_next();
	else
		epitaph_turn_start();
	mutex_lock(&epitaph_tp_lock);
	epitaph_for_all_events(detach_unwanted, &any);
	epitaph_members_each(detach_unwanted_member, &any);
	mutex_unlock(&epitaph_tp_lock);
	if (any)
		tracepoint_synchronize_unregister();
	if (!leaves)
		epitaph_turn_settle();
	epitaph_probes_attach();
}

bool epitaph_probes_are_started(void)
{
	return started;
}

/* Which task runs is recorded before the first event, and for as long as there are events. */
static void follow_main(void)
{
	bool stopped = epitaph_main_is_stopped();

	if (!stopped)
		epitaph_tasks_run(true);
	epitaph_probes_follow();
	if (stopped)
		epitaph_tasks_run(false);
}

void epitaph_main_run(bool run)
{
	WRITE_ONCE(main_stopped, !run);
	follow_main();
}

bool epitaph_main_runs(void)
{
	return !main_stopped;
}

bool epitaph_all_paused(void)
{
	return READ_ONCE(paused);
}

void epitaph_event_retry(struct epitaph_event *ev)
{
	if (!ev->refused)
		return;
	ev->refused = false;
	epitaph_probes_attach();
}

int epitaph_probes_change(struct epitaph_answer *answer, const char *globs)
{
	bool adds = strchr("+!?", *globs);
	int err;

	epitaph_events_lock();
	err = adds ? epitaph_select_more(answer, globs) : epitaph_select(answer, globs);
	if (!err)
		epitaph_probes_follow();
	epitaph_events_unlock();
	return err;
}

static void mark_pause(enum epitaph_mark_type type, const char *what)
{
	char text[sizeof_field(struct epitaph_mark, text)];

	scnprintf(text, sizeof(text), "%s by %s, pid %d", what, current->comm, current->pid);
	epitaph_mark(type, text);
}

/* The marks lie around the time in which nothing is recorded, not in it. */
void epitaph_probes_pause(bool pause)
{
	epitaph_events_lock();
	if (pause != paused && (pause || !epitaph_lost())) {
		WRITE_ONCE(paused, pause);
		if (!pause)
			mark_pause(EPITAPH_MARK_START, "recording goes on");
		follow_main();
		if (pause)
			mark_pause(EPITAPH_MARK_STOP, "recording was stopped");
	}
	epitaph_events_unlock();
}

static void count_event(struct epitaph_event *ev, void *arg)
{
	struct epitaph_probe_counts *counts = arg;

	counts->on += ev->on;
	counts->refused += ev->wanted && ev->refused;
	counts->absent += ev->wanted && !READ_ONCE(ev->tp);
}

void epitaph_probes_count(struct epitaph_probe_counts *counts)
{
	memset(counts, 0, sizeof(*counts));
	epitaph_events_lock();
	epitaph_for_all_events(count_event, counts);
	counts->is_paused = paused;
	epitaph_events_unlock();
}
