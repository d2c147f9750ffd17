// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters: what was asked for of which event, in which channel.  It is kept by name,
 * because events come and go with their modules; what the kernel has made of it is in
 * epitaph_event.steer (steer.c).  All of it changes under epitaph_events_lock().
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "events/calls.h"
#include "events/probe.h"
#include "added.h"
#include "answer.h"
#include "predicate.h"
#include "context.h"
#include "members.h"
#include "recorder.h"
#include "event_config.h"
#include "target.h"

/**
 * struct filter - what was asked for
 * @channel: its name; empty: the one that an event is recorded into by itself
 * @event: "system:name"
 * @text: the expression
 * @marked: how many marks were written when the last mark of this filter was
 */
struct filter {
	struct list_head node;
	char *channel;
	char *event;
	char *text;
	u64 marked;
};

/* Of a command. */
struct target {
	struct epitaph_target in;
	struct epitaph_event *ev;	/* in it */
	char *event;			/* as in struct filter */
};

static LIST_HEAD(filters);

static const char usage[] = "filter [CHANNEL] SYSTEM:EVENT EXPRESSION, filter [CHANNEL] SYSTEM:EVENT 0, or filter alone";

static char *filter_event_name(const struct epitaph_event *ev)
{
	return kasprintf(GFP_KERNEL, "%s:%s", ev->system, ev->name);
}

static struct filter *find_filter(const char *channel, const char *event)
{
	struct filter *filter;

	list_for_each_entry(filter, &filters, node)
		if (!strcmp(filter->channel, channel) && !strcmp(filter->event, event))
			return filter;
	return NULL;
}

static void free_filter(struct filter *filter)
{
	if (!filter)
		return;
	kfree(filter->channel);
	kfree(filter->event);
	kfree(filter->text);
	kfree(filter);
}

static struct filter *new_filter(const struct target *target, const char *text)
{
	struct filter *filter = kzalloc(sizeof(*filter), GFP_KERNEL);

	if (!filter)
		return NULL;
	filter->channel = kstrdup(target->in.channel, GFP_KERNEL);
	filter->event = kstrdup(target->event, GFP_KERNEL);
	filter->text = kstrdup(text, GFP_KERNEL);
	if (filter->channel && filter->event && filter->text)
		return filter;
	free_filter(filter);
	return NULL;
}

struct epitaph_steer *epitaph_steer_make(struct epitaph_answer *answer, struct epitaph_event *ev,
					 const char *channel, const char *event)
{
	struct filter *filter = find_filter(channel, event);

	return epitaph_steer_new(answer, ev, channel, event, filter ? filter->text : NULL);
}

const char *epitaph_filter_join(struct epitaph_event *ev, const char *channel)
{
	char *event = filter_event_name(ev);
	struct epitaph_answer answer = {};
	struct epitaph_steer *steer = NULL;

	if (event)
		steer = epitaph_steer_make(&answer, ev, channel ?: "", event);
	if (IS_ERR(steer) && answer.used)
		pr_warn("filter or trigger of %s: %.*s", event, (int)answer.used, answer.text);
	epitaph_answer_free(&answer);
	kfree(event);
	if (!event)
		return "there is no memory";
	epitaph_steer_free(epitaph_steer_put(ev, IS_ERR(steer) ? NULL : steer));
	return IS_ERR(steer) ? "its filter, a trigger or its context is not to be had" : NULL;
}

void epitaph_filter_leave(struct epitaph_event *ev)
{
	epitaph_steer_free(epitaph_steer_put(ev, NULL));
}

/* --- the command -------------------------------------------------------------- */

static void mark_filter_change(const char *channel, const char *event, const char *text)
{
	char line[sizeof_field(struct epitaph_mark, text)];
	int n = snprintf(line, sizeof(line), "%s %s %s", channel, event, text);

	if (n >= sizeof(line))
		strscpy(line + sizeof(line) - sizeof("..."), "...", sizeof("..."));
	epitaph_mark(EPITAPH_MARK_FILTER, line);
}

static const char *shown_channel(const struct target *target)
{
	return *target->in.channel ? target->in.channel : epitaph_target_channel_of(target->ev);
}

static void keep(struct filter *filter, const char *channel, const char *event)
{
	struct filter *old = find_filter(channel, event);

	if (old)
		list_del(&old->node);
	free_filter(old);
	if (filter)
		list_add_tail(&filter->node, &filters);
}

/* Each writes its mark again, see remind(): more would push out all other marks. */
static bool filters_have_room(struct epitaph_answer *answer)
{
	u32 room = epitaph_marks_kept() / 2 - 1;
	struct filter *filter;
	u32 nr = 0;

	list_for_each_entry(filter, &filters, node)
		nr++;
	if (nr < room)
		return true;
	epitaph_answer(answer, "there are %u filters, and room for %u: take one away with filter [CHANNEL] SYSTEM:EVENT 0\n",
		       nr, room);
	return false;
}

static int set(struct epitaph_answer *answer, const struct target *target, const char *text)
{
	struct epitaph_steer *steer = NULL;
	struct filter *filter;

	if (!find_filter(target->in.channel, target->event) && !filters_have_room(answer))
		return -ENOSPC;
	filter = new_filter(target, text);
	if (!filter)
		return -ENOMEM;
	/* What has no code yet is read when it comes. */
	if (READ_ONCE(target->ev->tp))
		steer = epitaph_steer_new(answer, target->ev, target->in.channel, target->event,
					  text);
	if (IS_ERR(steer)) {
		free_filter(filter);
		return PTR_ERR(steer);
	}
	mark_filter_change(shown_channel(target), target->event, text);
	filter->marked = epitaph_marks_written();
	epitaph_steer_install(target->ev, steer);
	keep(filter, target->in.channel, target->event);
	epitaph_event_retry(target->ev);
	return 0;
}

