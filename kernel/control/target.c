// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/string.h>
#include "added.h"
#include "answer.h"
#include "members.h"
#include "recorder.h"
#include "target.h"

const char *epitaph_target_channel_of(const struct epitaph_event *ev)
{
	bool is_ras = ev && ev->rings == &epitaph_rings[EPITAPH_CHANNEL_RAS];

	return epitaph_channel_name(is_ras ? EPITAPH_CHANNEL_RAS : EPITAPH_CHANNEL_MAIN);
}

int epitaph_target_take(struct epitaph_answer *answer, struct epitaph_target *target,
			const char *word)
{
	target->channel = "";
	if (strchr(word, ':'))
		return 0;
	target->members = epitaph_added_find(word);
	if (target->members) {
		target->channel = word;
		return 1;
	}
	if (!strcmp(word, "main") || !strcmp(word, "ras")) {
		target->own = word;
		return 1;
	}
	epitaph_answer(answer, "'%s' is no SYSTEM:EVENT, and no channel that records events\n", word);
	return -EINVAL;
}

struct epitaph_event *epitaph_target_in(const struct epitaph_target *target,
					struct epitaph_event *ev)
{
	if (target->members)
		return epitaph_member_of(target->members, ev);
	if (!ev->rings || (target->own && strcmp(target->own, epitaph_target_channel_of(ev))))
		return NULL;
	return ev;
}

char *epitaph_next_word(char **rest)
{
	char *word = strsep(rest, " \t\n");

	*rest = *rest ? skip_spaces(*rest) : word + strlen(word);
	return word;
}
