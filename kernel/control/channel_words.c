// SPDX-License-Identifier: GPL-2.0-only
/* The words of the commands "channel" and "snapshot": docs/channels.md. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <epitaph/ring.h>
#include "core/bytes.h"
#include "core/region_size.h"
#include "added.h"
#include "answer.h"
#include "channel_words.h"
#include "resize.h"

#define BLANKS	" \t\n"
#define LEAST_SUB	1024
#define MOST_SUBS	(1U << 20)	/* of 1 KiB, in the largest ring */

static const char usage[] =
	"channel add NAME SIZE [sub=SIZE] [overwrite|stop|consume] GLOB..., channel add NAME SIZE rings, channel set NAME [size=SIZE|subs=NUMBER] [sub=SIZE], channel start|stop|remove NAME, or channel alone";

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
	int err = epitaph_bytes_only(word, size);

	if (!err && *size)
		return 0;
	epitaph_answer(answer, "'%s' is no size: a number of bytes, or with K, M or G%s\n", word,
		       err == -ERANGE ? ", below 2^64" : "");
	return -EINVAL;
}

/* Of a sub-buffer: what follows "sub=". */
static int parse_sub_size(struct epitaph_answer *answer, const char *word, u32 *size)
{
	u64 n;
	int err = parse_channel_size(answer, word, &n);

	if (err)
		return err;
	if (n < LEAST_SUB || n > EPITAPH_MAX_SUB || (n & (n - 1))) {
		epitaph_answer(answer, "sub=%s is no size of a sub-buffer: 1K, 2K, 4K, 8K, 16K, 32K or 64K\n",
			       word);
		return -EINVAL;
	}
	*size = n;
	return 0;
}

/* Of "sub=SIZE", if that is next. */
static int take_sub_size(struct epitaph_answer *answer, char **rest, u32 *size)
{
	if (!*rest)
		return 0;
	*rest = skip_spaces(*rest);
	return strncmp(*rest, "sub=", 4) ? 0 : parse_sub_size(answer, next_word(rest) + 4, size);
}

/* Of the mode, if the next word is one. */
static enum epitaph_mode take_mode(char **rest)
{
	static const char *const names[] = {
		[EPITAPH_OVERWRITE] = "overwrite", [EPITAPH_STOP] = "stop",
		[EPITAPH_CONSUME] = "consume", [EPITAPH_RINGS] = "rings",
	};
	size_t len, i;

	if (!*rest)
		return EPITAPH_OVERWRITE;
	*rest = skip_spaces(*rest);
	len = strcspn(*rest, BLANKS);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (len != strlen(names[i]) || strncmp(*rest, names[i], len))
			continue;
		*rest += len;
		return i;
	}
	return EPITAPH_OVERWRITE;
}

static int do_add(struct epitaph_answer *answer, char *rest)
{
	char *name = next_word(&rest), *word = next_word(&rest);
	enum epitaph_mode mode;
	u32 sub_size = 0;
	u64 size;
	int err;

	if (!word)
		return refuse_channel_words(answer, NULL);
	err = parse_channel_size(answer, word, &size) ?: take_sub_size(answer, &rest, &sub_size);
	if (err)
		return err;
	mode = take_mode(&rest);
	if (mode == EPITAPH_RINGS) {
		word = next_word(&rest);
		if (sub_size) {
			epitaph_answer(answer, "sub= is not for programs' rings: their slots are all alike\n");
			return -EINVAL;
		}
		return word ? refuse_channel_words(answer, word) :
			      epitaph_added_add(answer, name, size, 0, mode, "");
	}
	if (!rest || !*skip_spaces(rest)) {
		epitaph_answer(answer, "which events? A glob lacks, as sched:*\n");
		return -EINVAL;
	}
	return epitaph_added_add(answer, name, size, sub_size, mode, skip_spaces(rest));
}

static int parse_nr_subs(struct epitaph_answer *answer, const char *word, u32 *nr)
{
	if (!kstrtou32(word, 10, nr) && *nr >= EPITAPH_MIN_SUBS && *nr <= MOST_SUBS)
		return 0;
	epitaph_answer(answer, "subs=%s is no number of sub-buffers for a CPU: %u to %u\n", word,
		       EPITAPH_MIN_SUBS, MOST_SUBS);
	return -EINVAL;
}

static int parse_set_word(struct epitaph_answer *answer, const char *word, struct epitaph_resize *to)
{
	if (!strncmp(word, "size=", 5))
		return parse_channel_size(answer, word + 5, &to->size);
	if (!strncmp(word, "sub=", 4))
		return parse_sub_size(answer, word + 4, &to->sub_size);
	if (!strncmp(word, "subs=", 5))
		return parse_nr_subs(answer, word + 5, &to->nr_subs);
	return refuse_channel_words(answer, word);
}

static int do_set(struct epitaph_answer *answer, char *rest)
{
	char *name = next_word(&rest), *word = next_word(&rest);
	struct epitaph_resize to = {};
	int err = 0;

	if (!word)
		return refuse_channel_words(answer, NULL);
	for (; word && !err; word = next_word(&rest))
		err = parse_set_word(answer, word, &to);
	if (err)
		return err;
	if (to.size && to.nr_subs) {
		epitaph_answer(answer, "size= and subs= say the same: give one of them\n");
		return -EINVAL;
	}
	return epitaph_added_resize(answer, name, &to);
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
	if (!strcmp(verb, "set"))
		return do_set(answer, rest);
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

int epitaph_do_size(struct epitaph_answer *answer, char *rest)
{
	char *word = next_word(&rest), *more = next_word(&rest);
	u64 size, region;
	int err;

	if (!word || more) {
		epitaph_answer(answer, "it is: size BYTES, of each CPU's ring of main\n");
		return -EINVAL;
	}
	err = parse_channel_size(answer, word, &size);
	if (err)
		return err;
	region = epitaph_region_size_for(size);
	if (!region) {
		epitaph_answer(answer, "no region is large enough for rings of %s: the most is 1G a CPU\n", word);
		return -EINVAL;
	}
	epitaph_answer(answer, "region %llu bytes\n", region);
	return 0;
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
