// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel makes of what was asked for of an event: its filter, triggers and context. */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include "events/probe.h"
#include "context.h"
#include "predicate.h"
#include "program.h"
#include "recorder.h"
#include "event_config.h"
#include "trigger.h"

void epitaph_steer_free(struct epitaph_steer *steer)
{
	unsigned int i;

	if (!steer)
		return;
	epitaph_predicate_free(steer->filter);
	kfree(steer->program);
	for (i = 0; i < steer->nr; i++)
		epitaph_predicate_free(steer->triggers[i].when);
	epitaph_context_free(steer->context);
	kfree(steer);
}

/* What the kernel makes of @text; NULL: of none. */
static int understand(struct epitaph_steer *steer, const struct epitaph_event *ev, const char *text,
		      struct epitaph_answer *answer, struct event_filter **filter)
{
	*filter = text ? epitaph_predicate_new(ev, text, &steer->type, answer) : NULL;
	if (IS_ERR(*filter)) {
		int err = PTR_ERR(*filter);

		*filter = NULL;
		return err;
	}
	steer->wants_common |= text && strstr(text, "common_");
	return 0;
}

static unsigned int nr_triggers(const char *channel, const char *event)
{
	struct epitaph_trigger *trigger = NULL;
	unsigned int nr = 0;

	while (!*channel && (trigger = epitaph_trigger_next(trigger, event)))
		nr++;
	return nr;
}

static int take_triggers(struct epitaph_steer *steer, const struct epitaph_event *ev,
			 const char *event, unsigned int nr, struct epitaph_answer *answer)
{
	struct epitaph_trigger *trigger = NULL;
	int err = 0;

	while (steer->nr < nr && !err) {
		trigger = epitaph_trigger_next(trigger, event);
		steer->triggers[steer->nr].trigger = trigger;
		err = understand(steer, ev, trigger->text, answer,
				 &steer->triggers[steer->nr].when);
		steer->nr++;
	}
	return err;
}

/* An event that is not published yet gets it when it comes on. */
static int take_context(struct epitaph_steer *steer, const struct epitaph_event *ev,
			struct epitaph_context_words *words, struct epitaph_answer *answer)
{
	struct epitaph_context *context = NULL;

	if (words && epitaph_event_by_id(ev->id))
		context = epitaph_context_new(ev, words, answer);
	if (IS_ERR(context))
		return PTR_ERR(context);
	steer->context = context;
	return 0;
}

struct epitaph_steer *epitaph_steer_new(struct epitaph_answer *answer,
					const struct epitaph_event *ev, const char *channel,
					const char *event, const char *text)
{
	struct epitaph_context_words *words = epitaph_context_asked(channel, event);
	unsigned int nr = nr_triggers(channel, event);
	struct epitaph_steer *steer;
	int err;

	if (!text && !nr && !words)
		return NULL;
	steer = kzalloc(struct_size(steer, triggers, nr), GFP_KERNEL);
	if (!steer || epitaph_stages_start()) {
		kfree(steer);
		return ERR_PTR(-ENOMEM);
	}
	err = understand(steer, ev, text, answer, &steer->filter) ?:
	      take_triggers(steer, ev, event, nr, answer) ?:
	      take_context(steer, ev, words, answer);
	if (err) {
		epitaph_steer_free(steer);
		return ERR_PTR(err);
	}
	/* Triggers see what a filter rejects too. */
	if (text && !nr)
		steer->program = epitaph_program_new(ev, text);
	steer->wants_more = nr || (text && (!steer->program || steer->program->nr_letters));
	return steer;
}

const struct epitaph_fast_context *epitaph_fast_context(const struct epitaph_event *ev)
{
	const struct epitaph_steer *steer = ev->steer;

	if (!epitaph_is_fast || !steer || !steer->context || steer->filter || steer->nr ||
	    (steer->context->id > EPITAPH_ID_SHORT_MAX && !ev->dynamic) || ev->nr_syms ||
	    ev->is_between || ev->rings != &epitaph_rings[EPITAPH_CHANNEL_MAIN])
		return NULL;
	/* A field that is aligned to more than 8 bytes would move the end of the event. */
	return ev->dynamic || steer->context->fast.own <= steer->context->fast.at ?
	       &steer->context->fast : NULL;
}

struct epitaph_steer *epitaph_steer_put(struct epitaph_event *ev, struct epitaph_steer *steer)
{
	struct epitaph_steer *old = ev->steer;

	/* order:steer pairs with order:steered in kernel/core/record.c */
	smp_store_release(&ev->steer, steer);
	epitaph_event_choose_path(ev);
	return old;
}

void epitaph_steer_wait(void)
{
	tracepoint_synchronize_unregister();
	synchronize_rcu();
}

void epitaph_steer_install(struct epitaph_event *ev, struct epitaph_steer *steer)
{
	struct epitaph_steer *old = epitaph_steer_put(ev, steer);

	epitaph_steer_wait();
	epitaph_steer_free(old);
}
