// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command "context": which events of which channel say more than their own fields.  It is
 * kept by name, as filters are, and changes under epitaph_events_lock().
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "events/probe.h"
#include "added.h"
#include "answer.h"
#include "context.h"
#include "members.h"
#include "event_config.h"
#include "target.h"

/**
 * struct asked - what was asked for
 * @channel: its name; empty: the one that an event is recorded into by itself
 * @event: "system:name"
 */
struct asked {
	struct list_head node;
	char *channel;
	char *event;
	struct epitaph_context_words *words;
};

/**
 * struct context_change - of one event, by a command
 * @ev: in the channel of the command
 * @now: NULL: nothing is asked for any more
 * @before: NULL: nothing was
 * @steer: the new one, and then the one before
 */
struct context_change {
	struct list_head node;
	struct epitaph_event *ev;
	struct asked *now, *before;
	struct epitaph_steer *steer;
	bool has_steer;
};

/* Of a command. */
struct context_command {
	struct epitaph_target in;
	struct epitaph_context_words *words;	/* NULL: none */
	struct list_head changes;
};

static LIST_HEAD(all_asked);

static const char usage[] = "context [CHANNEL] GLOB WORD[,WORD]..., context [CHANNEL] GLOB 0, or context alone";

static void free_asked(struct asked *asked)
{
	if (!asked)
		return;
	epitaph_context_words_put(asked->words);
	kfree(asked->channel);
	kfree(asked->event);
	kfree(asked);
}

static struct asked *new_asked(const char *channel, const struct epitaph_event *ev,
			       struct epitaph_context_words *words)
{
	struct asked *asked = kzalloc(sizeof(*asked), GFP_KERNEL);

	if (!asked)
		return NULL;
	asked->channel = kstrdup(channel, GFP_KERNEL);
	asked->event = kasprintf(GFP_KERNEL, "%s:%s", ev->system, ev->name);
	asked->words = epitaph_context_words_get(words);
	if (asked->channel && asked->event)
		return asked;
	free_asked(asked);
	return NULL;
}

static bool is_of(const struct asked *asked, const char *channel, const struct epitaph_event *ev)
{
	size_t len = strlen(ev->system);

	return !strcmp(asked->channel, channel) && !strncmp(asked->event, ev->system, len) &&
	       asked->event[len] == ':' && !strcmp(asked->event + len + 1, ev->name);
}

static struct asked *find_asked(const char *channel, const struct epitaph_event *ev)
{
	struct asked *asked;

	list_for_each_entry(asked, &all_asked, node)
		if (is_of(asked, channel, ev))
			return asked;
	return NULL;
}

struct epitaph_context_words *epitaph_context_asked(const char *channel, const char *event)
{
	struct asked *asked;

	list_for_each_entry(asked, &all_asked, node)
		if (!strcmp(asked->channel, channel) && !strcmp(asked->event, event))
			return asked->words;
	return NULL;
}

/* --- a change ------------------------------------------------------------------- */

/* In the list is what is asked for: @in stands there instead of @out. */
static void exchange(struct asked *in, struct asked *out)
{
	if (out)
		list_del(&out->node);
	if (in)
		list_add_tail(&in->node, &all_asked);
}

static int change_one(struct epitaph_event *origin, void *arg)
{
	struct context_command *command = arg;
	struct epitaph_event *ev = epitaph_target_in(&command->in, origin);
	struct asked *before = ev ? find_asked(command->in.channel, ev) : NULL;
	struct context_change *change;

	if (!ev || (!command->words && !before))
		return 0;
	change = kzalloc(sizeof(*change), GFP_KERNEL);
	if (!change)
		return -ENOMEM;
	change->ev = ev;
	if (command->words)
		change->now = new_asked(command->in.channel, ev, command->words);
	if (command->words && !change->now) {
		kfree(change);
		return -ENOMEM;
	}
	change->before = before;
	exchange(change->now, before);
	list_add_tail(&change->node, &command->changes);
	return 0;
}

static int make_steers(struct epitaph_answer *answer, struct context_command *command)
{
	struct context_change *change;
	struct epitaph_steer *steer;

	list_for_each_entry(change, &command->changes, node) {
		const struct asked *asked = change->now ?: change->before;

		/* What is off is looked at when it comes on. */
		if (!change->ev->on)
			continue;
		steer = epitaph_steer_make(answer, change->ev, asked->channel, asked->event);
		if (IS_ERR(steer))
			return PTR_ERR(steer);
		change->steer = steer;
		change->has_steer = true;
	}
	return 0;
}

