// SPDX-License-Identifier: GPL-2.0-or-later
/* Options by the table of commands, and those that each command has. */
#include <stdio.h>
#include <string.h>

#include "base/did_you_mean.h"
#include "base/escape.h"
#include "command.h"
#include "common.h"

#define MAX_OPTIONS	48

static bool take_color(const char *name, const char *when)
{
	static const char *const words[] = { "auto", "always", "never" };
	char escaped[256];
	const char *near;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(when, words[i])) {
			reading_settings()->color = i;
			return true;
		}
	near = did_you_mean(when, words, ARRAY_SIZE(words));
	escape_text(escaped, sizeof(escaped), when, strlen(when));
	fprintf(stderr, "epitaph %s: --color: auto, always or never, and not \"%s\"%s%s%s\n", name, escaped,
		near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	return false;
}

const struct command *command_find(const char *name)
{
	const struct command *command;

	for (command = commands; command->name; command++)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

/* Adds @options to the @nr of @all; how many there are then. */
static size_t add_options(struct option *all, size_t nr, const struct command_option *options)
{
	for (; options->name && nr < MAX_OPTIONS - 1; options++)
		all[nr++] = (struct option){
			options->name, options->arg ? required_argument : no_argument, NULL,
			options->val,
		};
	all[nr] = (struct option){ 0 };
	return nr;
}

/* The options that @word begins; how many. */
static size_t list_begun(const char *word, const struct option *all, size_t nr,
			 const char *begun[MAX_OPTIONS])
{
	size_t i, nr_begun = 0;

	for (i = 0; *word && i < nr; i++)
		if (!strncmp(all[i].name, word, strlen(word)))
			begun[nr_begun++] = all[i].name;
	return nr_begun;
}

static void tell_near(const char *word, const struct option *all, size_t nr)
{
	const char *words[MAX_OPTIONS], *near;
	size_t i;

	for (i = 0; i < nr; i++)
		words[i] = all[i].name;
	near = did_you_mean(word, words, nr);
	if (near)
		fprintf(stderr, "; did you mean --%s?", near);
	putc('\n', stderr);
}

static void tell_unknown(const char *name, const char *arg, const struct option *all, size_t nr)
{
	const char *begun[MAX_OPTIONS];
	char word[33] = "", escaped[256];
	size_t i, nr_begun;

	escape_text(escaped, sizeof(escaped), arg, strlen(arg));
	if (!strncmp(arg, "--", 2))
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(arg + 2, "="), arg + 2);
	nr_begun = list_begun(word, all, nr, begun);
	if (nr_begun < 2) {
		fprintf(stderr, "epitaph %s: no option %s", name, escaped);
		tell_near(word, all, nr);
		return;
	}
	fprintf(stderr, "epitaph %s: %s can be", name, escaped);
	for (i = 0; i < nr_begun; i++)
		fprintf(stderr, "%s --%s", i ? i + 1 < nr_begun ? "," : " or" : "", begun[i]);
	putc('\n', stderr);
}

static void tell_wrong(const char *name, int opt, const char *arg, const struct option *all,
		       size_t nr)
{
	bool is_long = !strncmp(arg, "--", 2);
	char escaped[256], letter[] = { '-', optopt, 0 };

	escape_text(escaped, sizeof(escaped), is_long || !optopt ? arg : letter,
		   strlen(is_long || !optopt ? arg : letter));
	if (opt == ':')
		fprintf(stderr, "epitaph %s: %s: a value is missing\n", name, escaped);
	else if (is_long && optopt)
		fprintf(stderr, "epitaph %s: %s: it takes no value\n", name, escaped);
	else
		tell_unknown(name, is_long ? arg : letter, all, nr);
}

static int next_option(int argc, char **argv, const char *letters, const struct option *all, size_t nr)
{
	int opt;

	opterr = 0;
	while ((opt = getopt_long(argc, argv, letters, all, NULL)) != -1) {
		if (opt == 'v')
			reading_settings()->verbose = true;
		else if (opt == OPT_NO_PAGER)
			reading_settings()->no_pager = true;
		else if (opt != OPT_COLOR)
			break;
		else if (!take_color(argv[0], optarg))
			return '?';
	}
	if (opt == '?' || opt == ':') {
		tell_wrong(argv[0], opt, argv[optind - 1], all, nr);
		return '?';
	}
	return opt;
}

int cmd_next_option(int argc, char **argv)
{
	const struct command_option *options = command_find(argv[0])->options, *option;
	struct option all[MAX_OPTIONS];
	char letters[16] = ":v";
	size_t nr;

	for (option = options; option->name; option++)
		if (option->has_letter)
			snprintf(letters + strlen(letters), sizeof(letters) - strlen(letters), "%c%s",
				 option->val, option->arg ? ":" : "");
	nr = add_options(all, add_options(all, 0, options), common_options);
	return next_option(argc, argv, letters, all, nr);
}

int cmd_take_choice(struct choice *choice, const char *name, int opt)
{
	struct err err = ERR_INIT;
	int ret = opt == '?' ? 0 : choice_take(choice, opt, optarg, &err);

	if (ret < 0)
		fprintf(stderr, "epitaph %s: %s\n", name, err.msg);
	return ret > 0 ? 0 : cmd_usage(name);
}
