// SPDX-License-Identifier: GPL-2.0-or-later
#include "class.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/did_you_mean.h"
#include "event/field_layout.h"

#define MAX_LINE	200	/* bytes of a line */
#define MAX_WORDS	32	/* of a line */
#define MAX_RULES	8192

/* @kinds: bits of enum layout_kind, and IS_POINTER */
struct field_rule {
	const char *event;
	const char *field;
	u32 kinds;
	enum field_class class;
};

#define IS_POINTER	(1U << 8)
#define ANY_KIND	(~0U)

/* Sorted once all are there. */
struct word_list {
	const char **words;
	size_t nr;
};

/**
 * struct classes - the table
 * @rules: nr_rules of them, of which the first nr_own are of the user's file
 * @texts: of both files; words point into them
 */
struct classes {
	struct field_rule *rules;
	size_t nr_rules;
	size_t nr_own;
	struct word_list systems;
	struct word_list modules;
	char *texts[2];
	const char *names[NR_CLASSES];
	const char *meanings[NR_CLASSES];
	enum class_fate fates[NR_CLASSES][2];
	u32 nr_classes;
};

/* One line as it is read. */
struct class_line {
	const char *file;
	u32 number;
	char *word[MAX_WORDS];
	u32 nr;
};

static const char *const profile_names[] = { "public", "vendor", "full" };

static int line_is_wrong(struct err *err, const struct class_line *line, const char *why)
{
	return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: line %u: %s", line->file, line->number, why);
}

/* "..., did you mean x? There are x, y and z" */
static int no_such_word(struct err *err, const struct class_line *line, const char *what,
			const char *word, const char *const *words, size_t nr)
{
	const char *near = did_you_mean(word, words, nr);
	char all[300] = "";
	size_t i, at = 0;

	for (i = 0; i < nr && at < sizeof(all); i++)
		at += snprintf(all + at, sizeof(all) - at, "%s%s", i ? i + 1 < nr ? ", " : " and " : "",
			       words[i]);
	return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: line %u: no %s \"%s\"%s%s%s; there are %s",
		       line->file, line->number, what, word, near ? ": did you mean " : "",
		       near ? near : "", near ? "?" : "", all);
}

static int class_named(const struct classes *c, const struct class_line *line, const char *word,
		       enum field_class *ret, struct err *err)
{
	u32 i;

	for (i = 0; i < c->nr_classes; i++)
		if (!strcmp(c->names[i], word)) {
			*ret = i;
			return 0;
		}
	return no_such_word(err, line, "class", word, c->names, c->nr_classes);
}

static int take_kind(const struct class_line *line, const char *word, u32 *ret, struct err *err)
{
	static const char *const words[] = {
		"number", "pointer", "text", "array", "bytes", "any",
	};
	static const u32 kinds[] = {
		1U << LAYOUT_NUMBER, IS_POINTER, 1U << LAYOUT_TEXT, 1U << LAYOUT_ARRAY,
		1U << LAYOUT_BYTES, ANY_KIND,
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i], word)) {
			*ret = kinds[i];
			return 0;
		}
	return no_such_word(err, line, "type", word, words, ARRAY_SIZE(words));
}

static int take_rule(struct classes *c, const struct class_line *line, struct err *err)
{
	struct field_rule *rule;
	int ret;

	if (line->nr != 5)
		return line_is_wrong(err, line,
				     "five words were expected: field EVENT FIELD TYPE CLASS");
	if (c->nr_rules == MAX_RULES)
		return line_is_wrong(err, line, "this is too much: a table has at most 8192 fields");
	rule = &c->rules[c->nr_rules];
	*rule = (struct field_rule){ .event = line->word[1], .field = line->word[2] };
	ret = take_kind(line, line->word[3], &rule->kinds, err);
	if (!ret)
		ret = class_named(c, line, line->word[4], &rule->class, err);
	c->nr_rules += !ret;
	return ret;
}