static void free_changes(struct context_command *command)
{
	struct context_change *change, *next;

	list_for_each_entry_safe(change, next, &command->changes, node) {
		epitaph_steer_free(change->steer);
		free_asked(change->before);
		kfree(change);
	}
}

static void undo(struct context_command *command)
{
	struct context_change *change;

	list_for_each_entry(change, &command->changes, node) {
		exchange(change->before, change->now);
		free_asked(change->now);
		change->before = NULL;
	}
}

/* Afterwards no CPU goes by what was there before. */
static void install(struct context_command *command)
{
	struct context_change *change;

	list_for_each_entry(change, &command->changes, node)
		if (change->has_steer)
			change->steer = epitaph_steer_put(change->ev, change->steer);
	epitaph_steer_wait();
}

static int nothing(struct epitaph_answer *answer, const struct context_command *command,
		   const char *glob)
{
	const char *channel = *command->in.channel ? command->in.channel : command->in.own;

	if (command->words)
		epitaph_answer(answer, "channel '%s' does not record '%s'\n", channel ?: "main", glob);
	else
		epitaph_answer(answer, "'%s' has no context%s%s\n", glob, channel ? " in channel " : "",
			       channel ?: "");
	return command->words ? -EINVAL : -ENOENT;
}

static int change_context(struct epitaph_answer *answer, struct context_command *command,
			  const char *glob)
{
	struct context_change *one;
	int err;

	INIT_LIST_HEAD(&command->changes);
	err = epitaph_select_each(answer, glob, change_one, command);
	if (!err && list_empty(&command->changes))
		err = nothing(answer, command, glob);
	err = err ?: make_steers(answer, command);
	if (err)
		undo(command);
	else
		install(command);
	list_for_each_entry(one, &command->changes, node)
		if (!err)
			epitaph_event_retry(one->ev);
	free_changes(command);
	return err;
}

/* --- the command ---------------------------------------------------------------- */

static struct epitaph_event *context_event(const struct asked *asked)
{
	struct epitaph_answer answer = {};
	struct epitaph_event *ev = epitaph_select_one(&answer, asked->event);

	epitaph_answer_free(&answer);
	if (!ev || !*asked->channel)
		return ev;
	return epitaph_member_of(epitaph_added_find(asked->channel), ev);
}

static const char *context_state(const struct epitaph_event *ev)
{
	if (ev && ev->on && ev->steer && ev->steer->context)
		return "on";
	return ev && ev->refused ? "refused" : "waits";
}

void epitaph_contexts_show(struct epitaph_answer *answer)
{
	const struct epitaph_event *ev;
	struct asked *asked;

	list_for_each_entry(asked, &all_asked, node) {
		ev = context_event(asked);
		epitaph_answer(answer, "context %s %s %s %s\n", *asked->channel ? asked->channel :
			       epitaph_target_channel_of(ev), asked->event, context_state(ev),
			       asked->words->text);
	}
}

static int refuse_context_words(struct epitaph_answer *answer, const char *what, const char *word)
{
	epitaph_answer(answer, "%s '%s'; it is: %s\n", what, word, usage);
	return -EINVAL;
}

int epitaph_context_change(struct epitaph_answer *answer, char *rest)
{
	struct context_command command = {};
	char *glob = epitaph_next_word(&rest), *words;
	int err = epitaph_target_take(answer, &command.in, glob);

	if (err < 0)
		return err;
	if (err)
		glob = epitaph_next_word(&rest);
	words = epitaph_next_word(&rest);
	if (!*glob || !*words)
		return refuse_context_words(answer, "a word lacks behind", *glob ? glob : command.in.channel);
	if (*rest)
		return refuse_context_words(answer, "not understood:", rest);
	if (!strchr(glob, ':') || strchr("!+?", *glob))
		return refuse_context_words(answer, "this is no SYSTEM:EVENT:", glob);
	if (strcmp(words, "0"))
		command.words = epitaph_context_words_new(answer, words);
	if (IS_ERR(command.words))
		return PTR_ERR(command.words);
	err = change_context(answer, &command, glob);
	epitaph_context_words_put(command.words);
	return err;
}

/* --- ends ------------------------------------------------------------------------ */

static void forget_channel_context(const char *channel)
{
	struct asked *asked, *next;

	list_for_each_entry_safe(asked, next, &all_asked, node) {
		if (channel && strcmp(asked->channel, channel))
			continue;
		list_del(&asked->node);
		free_asked(asked);
	}
}

void epitaph_contexts_forget(const char *channel)
{
	forget_channel_context(channel);
}

void epitaph_contexts_exit(void)
{
	epitaph_cgroups_stop();
	forget_channel_context(NULL);
	epitaph_context_exit();
}
