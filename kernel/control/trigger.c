// SPDX-License-Identifier: GPL-2.0-only
/*
 * Triggers: an event stops or copies a channel, at once or later.  The event may come in any
 * context, but channels change in process context only.  So the event takes one of the
 * trigger's places, and a work does the rest.
 *
 *	FREE -> TAKEN -> WAITS -> FREE
 *
 * An event that interrupts another one takes another place.  The work frees a place before it
 * acts, so an event that comes meanwhile is handled as well: two problems back to back make
 * two copies.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include "core/hibernate.h"
#include "core/wake.h"
#include "events/calls.h"
#include "events/probe.h"
#include "added.h"
#include "answer.h"
#include "compat.h"
#include "members.h"
#include "recorder.h"
#include "event_config.h"
#include "trigger.h"

enum { FREE, TAKEN, WAITS };

static const char usage[] =
	"trigger SYSTEM:EVENT [if EXPRESSION] stop|snapshot CHANNEL [after N|Nms], trigger remove NUMBER, or trigger alone";

/*
 * Marks are few, and they say why there is nothing where recording was stopped.  So the first of
 * a trigger are kept, and one says in the end how often it was.
 */
#define MAX_MARKS	2

static LIST_HEAD(triggers);
static unsigned int last_number;
static bool is_over;

static void act_all(struct work_struct *work);
static DECLARE_DELAYED_WORK(act, act_all);

static void wake_triggers(struct irq_work *unused)
{
	mod_delayed_work(epitaph_unbound_wq, &act, 0);
}
static DEFINE_PER_CPU(struct irq_work, wake_act);

/* --- any context -------------------------------------------------------------- */

static struct epitaph_setoff *take_setoff(struct epitaph_trigger *trigger)
{
	int i;

	for (i = 0; i < EPITAPH_TRIGGER_WAITS; i++)
		if (READ_ONCE(trigger->waits[i].state) == FREE &&
		    cmpxchg(&trigger->waits[i].state, FREE, TAKEN) == FREE)
			return &trigger->waits[i];
	return NULL;
}

static void mark_trigger(const struct epitaph_trigger *trigger)
{
	char text[sizeof_field(struct epitaph_mark, text)];

	snprintf(text, sizeof(text), "trigger %u: %s, %s %s", trigger->number, trigger->event,
		 trigger->stops ? "stop" : "snapshot", trigger->channel);
	epitaph_mark(EPITAPH_MARK_TRIGGER, text);
}

static void fire(struct epitaph_trigger *trigger)
{
	struct epitaph_setoff *setoff = take_setoff(trigger);

	if (!setoff) {
		atomic_inc(&trigger->missed);
		return;
	}
	if (atomic_inc_return(&trigger->fired) <= MAX_MARKS)
		mark_trigger(trigger);
	setoff->left = trigger->after;
	setoff->at = ktime_get_mono_fast_ns() + trigger->after_ns;
	smp_store_release(&setoff->state, WAITS);
	if (!trigger->after)
		epitaph_wake(&wake_act);
}

static void count_down(struct epitaph_setoff *setoff)
{
	u32 left;

	if (smp_load_acquire(&setoff->state) != WAITS)
		return;
	/* The one that counts to 0 wakes the work, once: what is counted may be another setoff's by now. */
	do {
		left = READ_ONCE(setoff->left);
		if (!left)
			return;
	} while (cmpxchg(&setoff->left, left, left - 1) != left);
	if (left == 1 && !READ_ONCE(is_over))
		epitaph_wake(&wake_act);
}

void epitaph_trigger_saw(struct epitaph_trigger *trigger, bool fits)
{
	int i;

	for (i = 0; trigger->after && i < EPITAPH_TRIGGER_WAITS; i++)
		count_down(&trigger->waits[i]);
	if (fits && !READ_ONCE(trigger->is_spent) && !READ_ONCE(is_over))
		fire(trigger);
}

/* --- the work ----------------------------------------------------------------- */

