// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which events to record, as words:
 *
 *	sched:*  !sched:sched_stat_*  irq  printk:console  default,net:*
 *
 * A word is a glob for system:event, or without a colon for either of the two.
 * Words are separated by spaces or commas.  '!' takes away, and the last word
 * that fits decides.  "default" stands for the list below, which is also what
 * the words begin from if the first of them takes away.  Before all of them
 * comes "ras:*": errors of the hardware have rings of their own, and are recorded
 * unless a word takes them away by name.
 *
 * While recording, words of which the first begins with '+' or '!' go behind those
 * that are there; others take their place.  '?' says that there may be no such
 * event yet, because a module brings it.
 */

#include <linux/err.h>
#include <linux/glob.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "control/answer.h"
#include "calls.h"
#include "probe.h"

/* What was each CPU doing?  Not every kernel has all of these. */
static const char default_words[] =
	"sched:* !sched:sched_stat_* !sched:pelt_* "
	"irq:* timer:* workqueue:* signal:* oom:* module:* printk:console "
	"block:block_rq_error block:block_rq_requeue block:block_rq_issue "
	"block:block_rq_complete";
static const char always_words[] = "ras:*";

#define MAX_WORDS 1024

struct word {
	const char *system;	/* NULL: @name is of a system or of an event */
	const char *name;
	bool not;
	bool may_lack;
};

/**
 * struct epitaph_choice - words that were given together
 * @text: the words point into it
 */
struct epitaph_choice {
	struct list_head node;
	struct word *words;
	int nr;
	char *text;
};

static LIST_HEAD(choices);

static bool word_fits(const struct word *word, const struct epitaph_event *ev)
{
	/* Each function of the kernel: not by a word that means events of all kinds. */
	if (epitaph_calls_is(ev))
		return word->system && !strcmp(word->system, EPITAPH_CALLS) && glob_match(word->name, ev->name);
	if (!word->system)
		return glob_match(word->name, ev->system) || glob_match(word->name, ev->name);
	return glob_match(word->system, ev->system) && glob_match(word->name, ev->name);
}

static struct word parse_word(char *item)
{
	struct word word = {};
	char *colon;

	for (; *item && strchr("+!?", *item); item++) {
		word.not |= *item == '!';
		word.may_lack |= *item == '?';
	}
	colon = strchr(item, ':');
	if (colon) {
		*colon = '\0';
		word.system = item;
		item = colon + 1;
	}
	word.name = item;
	return word;
}

unsigned int epitaph_distance(const char *a, const char *b)
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

/* The event that is nearest to @word, so far. */
struct nearest {
	const struct word *word;
	bool system_is_known;
	const struct epitaph_event *event;
	unsigned int far;
};

static void look_for_system(struct epitaph_event *ev, void *arg)
{
	struct nearest *near = arg;

	near->system_is_known |= glob_match(near->word->system, ev->system);
}

static unsigned int how_far(const struct nearest *near, const struct epitaph_event *ev)
{
	const struct word *word = near->word;

	if (word->system && !near->system_is_known)
		return epitaph_distance(word->system, ev->system);
	if (word->system)
		return glob_match(word->system, ev->system) ?
			epitaph_distance(word->name, ev->name) : UINT_MAX;
	return min(epitaph_distance(word->name, ev->system), epitaph_distance(word->name, ev->name));
}

static void look_for_event(struct epitaph_event *ev, void *arg)
{
	struct nearest *near = arg;
	unsigned int far = how_far(near, ev);

	if (far < near->far) {
		near->far = far;
		near->event = ev;
	}
}

static void say_unknown(struct epitaph_answer *answer, const struct word *word)
{
	struct nearest near = { .word = word, .far = UINT_MAX };
	const char *colon = word->system ? ":" : "";

	if (word->system)
		epitaph_for_all_events(look_for_system, &near);
	epitaph_for_all_events(look_for_event, &near);
	epitaph_answer(answer, "no event is called '%s%s%s'; the nearest is '%s:%s'\n",
		       word->system ?: "", colon, word->name,
		       near.event ? near.event->system : "",
		       !near.event || (word->system && !near.system_is_known) ? "*" :
		       near.event->name);
}

