/* SPDX-License-Identifier: GPL-2.0-only */
/* Expressions over an event's fields: the kernel reads them, and answers for them. */
#ifndef EPITAPH_CONTROL_PREDICATE_H
#define EPITAPH_CONTROL_PREDICATE_H

#include <linux/types.h>

struct epitaph_answer;
struct epitaph_event;
struct event_filter;

/**
 * epitaph_predicate_new() - what the kernel makes of an expression
 * @ev: whose fields it is about; its code is loaded
 * @text: of the kernel's own filter language
 * @type: set: ftrace's number of the event
 * @answer: says what is wrong with @text, in the kernel's words
 *
 * No filter of ftrace's own is touched.
 *
 * Context: process that has memory of its own; may sleep.
 * Return: for filter_match_preds() and epitaph_predicate_free(); ERR_PTR(-EINVAL) for
 *	what is wrong with @text; -ENOENT: ftrace has no such event; others.
 */
struct event_filter *epitaph_predicate_new(const struct epitaph_event *ev, const char *text,
					   u16 *type, struct epitaph_answer *answer);

/*
 * @filter must not be in use any more.  NULL is fine.  Where memory lacks, or the process has none of its
 * own, the next call frees it.  Context: process, may sleep.
 */
void epitaph_predicate_free(struct event_filter *filter);

/* Frees what earlier calls could not.  Context: as epitaph_predicate_new(). */
void epitaph_predicates_exit(void);

#endif /* EPITAPH_CONTROL_PREDICATE_H */