/* What is to be done now, without the lock. */
struct action {
	unsigned int number;
	bool stops;
	bool marks;
	char channel[sizeof_field(struct epitaph_added, name)];
	char why[48];
};

static bool setoff_is_due(const struct epitaph_setoff *setoff, u64 now, u64 *next)
{
	if (smp_load_acquire(&setoff->state) != WAITS || READ_ONCE(setoff->left))
		return false;
	if (setoff->at <= now)
		return true;
	*next = min(*next, setoff->at - now);
	return false;
}

static bool take_due(struct epitaph_trigger *trigger, u64 now, u64 *next)
{
	int i;

	for (i = 0; i < EPITAPH_TRIGGER_WAITS; i++) {
		if (!setoff_is_due(&trigger->waits[i], now, next))
			continue;
		smp_store_release(&trigger->waits[i].state, FREE);
		return true;
	}
	return false;
}

/* Return: false if nothing is due; @next: ns until something will be. */
static bool next_action(struct action *action, u64 *next)
{
	struct epitaph_trigger *trigger;
	u64 now = ktime_get_mono_fast_ns();
	bool found = false;

	/* What is due waits until the machine has hibernated. */
	if (epitaph_hibernates()) {
		*next = NSEC_PER_SEC;
		return false;
	}
	*next = U64_MAX;
	epitaph_events_lock();
	list_for_each_entry(trigger, &triggers, node) {
		found = take_due(trigger, now, next);
		if (!found)
			continue;
		action->number = trigger->number;
		action->stops = trigger->stops;
		action->marks = ++trigger->acted <= MAX_MARKS;
		strscpy(action->channel, trigger->channel, sizeof(action->channel));
		scnprintf(action->why, sizeof(action->why), "by trigger %u", trigger->number);
		break;
	}
	epitaph_events_unlock();
	return found;
}

static struct epitaph_trigger *find_trigger(unsigned int number)
{
	struct epitaph_trigger *trigger;

	list_for_each_entry(trigger, &triggers, node)
		if (trigger->number == number)
			return trigger;
	return NULL;
}

static void spend(struct epitaph_trigger *trigger)
{
	char text[sizeof_field(struct epitaph_mark, text)];

	if (trigger->is_spent)
		return;
	WRITE_ONCE(trigger->is_spent, true);
	if (atomic_read(&trigger->fired) <= MAX_MARKS)
		return;
	scnprintf(text, sizeof(text), "trigger %u: spent, set off %d times", trigger->number,
		  atomic_read(&trigger->fired));
	epitaph_mark(EPITAPH_MARK_TRIGGER, text);
}

static void spend_number(unsigned int number)
{
	struct epitaph_trigger *trigger;

	epitaph_events_lock();
	trigger = find_trigger(number);
	if (trigger)
		spend(trigger);
	epitaph_events_unlock();
}

/* What waits waits for nothing; an event that sets it off at this moment finds no channel. */
void epitaph_triggers_spend(const char *channel)
{
	struct epitaph_trigger *trigger;
	int i;

	list_for_each_entry(trigger, &triggers, node) {
		if (strcmp(trigger->channel, channel))
			continue;
		spend(trigger);
		for (i = 0; i < EPITAPH_TRIGGER_WAITS; i++)
			cmpxchg(&trigger->waits[i].state, WAITS, FREE);
	}
}

/*
 * A channel stops once, and where there is no room for a copy the first ones stay.  What fails
 * otherwise will fail again, but for a channel of which nothing could be copied just now.
 */
static void do_action(const struct action *action)
{
	int err;

	if (action->stops)
		err = epitaph_channel_stop(action->channel);
	else
		err = epitaph_channel_snapshot(action->channel, action->why, action->marks);
	if (action->stops || (err && err != -EAGAIN))
		spend_number(action->number);
}

static void act_all(struct work_struct *work)
{
	struct action action;
	u64 next;

	while (next_action(&action, &next))
		do_action(&action);
	epitaph_filters_remind();
	if (next != U64_MAX)
		schedule_delayed_work(&act, nsecs_to_jiffies(next) + 1);
}