struct search {
	const struct word *word;
	bool found;
};

static void look_for_fit(struct epitaph_event *ev, void *arg)
{
	struct search *search = arg;

	search->found |= word_fits(search->word, ev);
}

static int check_word(struct epitaph_answer *answer, const struct word *word)
{
	struct search search = { .word = word };

	epitaph_for_all_events(look_for_fit, &search);
	if (search.found || word->may_lack)
		return 0;
	say_unknown(answer, word);
	return -EINVAL;
}

/* @system has @len bytes, without a terminator. */
struct naming {
	const char *system;
	size_t len;
	const char *name;
	struct epitaph_event *found;
};

static void look_for_name(struct epitaph_event *ev, void *arg)
{
	struct naming *naming = arg;

	if (!strncmp(naming->system, ev->system, naming->len) && !ev->system[naming->len] &&
	    !strcmp(naming->name, ev->name))
		naming->found = ev;
}

static void say_unknown_name(struct epitaph_answer *answer, const char *name)
{
	char *item = kstrdup(name, GFP_KERNEL);
	struct word word = item ? parse_word(item) : (struct word){};

	if (item)
		say_unknown(answer, &word);
	else
		epitaph_answer(answer, "no event is called '%s'\n", name);
	kfree(item);
}

struct each {
	const struct word *word;
	int (*fn)(struct epitaph_event *ev, void *arg);
	void *arg;
	int err;
};

static void call_for_fit(struct epitaph_event *ev, void *arg)
{
	struct each *each = arg;

	if (!each->err && word_fits(each->word, ev))
		each->err = each->fn(ev, each->arg);
}

int epitaph_select_each(struct epitaph_answer *answer, const char *glob,
			int (*fn)(struct epitaph_event *ev, void *arg), void *arg)
{
	char *item = kstrdup(glob, GFP_KERNEL);
	struct word word = item ? parse_word(item) : (struct word){};
	struct each each = { .word = &word, .fn = fn, .arg = arg };

	if (item)
		each.err = check_word(answer, &word);
	else
		each.err = -ENOMEM;
	if (!each.err)
		epitaph_for_all_events(call_for_fit, &each);
	kfree(item);
	return each.err;
}

/* Without memory of its own: that there is none may not look as if there were no such event. */
struct epitaph_event *epitaph_select_one(struct epitaph_answer *answer, const char *name)
{
	const char *system = name + strspn(name, "+!?"), *colon = strchr(system, ':');
	struct naming naming = { .system = system };

	if (colon) {
		naming.len = colon - system;
		naming.name = colon + 1;
		epitaph_for_all_events(look_for_name, &naming);
	}
	if (!naming.found)
		say_unknown_name(answer, name);
	return naming.found;
}

/* @before: what was said of @ev until then. */
static bool wants(const struct epitaph_choice *choice, const struct epitaph_event *ev, bool before)
{
	int i;

	for (i = 0; i < choice->nr; i++)
		if (word_fits(&choice->words[i], ev))
			before = !choice->words[i].not;
	return before;
}

static void want(struct epitaph_event *ev, void *arg)
{
	/* What records each function does so into a channel of its own, or not at all. */
	ev->wanted = !epitaph_calls_is(ev) && wants(arg, ev, ev->wanted);
}

void epitaph_choice_free(struct epitaph_choice *choice)
{
	if (!choice)
		return;
	kfree(choice->words);
	kfree(choice->text);
	kfree(choice);
}

/* Return: the words of @list, of which none is looked for yet, or NULL. */
static struct epitaph_choice *new_choice(const char *list)
{
	struct epitaph_choice *choice = kzalloc(sizeof(*choice), GFP_KERNEL);
	char *rest, *item;

