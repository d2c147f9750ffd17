/* SPDX-License-Identifier: GPL-2.0-only */
/* Words of context, understood. */
#ifndef EPITAPH_CONTROL_CONTEXT_WORD_H
#define EPITAPH_CONTROL_CONTEXT_WORD_H

#include <linux/types.h>

struct epitaph_answer;
struct epitaph_counter;

/* In the order of words; in memory they lie the other way round, so that the large ones are aligned. */
enum epitaph_context_kind {
	EPITAPH_CONTEXT_IRQ,
	EPITAPH_CONTEXT_PREEMPT,
	EPITAPH_CONTEXT_TASK,
	EPITAPH_CONTEXT_CGROUP,
	EPITAPH_CONTEXT_CONTROLLER,
	EPITAPH_CONTEXT_COUNTER,
};

/**
 * struct epitaph_context_word - one
 * @name: behind the ':', or all of it; points into the text
 * @controller: a number of the kernel's
 */
struct epitaph_context_word {
	enum epitaph_context_kind kind;
	const char *name;
	union {
		int controller;
		struct epitaph_counter *counter;
	};
};

#define EPITAPH_CONTEXT_MAX	16

/**
 * struct epitaph_context_words - words that were given together
 * @spec: as they were given; the names of @words point into it
 * @text: in order, each of them once
 */
struct epitaph_context_words {
	unsigned int users, nr;
	struct epitaph_context_word words[EPITAPH_CONTEXT_MAX];
	char *spec;
	char *text;
};

/**
 * epitaph_context_words_new() - understand "irq,preempt,perf:cycles"
 *
 * Context of these: process, may sleep; epitaph_events_lock() held.
 * Return: for epitaph_context_words_put(); an error that @answer explains.
 */
struct epitaph_context_words *epitaph_context_words_new(struct epitaph_answer *answer,
							const char *text);
struct epitaph_context_words *epitaph_context_words_get(struct epitaph_context_words *words);
void epitaph_context_words_put(struct epitaph_context_words *words);	/* NULL is fine */

/* Bytes in memory; any context. */
unsigned int epitaph_context_size(enum epitaph_context_kind kind);

/**
 * epitaph_context_describe() - the words as fields of an event's format
 * @off: where they begin, as the format counts
 * @fields: gets lines of it; @print: what stands in its string; @args: the arguments of that
 *
 * All three are terminated, and of no bytes if there was no memory.
 */
void epitaph_context_describe(const struct epitaph_context_words *words, unsigned int off,
			      struct epitaph_answer *fields, struct epitaph_answer *print,
			      struct epitaph_answer *args);

#endif /* EPITAPH_CONTROL_CONTEXT_WORD_H */
