// SPDX-License-Identifier: GPL-2.0-only
/* The words of the commands "channel" and "snapshot": docs/channels.md. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "added.h"
#include "answer.h"
#include "channel_words.h"

#define BLANKS	" \t\n"

static const char usage[] =
	"channel add NAME SIZE [overwrite|stop] GLOB..., channel start|stop|remove NAME, or channel alone";

static char *next_word(char **rest)
{
	char *word;

	do {
		word = strsep(rest, BLANKS);
	} while (word && !*word);
	return word;
}

static int refuse_channel_words(struct epitaph_answer *answer, const char *word)
{
	if (word)
		epitaph_answer(answer, "not understood: '%s'; it is: %s\n", word, usage);
	else
		epitaph_answer(answer, "a word lacks; it is: %s\n", usage);
	return -EINVAL;
}

static int parse_channel_size(struct epitaph_answer *answer, const char *word, u64 *size)
{
	char *end;

	*size = memparse(word, &end);
	if (end != word && !*end && *size)
		return 0;
	epitaph_answer(answer, "'%s' is no size: a number of bytes, or with K, M or G\n", word);
	return -EINVAL;
}

/* Of the mode, if the next word is one. */
static enum epitaph_mode take_mode(char **rest)
{
	size_t len;

	if (!*rest)
		return EPITAPH_OVERWRITE;
	*rest = skip_spaces(*rest);
	len = strcspn(*rest, BLANKS);
	if (len == strlen("stop") && !strncmp(*rest, "stop", len)) {
		*rest += len;
		return EPITAPH_STOP;
	}
	if (len == strlen("overwrite") && !strncmp(*rest, "overwrite", len))
		*rest += len;
	return EPITAPH_OVERWRITE;
}

static int do_add(struct epitaph_answer *answer, char *rest)
{
	char *name = next_word(&rest), *word = next_word(&rest);
	enum epitaph_mode mode;
	u64 size;
	int err;

	if (!word)
		return refuse_channel_words(answer, NULL);
	err = parse_channel_size(answer, word, &size);
	if (err)
		return err;
	mode = take_mode(&rest);
	if (!rest || !*skip_spaces(rest)) {
		epitaph_answer(answer, "which events? A glob lacks, as sched:*\n");
		return -EINVAL;
	}
	return epitaph_added_add(answer, name, size, mode, skip_spaces(rest));
}

static int do_one(struct epitaph_answer *answer, const char *verb, char *rest)
{
	char *name = next_word(&rest), *more = next_word(&rest);

	if (!name || more)
		return refuse_channel_words(answer, more);
	if (!strcmp(verb, "remove"))
		return epitaph_added_remove(answer, name);
	return epitaph_added_run(answer, name, !strcmp(verb, "start"));
}

static int change_channel(struct epitaph_answer *answer, char *text)
{
	char *rest = text, *verb = next_word(&rest);

	if (!strcmp(verb, "add"))
		return do_add(answer, rest);
	if (strcmp(verb, "start") && strcmp(verb, "stop") && strcmp(verb, "remove"))
		return refuse_channel_words(answer, verb);
	return do_one(answer, verb, rest);
}

int epitaph_do_channel(struct epitaph_answer *answer, char *rest)
{
	int err = *rest ? change_channel(answer, rest) : 0;

	if (!err)
		epitaph_added_show(answer);
	return err;
}

int epitaph_do_snapshot(struct epitaph_answer *answer, char *rest)
{
	char *name = next_word(&rest), *word = next_word(&rest);
	u64 size = 0;
	int err = word ? parse_channel_size(answer, word, &size) : 0;

	if (err)
		return err;
	word = next_word(&rest);
	if (word) {
		epitaph_answer(answer, "not understood: '%s'; it is: snapshot [CHANNEL [SIZE]]\n", word);
		return -EINVAL;
	}
	return epitaph_added_copy(answer, name ?: "main", size, "as was asked");
}