	if (!choice)
		return NULL;
	choice->text = kstrdup(list, GFP_KERNEL);
	choice->words = kcalloc(strlen(list) / 2 + 1, sizeof(*choice->words), GFP_KERNEL);
	if (!choice->text || !choice->words) {
		epitaph_choice_free(choice);
		return NULL;
	}
	rest = choice->text;
	while ((item = strsep(&rest, " ,\t\n")))
		if (*item)
			choice->words[choice->nr++] = parse_word(item);
	return choice;
}

static int check_choice(struct epitaph_answer *answer, const struct epitaph_choice *choice)
{
	int i, err = 0;

	for (i = 0; i < choice->nr && !err; i++)
		err = check_word(answer, &choice->words[i]);
	return err;
}

/* @list begins with the word "default". */
static bool begins_with_default(const char *list)
{
	size_t len = strcspn(list, " ,\t\n");

	return len == strlen("default") && !strncmp(list, "default", len);
}

bool epitaph_choice_wants(const struct epitaph_choice *choice, const struct epitaph_event *ev)
{
	return wants(choice, ev, false);
}

struct epitaph_choice *epitaph_choice_new(struct epitaph_answer *answer, const char *globs)
{
	bool by_default = begins_with_default(globs);
	const char *rest = by_default ? globs + strlen("default") : globs;
	struct epitaph_choice *said = new_choice(rest), *all;
	char *text = kasprintf(GFP_KERNEL, "%s %s", by_default ? default_words : "", rest);
	int err = said && text ? check_choice(answer, said) : -ENOMEM;

	/* What the recorder says itself is not checked. */
	all = err ? NULL : new_choice(text);
	kfree(text);
	epitaph_choice_free(said);
	return all ?: ERR_PTR(err ?: -ENOMEM);
}

static void add_choice(struct epitaph_choice *choice)
{
	list_add_tail(&choice->node, &choices);
	epitaph_for_all_events(want, choice);
}

int epitaph_select(struct epitaph_answer *answer, const char *globs)
{
	const char *list = globs ? skip_spaces(globs) : "";
	bool by_default = !*list || strchr("!+", *list) || begins_with_default(list);
	struct epitaph_choice *all[3];
	int i, err = 0;

	if (begins_with_default(list))
		list += strlen("default");
	/* What the recorder says itself is not checked: not every kernel has all of it. */
	all[0] = new_choice(always_words);
	all[1] = new_choice(by_default ? default_words : "");
	all[2] = new_choice(list);
	if (!all[0] || !all[1] || !all[2])
		err = -ENOMEM;
	err = err ?: check_choice(answer, all[2]);
	if (!err) {
		epitaph_select_free();
		epitaph_want_none();
	}
	for (i = 0; i < ARRAY_SIZE(all); i++)
		err ? epitaph_choice_free(all[i]) : add_choice(all[i]);
	return err;
}

static int nr_words(void)
{
	const struct epitaph_choice *choice;
	int n = 0;

	list_for_each_entry(choice, &choices, node)
		n += choice->nr;
	return n;
}

int epitaph_select_more(struct epitaph_answer *answer, const char *globs)
{
	struct epitaph_choice *choice = new_choice(globs);
	int err = choice ? check_choice(answer, choice) : -ENOMEM;

	if (!err && nr_words() + choice->nr > MAX_WORDS) {
		epitaph_answer(answer, "the list of events has %d words, and more than %d do not fit: give a new list, which does not begin with '+' or '!'\n",
			       nr_words(), MAX_WORDS);
		err = -E2BIG;
	}
	if (err)
		epitaph_choice_free(choice);
	else
		add_choice(choice);
	return err;
}

void epitaph_select_added(struct epitaph_event *ev)
{
	struct epitaph_choice *choice;

	ev->wanted = !epitaph_calls_is(ev);
	list_for_each_entry(choice, &choices, node)
		want(ev, choice);
}

void epitaph_select_free(void)
{
	struct epitaph_choice *choice, *next;

	list_for_each_entry_safe(choice, next, &choices, node) {
		list_del(&choice->node);
		epitaph_choice_free(choice);
	}
}