/* --- the command -------------------------------------------------------------- */

struct epitaph_trigger *epitaph_trigger_next(struct epitaph_trigger *before,
					     const char *event)
{
	struct epitaph_trigger *trigger = before ? list_next_entry(before, node) :
		list_first_entry(&triggers, struct epitaph_trigger, node);

	list_for_each_entry_from(trigger, &triggers, node)
		if (!strcmp(trigger->event, event))
			return trigger;
	return NULL;
}

static void free_trigger(struct epitaph_trigger *trigger)
{
	kfree(trigger->event);
	kfree(trigger->text);
	kfree(trigger->channel);
	kfree(trigger);
}

static int refuse_trigger_words(struct epitaph_answer *answer, const char *word)
{
	epitaph_answer(answer, "not understood: '%s'; it is: %s\n", word, usage);
	return -EINVAL;
}

/* Cut off the last word of @text; "" if there is none. */
static char *last_word(char **text)
{
	char *begin = strim(*text), *word = begin + strlen(begin);

	while (word > begin && !strchr(" \t\n", word[-1]))
		word--;
	*text = begin;
	if (word > begin)
		word[-1] = '\0';
	else
		*text += strlen(begin);
	return word;
}

/* "100ms", or a number of events. */
static int parse_after(struct epitaph_trigger *trigger, char *word)
{
	size_t len = strlen(word);
	u32 n;
	bool is_time = len > 2 && !strcmp(word + len - 2, "ms");

	if (is_time)
		word[len - 2] = '\0';
	if (kstrtou32(word, 10, &n))
		return -EINVAL;
	if (is_time)
		trigger->after_ns = (u64)n * NSEC_PER_MSEC;
	else
		trigger->after = n;
	return 0;
}

/* From its end, because an expression may be any words: ACTION CHANNEL [after N]. */
static int parse_action(struct epitaph_answer *answer, struct epitaph_trigger *trigger, char **text)
{
	char *channel = last_word(text), *action = last_word(text);

	if (!strcmp(action, "after")) {
		if (parse_after(trigger, channel)) {
			epitaph_answer(answer, "after '%s'? A number of events, or of ms as 100ms\n", channel);
			return -EINVAL;
		}
		channel = last_word(text);
		action = last_word(text);
	}
	trigger->stops = !strcmp(action, "stop");
	if (!trigger->stops && strcmp(action, "snapshot"))
		return refuse_trigger_words(answer, *action ? action : channel);
	trigger->channel = kstrdup(channel, GFP_KERNEL);
	return trigger->channel ? epitaph_added_check(answer, channel, trigger->stops) : -ENOMEM;
}

static int parse_trigger(struct epitaph_answer *answer, struct epitaph_trigger *trigger, char *text)
{
	char *rest = text, *event = strsep(&rest, " \t\n");
	int err;

	if (!rest)
		return refuse_trigger_words(answer, text);
	trigger->event = kstrdup(event, GFP_KERNEL);
	if (!trigger->event)
		return -ENOMEM;
	err = parse_action(answer, trigger, &rest);
	if (err)
		return err;
	rest = strim(rest);
	if (!*rest)
		return 0;
	if (strncmp(rest, "if ", 3))
		return refuse_trigger_words(answer, rest);
	trigger->text = kstrdup(skip_spaces(rest + 3), GFP_KERNEL);
	return trigger->text ? 0 : -ENOMEM;
}

struct renewal {
	const struct epitaph_trigger *trigger;
	struct epitaph_answer *answer;
	int err;
};

static void renew_if_named(struct epitaph_event *ev, void *arg)
{
	struct renewal *renewal = arg;
	const char *event = renewal->trigger->event, *colon = strchr(event, ':');

	if (!renewal->err && !strcmp(ev->name, colon + 1) && !strncmp(ev->system, event, colon - event) &&
	    !ev->system[colon - event])
		renewal->err = epitaph_steer_renew(renewal->answer, ev);
}

