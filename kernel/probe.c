// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes on and off: events find their tracepoints by name, in the kernel and
 * in modules as they come and go.
 *
 * Locks, outermost first:
 *
 *	module notifier chain
 *	  events_lock		which events there are, and what is to be recorded
 *	    event_mutex		ftrace's, in trace_get_event_file()
 *	      tracepoint modules  the kernel's, while its notifier runs
 *		epitaph_tp_lock	event->tp, ->call and ->on, and the table of names
 *		  console lock	the kernel's
 *
 * The tracepoint notifier may not take events_lock: newer kernels call it with
 * event_mutex held.
 */

#include <linux/err.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include "added.h"
#include "answer.h"
#include "console.h"
#include "context.h"
#include "members.h"
#include "probe.h"
#include "recorder.h"
#include "steer.h"
#include "tracepoint.h"

/* Events that somebody registered, in addition to the compiled ones. */
struct batch {
	struct list_head node;
	struct epitaph_event **events;
	int nr;
};

static DEFINE_MUTEX(events_lock);
static LIST_HEAD(batches);
static bool started;
static bool paused;
static bool main_stopped;

static bool same_field(const struct epitaph_field *ours,
		       const struct trace_event_fields *theirs)
{
	return !strcmp(ours->name, theirs->name) && ours->size == theirs->size &&
	       ours->align == theirs->align && !ours->is_signed == !theirs->is_signed;
}

/* Return: the name of the first field that is another, or NULL. */
static const char *differing_field(const struct epitaph_event *ev,
				   const struct trace_event_call *call)
{
	const struct epitaph_field *ours = ev->fields;
	const struct trace_event_fields *theirs = call->class->fields_array;

	for (; theirs && theirs->type && ours->type; ours++, theirs++)
		if (!same_field(ours, theirs))
			return ours->name;
	return ours->type ? ours->name : theirs && theirs->type ? theirs->name : NULL;
}

/* Return: NULL if @ev is what ftrace has, or why not. */
static const char *mismatch(const struct epitaph_event *ev,
			    const struct trace_event_call *call)
{
	if (!(call->flags & TRACE_EVENT_FL_TRACEPOINT) || call->tp != ev->tp)
		return "ftrace has another tracepoint of that name";
	if (differing_field(ev, call))
		return "the kernel's record has another layout";
	return NULL;
}

static const char *publish(struct epitaph_event *ev)
{
	int err;

	if (ev->published)
		return NULL;
	err = epitaph_event_publish(ev);
	if (err == -EMSGSIZE)
		return "it is larger than a sub-buffer holds";
	if (err)
		return "there is no room for its format or its id";
	ev->published = true;
	return NULL;
}

/*
 * An event of a trace header that ftrace does not know as well is nothing that
 * we could check, so only who brings its own header may have such.
 */
static const char *prepare(struct epitaph_event *ev, bool compiled)
{
	struct trace_event_file *file = trace_get_event_file(NULL, ev->system, ev->name);
	const char *why;

	if (IS_ERR(file)) {
		if (compiled)
			return "ftrace has no such event";
		epitaph_find_syms(ev);
		return publish(ev);
	}
	/* The file pins the module, and so ->call, until we put it. */
	why = mismatch(ev, file->event_call);
	if (!why) {
		WRITE_ONCE(ev->call, file->event_call);
		epitaph_find_syms(ev);
		why = publish(ev);
	}
	trace_put_event_file(file);
	return why;
}

static bool is_stopped(const struct epitaph_event *ev)
{
	return paused || (main_stopped && ev->rings == &epitaph_rings[EPITAPH_CHANNEL_MAIN]);
}

static bool is_due(const struct epitaph_event *ev)
{
	return !is_stopped(ev) && ev->wanted && !ev->on && !ev->refused && READ_ONCE(ev->tp);
}

static void refuse(struct epitaph_event *ev, const char *why)
{
	pr_warn("not recording %s:%s: %s\n", ev->system, ev->name, why);
	ev->refused = true;
	WRITE_ONCE(ev->call, NULL);
}

static void attach_wanted(struct epitaph_event *ev, bool compiled)
{
	const char *why;

	if (!is_due(ev))
		return;
	why = prepare(ev, compiled) ?: epitaph_filter_join(ev, NULL) ?: epitaph_event_attach(ev);
	if (why)
		refuse(ev, why);
}

static bool is_compiled(const struct epitaph_event *ev)
{
	struct batch *batch;
	int i;

	list_for_each_entry(batch, &batches, node)
		for (i = 0; i < batch->nr; i++)
			if (batch->events[i] == ev)
				return false;
	return true;
}

/* It carries the id of its origin, whose format is in the region then. */
static const char *prepare_member(struct epitaph_member *member)
{
	struct epitaph_event *ev = &member->ev, *origin = member->origin;
	const char *why;

	if (epitaph_console_has(ev))
		return "it comes through one console, which is the main channel's";
	why = prepare(origin, is_compiled(origin));
	if (why)
		return why;
	ev->id = origin->id;
	ev->nr_syms = origin->nr_syms;
	memcpy(ev->sym_off, origin->sym_off, sizeof(ev->sym_off));
	if (ev->size > epitaph_ring_max_payload(raw_cpu_ptr(ev->rings)))
		return "it is larger than a sub-buffer of the channel holds";
	return NULL;
}

