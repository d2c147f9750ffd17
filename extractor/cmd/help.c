// SPDX-License-Identifier: GPL-2.0-or-later
#include "help.h"

#include <string.h>

#define COLUMNS		80
#define OPTION_INDENT	22
#define NAME_WIDTH	10

/* Columns of @text as printed: the marks of typed words are left out. */
static size_t word_columns(const char *word, size_t len)
{
	size_t i, columns = 0;

	for (i = 0; i < len; i++)
		columns += word[i] != '`';
	return columns;
}

static void put_help_word(FILE *f, const char *word, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (word[i] != '`')
			putc(word[i], f);
}

/* Fills lines from @column on, the further ones indented; "\n\n" in @text ends a paragraph. */
static void put_filled(FILE *f, const char *text, size_t column, size_t indent)
{
	bool first = true;
	size_t len;

	for (; *text; text += len) {
		if (!strncmp(text, "\n\n", 2)) {
			fprintf(f, "\n\n%*s", (int)indent, "");
			column = indent;
			first = true;
			len = 2;
			continue;
		}
		if (*text == ' ') {
			len = 1;
			continue;
		}
		len = strcspn(text, " \n");
		if (!first && column + 1 + word_columns(text, len) > COLUMNS) {
			fprintf(f, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!first) {
			putc(' ', f);
			column++;
		}
		put_help_word(f, text, len);
		column += word_columns(text, len);
		first = false;
	}
	putc('\n', f);
}

static void put_option(FILE *f, const struct command_option *option)
{
	int column = fprintf(f, "  ");

	if (option->has_letter)
		column += fprintf(f, "-%c, ", option->val);
	column += fprintf(f, "--%s", option->name);
	if (option->arg)
		column += fprintf(f, " %s", option->arg);
	if (column + 2 > OPTION_INDENT) {
		putc('\n', f);
		column = 0;
	}
	fprintf(f, "%*s", OPTION_INDENT - column, "");
	put_filled(f, option->text, OPTION_INDENT, OPTION_INDENT);
}

static void put_options(FILE *f, const struct command_option *option)
{
	for (; option->name; option++)
		put_option(f, option);
}

void command_put_usage(FILE *f, const struct command *command)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(command->usage) && command->usage[i]; i++)
		fprintf(f, "%s epitaph %s %s\n", i ? "   or:" : "usage:", command->name,
			command->usage[i]);
}

void command_put_help(FILE *f, const struct command *command)
{
	const char *line, *end;

	command_put_usage(f, command);
	fprintf(f, "%s.\n\n", command->summary);
	put_options(f, command->options);
	put_options(f, common_options);
	if (command->about) {
		putc('\n', f);
		put_filled(f, command->about, 0, 0);
	}
	fputs("\nexamples:\n", f);
	for (line = command->examples; *line; line = end + 1) {
		end = strchr(line, '\n');
		fprintf(f, "  %.*s\n", (int)(end - line), line);
	}
}

static void put_commands(FILE *f, bool common_only)
{
	const struct command *command;
	enum command_group group;

	for (group = 0; group < NR_GROUPS; group++) {
		bool is_titled = false;

		for (command = commands; command->name; command++) {
			if (command->group != group || (common_only && !command->is_common))
				continue;
			if (!is_titled)
				fprintf(f, "%s\n", command_group_titles[group]);
			is_titled = true;
			fprintf(f, "  %-*s  %s\n", NAME_WIDTH, command->name, command->summary);
		}
		if (!common_only)
			putc('\n', f);
	}
}

void command_put_common(FILE *f)
{
	fputs("usage: epitaph COMMAND [OPTION]... [FILE]...\n\n", f);
	put_commands(f, true);
	fputs("\n"
	      "FILE is a vmcore (ELF, kdump-compressed, flattened or split), /proc/vmcore, a\n"
	      "saved region or a pstore directory; - is standard input.\n"
	      "\n"
	      "  epitaph explain vmcore                         why it died\n"
	      "  epitaph report vmcore                          what happened before the crash\n"
	      "  epitaph export --to html -o crash.html vmcore  the same, for a browser\n"
	      "\n"
	      "\"epitaph help\" lists all commands. \"epitaph COMMAND --help\" explains one.\n", f);
}

void command_put_all(FILE *f)
{
	fputs("usage: epitaph COMMAND [OPTION]... [FILE]...\n\n", f);
	put_commands(f, false);
	fputs("FILE is a vmcore (ELF, kdump-compressed, flattened, or all parts of a split\n"
	      "one), /proc/vmcore, a saved region, or a directory of pstore records; - is\n"
	      "standard input.\n"
	      "\n"
	      "Exit status: 0 whole; 1 recovered, with damage or loss; 2 wrong usage; 3 a\n"
	      "system call failed; 4 nothing to read in it; 5 damaged beyond recovery.\n"
	      "\"epitaph COMMAND --help\" and epitaph-COMMAND(1) explain one command.\n", f);
}