/* All events of that name: a module may have registered one that another has, too. */
static int renew_events(struct epitaph_answer *answer, const struct epitaph_trigger *trigger)
{
	struct renewal renewal = { .trigger = trigger, .answer = answer };

	epitaph_for_all_events(renew_if_named, &renewal);
	return renewal.err;
}

static int add_trigger(struct epitaph_answer *answer, char *text)
{
	struct epitaph_trigger *trigger = kzalloc(sizeof(*trigger), GFP_KERNEL);
	struct epitaph_event *ev;
	int err;

	if (!trigger)
		return -ENOMEM;
	err = parse_trigger(answer, trigger, text);
	ev = err ? NULL : epitaph_select_one(answer, trigger->event);
	if (ev && epitaph_calls_is(ev))
		epitaph_answer(answer, "calls set off no trigger: they are recorded without what looks at one\n");
	if (!err && (!ev || epitaph_calls_is(ev)))
		err = -EINVAL;
	if (!err) {
		trigger->number = ++last_number;
		list_add_tail(&trigger->node, &triggers);
		err = renew_events(answer, trigger);
		if (err) {
			list_del(&trigger->node);
			last_number--;
			/* Where there is no memory to take it from the first of them, it stays theirs. */
			if (renew_events(answer, trigger))
				return err;
		}
	}
	if (err)
		free_trigger(trigger);
	return err;
}

static int remove_trigger(struct epitaph_answer *answer, const char *word)
{
	struct epitaph_trigger *trigger;
	unsigned int number;
	int err;

	trigger = kstrtouint(word, 10, &number) ? NULL : find_trigger(number);
	if (!trigger) {
		epitaph_answer(answer, "there is no trigger '%s'\n", word);
		return -ENOENT;
	}
	list_del(&trigger->node);
	err = renew_events(answer, trigger);
	if (err)
		list_add_tail(&trigger->node, &triggers);
	else
		free_trigger(trigger);
	return err;
}

static unsigned int nr_waiting(const struct epitaph_trigger *trigger)
{
	unsigned int i, n = 0;

	for (i = 0; i < EPITAPH_TRIGGER_WAITS; i++)
		n += READ_ONCE(trigger->waits[i].state) != FREE;
	return n;
}

static void show_after(struct epitaph_answer *answer, const struct epitaph_trigger *trigger)
{
	if (trigger->after)
		epitaph_answer(answer, " after %u", trigger->after);
	else if (trigger->after_ns)
		epitaph_answer(answer, " after %llums", div_u64(trigger->after_ns, NSEC_PER_MSEC));
	epitaph_answer(answer, "\n");
}

void epitaph_triggers_show(struct epitaph_answer *answer)
{
	struct epitaph_trigger *trigger;

	list_for_each_entry(trigger, &triggers, node) {
		epitaph_answer(answer, "trigger %u %s fired %d missed %d waits %u: %s%s%s %s %s",
			       trigger->number, trigger->is_spent ? "spent" : "armed",
			       atomic_read(&trigger->fired), atomic_read(&trigger->missed),
			       nr_waiting(trigger), trigger->event, trigger->text ? " if " : "",
			       trigger->text ?: "", trigger->stops ? "stop" : "snapshot", trigger->channel);
		show_after(answer, trigger);
	}
}

int epitaph_trigger_change(struct epitaph_answer *answer, char *rest)
{
	if (!strncmp(rest, "remove ", 7))
		return remove_trigger(answer, strim(rest + 7));
	return add_trigger(answer, rest);
}

void epitaph_triggers_start(void)
{
	epitaph_wake_init(&wake_act, wake_triggers);
}

void epitaph_triggers_stop(void)
{
	WRITE_ONCE(is_over, true);
	tracepoint_synchronize_unregister();
	epitaph_wake_sync(&wake_act);
	cancel_delayed_work_sync(&act);
}

void epitaph_triggers_exit(void)
{
	struct epitaph_trigger *trigger, *next;

	list_for_each_entry_safe(trigger, next, &triggers, node) {
		list_del(&trigger->node);
		free_trigger(trigger);
	}
}
