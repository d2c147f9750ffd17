/* SPDX-License-Identifier: GPL-2.0-only */
/* What an event sets off: a channel stops, or is copied.  docs/control.md, Triggers. */
#ifndef EPITAPH_CONTROL_TRIGGER_H
#define EPITAPH_CONTROL_TRIGGER_H

#include <linux/list.h>
#include <linux/types.h>

struct epitaph_answer;

#define EPITAPH_TRIGGER_WAITS	16	/* that it was set off and is not done yet, at most */

/**
 * struct epitaph_setoff - once that a trigger was set off
 * @state: of it, below
 * @left: so many more of the event
 * @at: CLOCK_MONOTONIC
 */
struct epitaph_setoff {
	int state;
	u32 left;
	u64 at;
};

/**
 * struct epitaph_trigger - what was asked for
 * @number: in the list, used once
 * @event: "system:name"
 * @text: the expression; NULL: every one of the event
 * @channel: that it is about
 * @stops: the channel stops; else it is copied
 * @is_spent: it was set off, and can be no more
 * @after: so many of the event later
 * @after_ns: so much later
 * @fired: how often it was set off, and how often in vain
 * @acted: how often what it asks for was tried
 */
struct epitaph_trigger {
	struct list_head node;
	unsigned int number;
	char *event, *text, *channel;
	bool stops;
	bool is_spent;
	u32 after;
	u64 after_ns;
	atomic_t fired, missed;
	u32 acted;
	struct epitaph_setoff waits[EPITAPH_TRIGGER_WAITS];
};

/* The command "trigger", as "filter" (steer.h). */
int epitaph_trigger_change(struct epitaph_answer *answer, char *rest);
void epitaph_triggers_show(struct epitaph_answer *answer);

/* filter.c: the next trigger of @event behind @before (NULL: the first); events_lock held. */
struct epitaph_trigger *epitaph_trigger_next(struct epitaph_trigger *before,
					     const char *event);

/**
 * epitaph_trigger_saw() - one of its event came
 * @fits: its expression is true of it
 *
 * What is to be done is done by a work, some ms later.
 *
 * Context: any, NMI included; preemption off.
 */
void epitaph_trigger_saw(struct epitaph_trigger *trigger, bool fits);

/* The channel of that name goes, and nothing is set off for it any more; events_lock held. */
void epitaph_triggers_spend(const char *channel);

/* Before the first trigger. */
void epitaph_triggers_start(void);

/* Unloading: nothing is set off any more; before epitaph_probes_stop(). */
void epitaph_triggers_stop(void);

/* Frees the triggers.  No event may refer to them any more. */
void epitaph_triggers_exit(void);

#endif /* EPITAPH_CONTROL_TRIGGER_H */