static int take_words(struct word_list *list, const struct class_line *line, struct err *err)
{
	const char **words = reallocarray(list->words, list->nr + line->nr, sizeof(*words));
	u32 i;

	if (!words)
		return err_sys(err, "no memory");
	list->words = words;
	for (i = 1; i < line->nr; i++)
		list->words[list->nr++] = line->word[i];
	return 0;
}

/* Of the built-in table alone: what is behind the fifth word is text. */
static int take_class(struct classes *c, const struct class_line *line, struct err *err)
{
	u32 i;

	if (line->nr < 5 || c->nr_classes == NR_CLASSES)
		return line_is_wrong(err, line, "class NAME PUBLIC VENDOR MEANING was expected");
	c->names[c->nr_classes] = line->word[1];
	for (i = 0; i < 2; i++)
		c->fates[c->nr_classes][i] = !strcmp(line->word[2 + i], "keep") ? FATE_KEEP :
					     !strcmp(line->word[2 + i], "words") ? FATE_WORDS :
										   FATE_PSEUDONYM;
	/* The words of the meaning were ended; they are one text again. */
	for (i = 5; i < line->nr; i++)
		line->word[i][-1] = ' ';
	c->meanings[c->nr_classes++] = line->word[4];
	return 0;
}

static int take_line(struct classes *c, const struct class_line *line, bool is_built_in,
		     struct err *err)
{
	static const char *const kinds[] = { "field", "system", "module" };

	if (is_built_in && !strcmp(line->word[0], "class"))
		return take_class(c, line, err);
	if (!strcmp(line->word[0], "class"))
		return line_is_wrong(err, line,
				     "the classes are those of epitaph; give a field another one: field EVENT FIELD TYPE CLASS");
	if (!strcmp(line->word[0], "field"))
		return take_rule(c, line, err);
	if (!strcmp(line->word[0], "system"))
		return take_words(&c->systems, line, err);
	if (!strcmp(line->word[0], "module"))
		return take_words(&c->modules, line, err);
	return no_such_word(err, line, "line called", line->word[0], kinds, ARRAY_SIZE(kinds));
}

/* Splits @text in place; its words stay where they are. */
static int take_text(struct classes *c, char *text, const char *file, bool is_built_in,
		     struct err *err)
{
	struct class_line line = { .file = file };
	char *next, *save;
	int ret = 0;

	for (; text && *text && !ret; text = next) {
		next = strchr(text, '\n');
		if (next)
			*next++ = '\0';
		line.number++;
		line.nr = 0;
		if (strlen(text) > MAX_LINE)
			return line_is_wrong(err, &line, "it has more than 200 bytes");
		if (text[strspn(text, " \t\r")] == '#')
			continue;
		for (char *word = strtok_r(text, " \t\r", &save); word;
		     word = strtok_r(NULL, " \t\r", &save)) {
			if (line.nr == MAX_WORDS)
				return line_is_wrong(err, &line, "it has more than 32 words");
			line.word[line.nr++] = word;
		}
		if (line.nr)
			ret = take_line(c, &line, is_built_in, err);
	}
	return ret;
}

