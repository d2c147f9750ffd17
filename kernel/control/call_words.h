/* SPDX-License-Identifier: GPL-2.0-only */
/* The words "calls:GLOB" of the command "events": docs/calls.md. */
#ifndef EPITAPH_CONTROL_CALL_WORDS_H
#define EPITAPH_CONTROL_CALL_WORDS_H

struct epitaph_answer;

/**
 * epitaph_take_call_words() - do what the words of calls say
 * @answer: gets what is wrong with them
 * @words: of the command: all are of calls, or none
 *
 * The channel "calls" is made by the first of them, of half of what is free in the pool.
 *
 * Context: process, may sleep.
 * Return: how many there were, or -EINVAL, -EEXIST, -ENOSPC, -ENOMEM, -EBUSY.
 */
int epitaph_take_call_words(struct epitaph_answer *answer, const char *words);

#endif /* EPITAPH_CONTROL_CALL_WORDS_H */