static int unset(struct epitaph_answer *answer, const struct target *target)
{
	struct epitaph_steer *steer = NULL;

	if (!find_filter(target->in.channel, target->event)) {
		epitaph_answer(answer, "'%s' has no filter%s%s\n", target->event,
			       *target->in.channel ? " in channel " : "", target->in.channel);
		return -ENOENT;
	}
	if (READ_ONCE(target->ev->tp))
		steer = epitaph_steer_new(answer, target->ev, target->in.channel, target->event,
					  NULL);
	if (IS_ERR(steer))
		return PTR_ERR(steer);
	epitaph_steer_install(target->ev, steer);
	mark_filter_change(shown_channel(target), target->event, "0");
	keep(NULL, target->in.channel, target->event);
	epitaph_event_retry(target->ev);
	return 0;
}

static struct epitaph_event *filter_event(const struct filter *filter)
{
	struct epitaph_answer answer = {};
	struct epitaph_event *ev = epitaph_select_one(&answer, filter->event);

	epitaph_answer_free(&answer);
	if (!ev || !*filter->channel)
		return ev;
	return epitaph_member_of(epitaph_added_find(filter->channel), ev);
}

int epitaph_steer_renew(struct epitaph_answer *answer, struct epitaph_event *ev)
{
	char *event = filter_event_name(ev);
	struct epitaph_steer *steer = NULL;

	if (!event)
		return -ENOMEM;
	if (READ_ONCE(ev->tp))
		steer = epitaph_steer_make(answer, ev, "", event);
	kfree(event);
	if (IS_ERR(steer))
		return PTR_ERR(steer);
	epitaph_steer_install(ev, steer);
	epitaph_event_retry(ev);
	return 0;
}

/* Nothing else in the region says that it is filtered: before its mark goes, there is another. */
static void remind(struct filter *filter)
{
	const struct epitaph_event *ev = filter_event(filter);

	if (epitaph_marks_written() - filter->marked < epitaph_marks_kept() / 2)
		return;
	mark_filter_change(*filter->channel ? filter->channel : epitaph_target_channel_of(ev),
			   filter->event, filter->text);
	filter->marked = epitaph_marks_written();
}

void epitaph_filters_remind(void)
{
	struct filter *filter;

	epitaph_events_lock();
	list_for_each_entry(filter, &filters, node)
		remind(filter);
	epitaph_events_unlock();
}

static const char *filter_state(const struct epitaph_event *ev)
{
	if (!ev || !READ_ONCE(ev->tp))
		return "waits";
	return ev->steer && ev->steer->filter ? "on" : "refused";
}

void epitaph_filters_show(struct epitaph_answer *answer)
{
	struct filter *filter;
	struct epitaph_event *ev;

	list_for_each_entry(filter, &filters, node) {
		ev = filter_event(filter);
		epitaph_answer(answer, "filter %s %s %s %s\n", *filter->channel ? filter->channel :
			       epitaph_target_channel_of(ev), filter->event, filter_state(ev),
							 filter->text);
	}
}

static int parse_filter_event(struct epitaph_answer *answer, struct target *target,
			      const char *word)
{
	struct epitaph_event *ev = epitaph_select_one(answer, word);

	if (!ev)
		return -EINVAL;
	target->ev = epitaph_target_in(&target->in, ev);
	target->event = filter_event_name(ev);
	if (!target->event)
		return -ENOMEM;
	if (target->ev)
		return 0;
	if (target->in.own && ev->rings)
		epitaph_answer(answer, "channel '%s' does not record '%s': '%s' does\n",
			       target->in.own, word, epitaph_target_channel_of(ev));
	else
		epitaph_answer(answer, "channel '%s' does not record '%s'\n", target->in.channel, word);
	return -EINVAL;
}

static int change_filter(struct epitaph_answer *answer, struct target *target, char *rest)
{
	char *word = epitaph_next_word(&rest);
	int err = epitaph_target_take(answer, &target->in, word);

	if (err < 0)
		return err;
	if (err)
		word = epitaph_next_word(&rest);
	if (!*word || !*rest) {
		epitaph_answer(answer, "a word lacks behind '%s'; it is: %s\n", *word ? word : target->in.channel, usage);
		return -EINVAL;
	}
	err = parse_filter_event(answer, target, word);
	if (err)
		return err;
	if (!strcmp(rest, "0"))
		return unset(answer, target);
	if (epitaph_calls_is(target->ev)) {
		epitaph_answer(answer, "calls have no filter, ftrace does not know their fields: 'events calls:GLOB' chooses functions\n");
		return -EINVAL;
	}
	return set(answer, target, rest);
}

int epitaph_filter_change(struct epitaph_answer *answer, char *rest)
{
	struct target target = {};
	int err = change_filter(answer, &target, rest);

	kfree(target.event);
	return err;
}

/* --- ends ---------------------------------------------------------------------- */

void epitaph_filters_forget(const char *channel)
{
	struct filter *filter, *next;

	list_for_each_entry_safe(filter, next, &filters, node) {
		if (strcmp(filter->channel, channel))
			continue;
		mark_filter_change(channel, filter->event, "0");
		list_del(&filter->node);
		free_filter(filter);
	}
}

static void leave(struct epitaph_event *ev, void *unused)
{
	epitaph_filter_leave(ev);
}

void epitaph_filters_exit(void)
{
	struct filter *filter, *next;

	epitaph_for_all_events(leave, NULL);
	list_for_each_entry_safe(filter, next, &filters, node) {
		list_del(&filter->node);
		free_filter(filter);
	}
	epitaph_predicates_exit();
	epitaph_contexts_exit();
	epitaph_stages_stop();
}