static int compare_class_words(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool list_has(const struct word_list *list, const char *word)
{
	return list->nr && bsearch(&word, list->words, list->nr, sizeof(*list->words),
				   compare_class_words);
}

/* The names of the classes come first: the user's file is in front, but refers to them. */
static int read_tables(struct classes *c, const char *name, struct err *err)
{
	struct classes built_in = { .rules = calloc(MAX_RULES, sizeof(*c->rules)) };
	int ret = built_in.rules ? take_text(&built_in, c->texts[0], "classes.text", true, err) :
				   err_sys(err, "no memory");

	memcpy(c->names, built_in.names, sizeof(c->names));
	memcpy(c->meanings, built_in.meanings, sizeof(c->meanings));
	memcpy(c->fates, built_in.fates, sizeof(c->fates));
	c->nr_classes = built_in.nr_classes;
	c->systems = built_in.systems;
	c->modules = built_in.modules;
	if (!ret && c->nr_classes != NR_CLASSES)
		ret = err_set(err, ERR_USAGE, ERR_NO_OFF, "classes.text lacks a class");
	if (!ret && c->texts[1])
		ret = take_text(c, c->texts[1], name, false, err);
	c->nr_own = c->nr_rules;
	if (!ret && c->nr_own + built_in.nr_rules > MAX_RULES)
		ret = err_set(err, ERR_USAGE, ERR_NO_OFF, "%s has too many fields", name);
	if (!ret) {
		memcpy(c->rules + c->nr_own, built_in.rules, built_in.nr_rules * sizeof(*c->rules));
		c->nr_rules += built_in.nr_rules;
	}
	free(built_in.rules);
	return ret;
}

int classes_new(struct classes **ret, const char *more, size_t size, const char *name,
		struct err *err)
{
	struct classes *c = calloc(1, sizeof(*c));
	int status;

	if (!c)
		return err_sys(err, "no memory");
	c->rules = calloc(MAX_RULES, sizeof(*c->rules));
	c->texts[0] = strdup(class_table);
	c->texts[1] = more ? strndup(more, size) : NULL;
	if (!c->rules || !c->texts[0] || (more && !c->texts[1]))
		status = err_sys(err, "no memory");
	else if (more && strlen(c->texts[1]) != size)
		status = err_set(err, ERR_USAGE, ERR_NO_OFF,
				 "%s: it is no text: byte %zu is 0", name, strlen(c->texts[1]));
	else
		status = read_tables(c, name, err);
	if (status) {
		classes_free(c);
		return status;
	}
	qsort(c->systems.words, c->systems.nr, sizeof(*c->systems.words), compare_class_words);
	qsort(c->modules.words, c->modules.nr, sizeof(*c->modules.words), compare_class_words);
	*ret = c;
	return 0;
}

void classes_free(struct classes *c)
{
	if (!c)
		return;
	free(c->rules);
	free(c->systems.words);
	free(c->modules.words);
	free(c->texts[0]);
	free(c->texts[1]);
	free(c);
}

enum field_class classes_field(const struct classes *c, const char *system, const char *event,
			       const struct layout_field *field, bool is_own)
{
	size_t i, nr = is_own ? c->nr_rules : c->nr_own;
	u32 kind = field->is_pointer && !field->is_array ? IS_POINTER : 1U << field->kind;
	char name[512];

	snprintf(name, sizeof(name), "%s:%s", system, event);
	for (i = 0; i < nr; i++) {
		const struct field_rule *rule = &c->rules[i];

		if (rule->kinds & kind && !fnmatch(rule->field, field->name, 0) &&
		    !fnmatch(rule->event, name, 0))
			return rule->class;
	}
	return is_own && kind == IS_POINTER ? CLASS_ADDRESS : CLASS_PRIVATE;
}

bool classes_has_system(const struct classes *c, const char *name)
{
	return list_has(&c->systems, name);
}

bool classes_has_module(const struct classes *c, const char *name, size_t len)
{
	char word[64] = "";

	if (!len || len >= sizeof(word))
		return false;
	memcpy(word, name, len);
	return list_has(&c->modules, word);
}

enum class_fate classes_fate(const struct classes *c, enum field_class class,
			     enum redact_profile profile)
{
	if (profile == PROFILE_FULL)
		return FATE_KEEP;
	return c->fates[class][profile == PROFILE_VENDOR];
}

const char *classes_name(const struct classes *c, enum field_class class)
{
	return c->names[class];
}

const char *classes_meaning(const struct classes *c, enum field_class class)
{
	return c->meanings[class];
}

enum redact_profile profile_named(const char *name, struct err *err)
{
	const char *near;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(profile_names); i++)
		if (!strcmp(profile_names[i], name))
			return PROFILE_PUBLIC + i;
	near = did_you_mean(name, profile_names, ARRAY_SIZE(profile_names));
	err_set(err, ERR_USAGE, ERR_NO_OFF,
		"--profile %s: no such profile%s%s%s; there are public, vendor and full", name,
		near ? ": did you mean " : "", near ? near : "", near ? "?" : "");
	return PROFILE_NONE;
}

const char *profile_name(enum redact_profile profile)
{
	return profile == PROFILE_NONE ? "none" : profile_names[profile - PROFILE_PUBLIC];
}