static void attach_member(struct epitaph_member *member, void *unused)
{
	const char *why;

	if (!is_due(&member->ev))
		return;
	why = prepare_member(member) ?:
	      epitaph_filter_join(&member->ev, epitaph_added_name(member->channel)) ?:
	      epitaph_event_attach(&member->ev);
	if (why)
		refuse(&member->ev, why);
}

static void attach_all(void)
{
	const struct epitaph_event_set *const *set;
	struct epitaph_event **ev;
	struct batch *batch;
	int i;

	for_each_compiled_event(set, ev)
		attach_wanted(*ev, true);
	list_for_each_entry(batch, &batches, node)
		for (i = 0; i < batch->nr; i++)
			attach_wanted(batch->events[i], false);
	epitaph_members_each(attach_member, NULL);
}

/* After ftrace has made the module's events. */
static int module_event(struct notifier_block *nb, unsigned long what, void *data)
{
	struct module *mod = data;

	if (what != MODULE_STATE_COMING || !mod->num_tracepoints)
		return NOTIFY_DONE;
	mutex_lock(&events_lock);
	if (started)
		attach_all();
	mutex_unlock(&events_lock);
	return NOTIFY_OK;
}

static struct notifier_block modules = {
	.notifier_call = module_event,
	.priority = -1,
};

static void reset(struct epitaph_event *ev)
{
	ev->tp = NULL;
	ev->call = NULL;
	ev->next = NULL;
	ev->rings = epitaph_rings_for(ev);
	ev->steer = NULL;
	ev->published = ev->wanted = ev->refused = false;
}

int epitaph_probes_choose(const char *globs)
{
	const struct epitaph_event_set *const *set;
	struct epitaph_answer answer = {};
	struct epitaph_event **ev;
	int err;

	epitaph_names_clear();
	for_each_compiled_event(set, ev) {
		reset(*ev);
		epitaph_name_add(*ev);
	}
	paused = main_stopped = false;
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
	mutex_lock(&events_lock);
	attach_all();
	started = true;
	mutex_unlock(&events_lock);
	epitaph_format_files_add();
	return 0;
}

static void detach_member(struct epitaph_member *member, void *unused)
{
	epitaph_event_detach(&member->ev);
}

void epitaph_probes_stop(void)
{
	const struct epitaph_event_set *const *set;
	struct epitaph_event **ev;

	epitaph_format_files_remove();
	unregister_module_notifier(&modules);
	/* Says of every module that it goes. */
	epitaph_tracepoints_leave();
	mutex_lock(&events_lock);
	started = false;
	mutex_lock(&epitaph_tp_lock);
	for_each_compiled_event(set, ev)
		epitaph_event_detach(*ev);
	epitaph_members_each(detach_member, NULL);
	mutex_unlock(&epitaph_tp_lock);
	mutex_unlock(&events_lock);
	tracepoint_synchronize_unregister();
}

bool epitaph_probes_are_paused(void)
{
	return READ_ONCE(paused);
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

void epitaph_want_none(void)
{
	const struct epitaph_event_set *const *set;
	struct epitaph_event **ev;
	struct batch *batch;
	int i;

	for_each_compiled_event(set, ev)
		(*ev)->wanted = false;
	list_for_each_entry(batch, &batches, node)
		for (i = 0; i < batch->nr; i++)
			batch->events[i]->wanted = true;
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

void epitaph_probes_follow(void)
{
	bool any = false;

	mutex_lock(&epitaph_tp_lock);
	epitaph_for_all_events(detach_unwanted, &any);
	epitaph_members_each(detach_unwanted_member, &any);
	mutex_unlock(&epitaph_tp_lock);
	if (any)
		tracepoint_synchronize_unregister();
	attach_all();
}

void epitaph_events_lock(void)
{
	mutex_lock(&events_lock);
}

void epitaph_events_unlock(void)
{
	mutex_unlock(&events_lock);
}

void epitaph_main_run(bool run)
{
	main_stopped = !run;
	epitaph_probes_follow();
}

bool epitaph_main_runs(void)
{
	return !main_stopped;
}

bool epitaph_all_paused(void)
{
	return paused;
}

void epitaph_event_retry(struct epitaph_event *ev)
{
	if (!ev->refused)
		return;
	ev->refused = false;
	attach_all();
}

int epitaph_probes_change(struct epitaph_answer *answer, const char *globs)
{
	bool adds = strchr("+!?", *globs);
	int err;

	mutex_lock(&events_lock);
	err = adds ? epitaph_select_more(answer, globs) : epitaph_select(answer, globs);
	if (!err)
		epitaph_probes_follow();
	mutex_unlock(&events_lock);
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
	mutex_lock(&events_lock);
	if (pause != paused) {
		WRITE_ONCE(paused, pause);
		if (!pause)
			mark_pause(EPITAPH_MARK_START, "recording goes on");
		epitaph_probes_follow();
		if (pause)
			mark_pause(EPITAPH_MARK_STOP, "recording was stopped");
	}
	mutex_unlock(&events_lock);
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
	mutex_lock(&events_lock);
	epitaph_for_all_events(count_event, counts);
	counts->is_paused = paused;
	mutex_unlock(&events_lock);
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

	if (!started)
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
		reset(events[i]);
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
		attach_all();
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
