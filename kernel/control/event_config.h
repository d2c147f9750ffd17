/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What looks at the records of an event before they are in a ring: docs/control.md,
 * Filters.
 */
#ifndef EPITAPH_CONTROL_EVENT_CONFIG_H
#define EPITAPH_CONTROL_EVENT_CONFIG_H

#include <linux/types.h>
#include <epitaph/record.h>

struct epitaph_answer;
struct epitaph_context;
struct epitaph_program;
struct epitaph_trigger;
struct event_filter;

/**
 * struct epitaph_steer - of one event in one channel
 * @filter: what is recorded of it, as the kernel understood it; NULL: all
 * @program: the same, compiled; NULL: it is not, or there are triggers
 * @wants_more: than comparisons of numbers: the kernel's filter, texts of any length, or triggers
 * @type: ftrace's number of the event, for "common_type"
 * @wants_common: an expression asks for more than the event's own fields
 * @context: what it says besides its own fields; NULL: nothing
 * @nr: of @triggers
 * @triggers: what it sets off, and of which records (NULL: of all)
 *
 * epitaph_event.steer points to it.  Who reads that has preemption off, and it is
 * freed after the probes that may have read it.
 */
struct epitaph_steer {
	struct event_filter *filter;
	struct epitaph_program *program;
	u16 type;
	bool wants_more;
	bool wants_common;
	struct epitaph_context *context;
	unsigned int nr;
	struct {
		struct epitaph_trigger *trigger;
		struct event_filter *when;
	} triggers[];
};

/* stage.c: a record outside of the rings */

#define EPITAPH_STAGED	(~0U)		/* epitaph_claim.words of such a record */

/**
 * epitaph_stages_start() - make the room for them, once
 *
 * Context: process, may sleep; not at once with itself.
 * Return: 0 or -ENOMEM.
 */
int epitaph_stages_start(void);

/* No stage may be in use.  Fine if there never was one. */
void epitaph_stages_stop(void);

/**
 * epitaph_stage() - room for a record of a steered event
 * @payload: words, no more than a ring holds
 * @claim: filled in
 *
 * Context: any, NMI included.  Preemption is off until epitaph_unstage().
 * Return: false if there is no room left for it, as it is nested too deep: then nothing has begun.
 */
bool epitaph_stage(u32 payload, struct epitaph_claim *claim);

/**
 * epitaph_kernel_passes() - the kernel's filter, and the triggers are set off
 * @record: a struct trace_event_raw_x, which is filled in as ftrace would have it; 8 zeroes behind it
 *
 * Context: any, NMI included; preemption off.
 */
bool epitaph_kernel_passes(const struct epitaph_steer *steer, void *record);

/* Context: as epitaph_stage(), on the same CPU, with its @claim. */
void epitaph_unstage(struct epitaph_claim claim);
void epitaph_stage_abandon(void);	/* fault.c: all of this CPU's */

/* steer.c: what the kernel makes of what was asked for */

/**
 * epitaph_steer_new() - a filter, triggers and context, understood
 * @channel: its name; empty: @ev is not of an added channel
 * @event: "system:name" of @ev
 * @text: of the filter; NULL: none
 *
 * Context: process, may sleep; epitaph_events_lock() held.
 * Return: for epitaph_steer_put(), NULL: nothing, or an error that @answer explains.
 */
struct epitaph_steer *epitaph_steer_new(struct epitaph_answer *answer,
					const struct epitaph_event *ev, const char *channel,
					const char *event, const char *text);

/* That of @ev's steer, if it is all that keeps @ev from the fast path; else NULL.  Process context. */
const struct epitaph_fast_context *epitaph_fast_context(const struct epitaph_event *ev);

/* It holds from now on.  Return: what was there before, to be freed after epitaph_steer_wait(). */
struct epitaph_steer *epitaph_steer_put(struct epitaph_event *ev, struct epitaph_steer *steer);
void epitaph_steer_wait(void);
void epitaph_steer_free(struct epitaph_steer *steer);	/* NULL is fine */

/* All three: afterwards no CPU decides by what was there before. */
void epitaph_steer_install(struct epitaph_event *ev, struct epitaph_steer *steer);

/* filter.c: which records */

/**
 * epitaph_steer_renew() - the triggers of an event are others now
 * @ev: not of an added channel
 *
 * Afterwards no CPU sets off those that were there before.
 *
 * Context: process, may sleep; epitaph_events_lock() held.
 * Return: 0, or an error that @answer explains, and then nothing has changed.
 */
int epitaph_steer_renew(struct epitaph_answer *answer, struct epitaph_event *ev);

/**
 * epitaph_steer_make() - what is asked for of an event now
 * @channel: its name; empty: @ev is not of an added channel
 *
 * Context: process, may sleep; epitaph_events_lock() held.
 * Return: for epitaph_steer_put(), NULL: nothing, or an error that @answer explains.
 */
struct epitaph_steer *epitaph_steer_make(struct epitaph_answer *answer, struct epitaph_event *ev,
					 const char *channel, const char *event);

/*
 * The command "filter": what its words ask for (@rest, taken to pieces), and what there is.
 * Context: process, may sleep; epitaph_events_lock() held.  0, or an error that @answer explains.
 */
int epitaph_filter_change(struct epitaph_answer *answer, char *rest);
void epitaph_filters_show(struct epitaph_answer *answer);

/**
 * epitaph_filter_join() - before the probe of an event comes on
 * @ev: of a channel or not; off, and no probe of it runs any more
 * @channel: its name; NULL: @ev is not of an added channel
 *
 * What was asked for @ev holds from its first record on.  Its layout may have changed
 * since the last time.
 *
 * Context: process, may sleep; epitaph_events_lock() held.
 * Return: NULL, or why @ev must not come on.
 */
const char *epitaph_filter_join(struct epitaph_event *ev, const char *channel);

/* @ev goes, and no probe of it runs any more.  What was asked for stays. */
void epitaph_filter_leave(struct epitaph_event *ev);

/*
 * Writes the marks of filters again before newer marks overwrite them.  Every writer of
 * marks calls it afterwards.  Context: process, may sleep.
 */
void epitaph_filters_remind(void);

/* A channel goes: nothing is asked for its events any more; epitaph_events_lock() held. */
void epitaph_filters_forget(const char *channel);

/* Unloading: the probes are away, and channels. */
void epitaph_filters_exit(void);

#endif /* EPITAPH_CONTROL_EVENT_CONFIG_H */
