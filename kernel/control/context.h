/* SPDX-License-Identifier: GPL-2.0-only */
/* What an event says besides its own fields: docs/context.md. */
#ifndef EPITAPH_CONTROL_CONTEXT_H
#define EPITAPH_CONTROL_CONTEXT_H

#include <linux/types.h>
#include <epitaph/record.h>
#include "context_word.h"

struct epitaph_event;

/* context.c */

/* ftrace's bits, as "common_flags" has them. */
u8 epitaph_irq_flags(void);

/* As "common_preempt_count": without the level that the caller of the probe adds. */
u8 epitaph_preempt_depth(void);

/**
 * struct epitaph_context - of one event in one channel
 * @fast: the same for the fast path, where the event is of a fixed size and @id is short
 * @id: of the event with context
 * @fixed: bytes of the event's own fields, in front of what is of any length
 * @at: where the context begins, in bytes of the payload
 * @size: bytes of it, a multiple of 4
 * @locs: nr_locs places of fields that say where something of any length is
 */
struct epitaph_context {
	struct epitaph_fast_context fast;
	u16 id;
	u16 fixed;
	u16 at;
	u16 size;
	u16 nr_locs;
	u16 *locs;
	struct epitaph_context_words *words;
};

/**
 * epitaph_context_new() - an event with context gets an id and a format
 * @ev: published
 * @words: kept
 *
 * Context: process, may sleep; epitaph_events_lock() held.
 * Return: for epitaph_context_free(); an error that @answer explains.
 */
struct epitaph_context *epitaph_context_new(const struct epitaph_event *ev,
					    struct epitaph_context_words *words,
					    struct epitaph_answer *answer);
void epitaph_context_free(struct epitaph_context *context);	/* NULL is fine */

/* @ev goes for good: its ids mean nothing new. */
void epitaph_context_forget(const struct epitaph_event *ev);
void epitaph_context_exit(void);

/* Words of the event with context, if it has @payload without. */
static inline u32 epitaph_context_payload(const struct epitaph_event *ev,
					  const struct epitaph_context *context, u32 payload)
{
	u32 bytes = ev->dynamic ? payload * 4 - context->fixed : 0;

	return epitaph_ring_words(context->at + context->size + bytes);
}

/* The words, to a place that has room for them; context as epitaph_context_copy(). */
void epitaph_context_fill(const struct epitaph_context *context, u8 *at);

/**
 * epitaph_context_copy() - the event, with its context
 * @to: zeroed, of epitaph_context_payload() words
 * @from: the event's own @payload words
 *
 * Context: any, NMI included; preemption off.
 */
void epitaph_context_copy(const struct epitaph_event *ev, const struct epitaph_context *context,
			  void *to, const void *from, u32 payload);

/* cgroup.c */

struct cgroup;

/* Its number comes in an event, so its path is to be in the region; any context, RCU read side. */
void epitaph_cgroup_note(struct cgroup *cgroup);

/* Before the first note of one. */
void epitaph_cgroups_start(void);

/* Unloading: after the last note of a cgroup. */
void epitaph_cgroups_stop(void);

/* context_words.c */

/* The command "context", as "filter" (steer.h). */
int epitaph_context_change(struct epitaph_answer *answer, char *rest);
void epitaph_contexts_show(struct epitaph_answer *answer);

/* What was asked for; @channel as in filter.c.  NULL: nothing. */
struct epitaph_context_words *epitaph_context_asked(const char *channel, const char *event);

/* A channel goes. */
void epitaph_contexts_forget(const char *channel);

/* Unloading: the probes are away, and what they look at. */
void epitaph_contexts_exit(void);

/* counter.c: perf's, one of each CPU; context as epitaph_context_words_new() */

/* @name: "cycles"; an error that @answer explains. */
struct epitaph_counter *epitaph_counter_get(struct epitaph_answer *answer, const char *name);
void epitaph_counter_put(struct epitaph_counter *counter);

/* Of this CPU; any context, preemption off. */
u64 epitaph_counter_read(const struct epitaph_counter *counter);

#endif /* EPITAPH_CONTROL_CONTEXT_H */
