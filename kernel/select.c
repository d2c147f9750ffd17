// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which events to record, told in words:
 *
 *	sched:*  !sched:sched_stat_*  irq  printk:console  default,net:*
 *
 * A word is a glob for system:event, or without a colon for either of the two.
 * Words are told apart by spaces or commas.  '!' takes away, and the last word
 * that fits decides.  "default" stands for the list below, which is also what
 * the words begin from if the first of them takes away.  Before all of them
 * comes "ras:*": errors of the hardware have rings of their own, and are recorded
 * unless somebody takes them away by name.
 */

#include <linux/glob.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/printk.h>
#include "probe.h"

/* What was each CPU doing?  Not every kernel has all of these. */
static const char default_words[] =
	"sched:* !sched:sched_stat_* !sched:pelt_* "
	"irq:* timer:* workqueue:* signal:* oom:* module:* printk:console "
	"block:block_rq_error block:block_rq_requeue block:block_rq_issue "
	"block:block_rq_complete";
static const char always_words[] = "ras:*";

struct word {
	const char *system;	/* NULL: @name is of a system or of an event */
	const char *name;
	bool not;
};

static struct word *words;
static int nr_words;
static char *text;		/* that the words point into */

static bool fits(const struct word *word, const struct epitaph_event *ev)
{
	if (!word->system)
		return glob_match(word->name, ev->system) || glob_match(word->name, ev->name);
	return glob_match(word->system, ev->system) && glob_match(word->name, ev->name);
}

static struct word parse(char *item)
{
	struct word word = { .not = *item == '!' };
	char *colon;

	item += word.not;
	colon = strchr(item, ':');
	if (colon) {
		*colon = '\0';
		word.system = item;
		item = colon + 1;
	}
	word.name = item;
	return word;
}

/* Letters to change, add or drop to make one of the other; rough beyond 63. */
static unsigned int distance(const char *a, const char *b)
{
	u8 row[64], diagonal, above;
	unsigned int i, width = min_t(size_t, strlen(b), sizeof(row) - 1);

	for (i = 0; i <= width; i++)
		row[i] = i;
	for (; *a; a++) {
		diagonal = row[0]++;
		for (i = 1; i <= width; i++) {
			above = row[i];
			row[i] = min3(above + 1, row[i - 1] + 1, diagonal + (*a != b[i - 1]));
			diagonal = above;
		}
	}
	return row[width];
}

static bool system_known(const char *system)
{
	const struct epitaph_event_set *const *set;
	struct epitaph_event **ev;

	for_each_compiled_event(set, ev)
		if (glob_match(system, (*ev)->system))
			return true;
	return false;
}

/* How far an event is from what somebody meant by @word. */
static unsigned int how_far(const struct word *word, const struct epitaph_event *ev,
			    bool by_system)
{
	if (by_system)
		return distance(word->system, ev->system);
	if (word->system)
		return glob_match(word->system, ev->system) ?
			distance(word->name, ev->name) : UINT_MAX;
	return min(distance(word->name, ev->system), distance(word->name, ev->name));
}

static void say_unknown(const struct word *word)
{
	const struct epitaph_event_set *const *set;
	struct epitaph_event **ev, *near = NULL;
	bool by_system = word->system && !system_known(word->system);
	unsigned int far, least = UINT_MAX;

	for_each_compiled_event(set, ev) {
		far = how_far(word, *ev, by_system);
		if (far < least) {
			least = far;
			near = *ev;
		}
	}
	pr_err("no event is called '%s%s%s'; the nearest is '%s:%s'\n",
	       word->system ?: "", word->system ? ":" : "", word->name,
	       near ? near->system : "", by_system || !near ? "*" : near->name);
}

/* Return: whether the word fits any event. */
static bool apply(const struct word *word)
{
	const struct epitaph_event_set *const *set;
	struct epitaph_event **ev;
	bool any = false;

	for_each_compiled_event(set, ev)
		if (fits(word, *ev)) {
			(*ev)->wanted = !word->not;
			any = true;
		}
	return any;
}

static int apply_text(char *list, bool must_fit)
{
	char *item;

	while ((item = strsep(&list, " ,\t\n"))) {
		if (!*item)
			continue;
		words[nr_words] = parse(item);
		if (!apply(&words[nr_words]) && must_fit) {
			say_unknown(&words[nr_words]);
			return -EINVAL;
		}
		nr_words++;
	}
	return 0;
}

/* @list begins with the word "default". */
static bool begins_with_default(const char *list)
{
	size_t len = strcspn(list, " ,\t\n");

	return len == strlen("default") && !strncmp(list, "default", len);
}

/* There is room for all three in text. */
static int apply_lists(bool by_default, const char *list)
{
	char *defaults = text + sizeof(always_words);
	char *asked = defaults + sizeof(default_words);

	strcpy(text, always_words);
	strcpy(defaults, default_words);
	strcpy(asked, list);
	apply_text(text, false);
	if (by_default)
		apply_text(defaults, false);
	return apply_text(asked, true);
}

/**
 * epitaph_select() - set epitaph_event.wanted of the compiled events
 *
 * Return: 0, -ENOMEM, or -EINVAL for a word that fits no event: the log says
 *	which, and what is near it.
 */
int epitaph_select(const char *globs)
{
	const char *list = globs ? skip_spaces(globs) : "";
	bool by_default = !*list || *list == '!' || begins_with_default(list);
	size_t len, size;
	int err;

	if (begins_with_default(list))
		list += strlen("default");
	len = strlen(list);
	size = sizeof(always_words) + sizeof(default_words) + len + 1;
	text = kmalloc(size, GFP_KERNEL);
	words = kcalloc(size / 2 + 1, sizeof(*words), GFP_KERNEL);
	err = text && words ? apply_lists(by_default, list) : -ENOMEM;
	if (err)
		epitaph_select_free();
	return err;
}

/**
 * epitaph_select_added() - set epitaph_event.wanted of an event of others
 *
 * Who registers events wants them, so only words that take away count.
 */
void epitaph_select_added(struct epitaph_event *ev)
{
	int i;

	ev->wanted = true;
	for (i = 0; i < nr_words; i++)
		if (fits(&words[i], ev))
			ev->wanted = !words[i].not;
}

void epitaph_select_free(void)
{
	kfree(words);
	kfree(text);
	words = NULL;
	text = NULL;
	nr_words = 0;
}
