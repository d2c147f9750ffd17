/* SPDX-License-Identifier: GPL-2.0-only */
/* [CHANNEL] in a command that is about events: which events that are. */
#ifndef EPITAPH_CONTROL_TARGET_H
#define EPITAPH_CONTROL_TARGET_H

struct epitaph_answer;
struct epitaph_event;

/**
 * struct epitaph_target - the channel of a command
 * @channel: its name; empty: the one that an event is recorded into by itself
 * @own: "main" or "ras", if that was said
 * @members: of that channel; NULL: of none
 */
struct epitaph_target {
	const char *channel;
	const char *own;
	const void *members;
};

/* Of an event that is in no added one. */
const char *epitaph_target_channel_of(const struct epitaph_event *ev);

/**
 * epitaph_target_take() - the channel, if @word is one
 *
 * Context: process; epitaph_events_lock() held.
 * Return: 1; 0 if @word begins the words of an event; -EINVAL, with an @answer.
 */
int epitaph_target_take(struct epitaph_answer *answer, struct epitaph_target *target,
			const char *word);

/* @ev in that channel, or NULL. */
struct epitaph_event *epitaph_target_in(const struct epitaph_target *target,
					struct epitaph_event *ev);

/* Cuts a word off, and the blanks behind it; empty if there is none. */
char *epitaph_next_word(char **rest);

#endif /* EPITAPH_CONTROL_TARGET_H */
