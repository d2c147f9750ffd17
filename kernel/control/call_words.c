// SPDX-License-Identifier: GPL-2.0-only
/*
 * The words "calls:GLOB" of the command "events".  They choose functions, not events, and record
 * them into a channel of their own: all functions of a kernel would drive what else is in a ring out
 * of it within milliseconds.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "events/calls.h"
#include "added.h"
#include "answer.h"
#include "call_words.h"
#include "members.h"
#include "recorder.h"

#define CALLS_EVENT	EPITAPH_CALLS ":function"

static DEFINE_MUTEX(lock);	/* of the choice of functions */

/* Which channel has the calls; and it, or a name that is none of ours. */
struct calls_channel {
	char name[sizeof_field(struct epitaph_added, name) + 1];
	bool is_added;
};

static bool is_over;	/* "!calls:*": the next word begins anew */

static void find_member(struct epitaph_member *member, void *arg)
{
	struct calls_channel *channel = arg;

	if (!epitaph_calls_is(&member->ev))
		return;
	channel->is_added = true;
	strscpy(channel->name, epitaph_added_name(member->channel), sizeof(channel->name));
}

static int look_for_channel(struct epitaph_answer *answer, struct calls_channel *ret)
{
	const void *others;

	*ret = (struct calls_channel){ .name = EPITAPH_CALLS };
	epitaph_events_lock();
	epitaph_members_each(find_member, ret);
	others = ret->is_added ? NULL : epitaph_added_find(EPITAPH_CALLS);
	epitaph_events_unlock();
	if (!others)
		return 0;
	epitaph_answer(answer, "the channel '%s' has other events: remove it first, or give the calls a channel of another name\n",
		       EPITAPH_CALLS);
	return -EEXIST;
}

/* It is added, or it goes on. */
static int record_calls(struct epitaph_answer *answer, const struct calls_channel *channel)
{
	u64 size = epitaph_pool_largest(&epitaph_pool) / 2;

	if (channel->is_added)
		return epitaph_added_run(answer, channel->name, true);
	if (!size) {
		epitaph_answer(answer, "calls need a channel, and the pool has no room: load the recorder with channels=SIZE\n");
		return -ENOSPC;
	}
	return epitaph_added_add(answer, channel->name, size, 0, EPITAPH_OVERWRITE, CALLS_EVENT);
}

/* The event's own name is no function: it says all. */
static const char *glob_of(const char *word)
{
	word += strspn(word, "+!?");
	return strcmp(word, CALLS_EVENT) ? word + strlen(EPITAPH_CALLS ":") : "*";
}

static int do_call_word(struct epitaph_answer *answer, const char *word)
{
	const char *glob = glob_of(word);
	struct calls_channel channel;
	bool anew;
	int err = look_for_channel(answer, &channel);

	if (err)
		return err;
	if (*word == '!') {
		if (strcmp(glob, "*"))
			return epitaph_calls_leave_out(glob);
		is_over = true;
		return channel.is_added ? epitaph_added_run(answer, channel.name, false) : 0;
	}
	anew = *word != '+' || !channel.is_added || is_over;
	err = epitaph_calls_choose(glob, anew);
	if (err)
		return err;
	is_over = false;
	return record_calls(answer, &channel);
}

static bool is_call_word(const char *word)
{
	return str_has_prefix(word + strspn(word, "+!?"), EPITAPH_CALLS ":");
}

static int check_call_word(struct epitaph_answer *answer, const char *word)
{
	int err = epitaph_calls_check(glob_of(word));

	if (err == -EINVAL)
		epitaph_answer(answer, "no function that ftrace can trace is called '%s'; /sys/kernel/tracing/available_filter_functions has them\n",
			       glob_of(word));
	return err;
}

typedef int (*word_fn)(struct epitaph_answer *answer, const char *word);

/* Return: the number of words of calls, for each of which @fn said 0; @others: of all other words. */
static int for_each_call_word(struct epitaph_answer *answer, char *text, word_fn fn, int *others)
{
	int nr = 0, err = 0;
	char *word;

	*others = 0;
	while (!err && (word = strsep(&text, " ,\t\n"))) {
		if (is_call_word(word)) {
			err = fn(answer, word);
			nr++;
		} else if (*word) {
			++*others;
		}
	}
	return err ?: nr;
}

static int with_copy(struct epitaph_answer *answer, const char *words, word_fn fn, int *others)
{
	char *text = kstrdup(words, GFP_KERNEL);
	int ret = text ? for_each_call_word(answer, text, fn, others) : -ENOMEM;

	kfree(text);
	return ret;
}

int epitaph_take_call_words(struct epitaph_answer *answer, const char *words)
{
	int ret, others;

	mutex_lock(&lock);
	ret = with_copy(answer, words, check_call_word, &others);
	if (ret > 0 && others) {
		epitaph_answer(answer, "words of calls stand alone: give the others in a command of their own\n");
		ret = -EINVAL;
	}
	if (ret > 0)
		ret = with_copy(answer, words, do_call_word, &others);
	mutex_unlock(&lock);
	return ret;
}
