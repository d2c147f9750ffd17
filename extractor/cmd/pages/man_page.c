// SPDX-License-Identifier: GPL-2.0-or-later
#include "man_page.h"

#include <ctype.h>
#include <string.h>

#include "description.h"

/* roff wants each sentence on a line of its own; "..." ends none. */
static bool ends_sentence(const char *c, const char *end)
{
	return strchr(".?:", *c) && c[-1] != '.' && end - c > 2 && c[1] == ' ' && isupper(c[2]);
}

/* @text up to @end as roff: `x` is bold, and an option keeps its dashes. */
static void put_inline(FILE *f, const char *text, const char *end)
{
	bool bold = false;
	const char *c;

	if (text < end && (*text == '.' || *text == '\''))
		fputs("\\&", f);
	for (c = text; c < end; c++) {
		if (*c == '`') {
			bold = !bold;
			fputs(bold ? "\\fB" : "\\fR", f);
		} else if (*c == '\\') {
			fputs("\\e", f);
		} else if (*c == '-') {
			fputs("\\-", f);
		} else if (*c == '~') {
			fputs("\\(ti", f);
		} else if (*c == '^') {
			fputs("\\(ha", f);
		} else {
			putc(*c, f);
		}
		if (c > text && ends_sentence(c, end)) {
			putc('\n', f);
			c++;
		}
	}
	putc('\n', f);
}

static void put_man_string(FILE *f, const char *text)
{
	put_inline(f, text, text + strlen(text));
}

static void put_bold(FILE *f, const char *text)
{
	fputs("\\fB", f);
	for (; *text; text++)
		fprintf(f, *text == '-' ? "\\-" : "%c", *text);
	fputs("\\fR", f);
}

/* "NAME | text": where the bar is; NULL: no entry of a list. */
static const char *find_bar(const char *line, const char *end)
{
	const char *bar = memchr(line, '|', end - line);

	return bar && bar > line && bar[-1] == ' ' && bar[1] == ' ' ? bar : NULL;
}

/* A line of description.c; @set: the lines before it are set as they are. */
static bool put_man_line(FILE *f, const char *line, const char *end, bool set)
{
	const char *bar = find_bar(line, end);
	bool indented = !strncmp(line, "    ", 4);

	if (indented && !set)
		fputs(".PP\n.nf\n.RS 4\n", f);
	if (!indented && set)
		fputs(".RE\n.fi\n", f);
	if (indented) {
		put_inline(f, line + 4, end);
	} else if (bar) {
		fputs(".TP\n.B ", f);
		put_inline(f, line, bar - 1);
		put_inline(f, bar + 2, end);
	} else {
		put_inline(f, line, end);
	}
	return indented;
}

/* Examples and lists bring a macro of their own. */
static bool starts_paragraph(const char *line)
{
	return *line && strncmp(line, "    ", 4) && !find_bar(line, line + strcspn(line, "\n"));
}

static void put_man_text(FILE *f, const char *text)
{
	bool set = false;
	const char *end;

	for (; *text; text = *end ? end + 1 : end) {
		end = strchr(text, '\n');
		if (!end)
			end = text + strlen(text);
		if (end == text) {
			if (set)
				fputs(".RE\n.fi\n", f);
			set = false;
			if (starts_paragraph(end + 1))
				fputs(".PP\n", f);
			continue;
		}
		set = put_man_line(f, text, end, set);
	}
	if (set)
		fputs(".RE\n.fi\n", f);
}

static void put_usage(FILE *f, const struct command *command)
{
	size_t i;

	fputs(".SH SYNOPSIS\n.nf\n", f);
	for (i = 0; command->usage[i]; i++) {
		fputs("\\fBepitaph ", f);
		put_bold(f, command->name);
		putc(' ', f);
		put_man_string(f, command->usage[i]);
	}
	fputs(".fi\n", f);
}

static void put_man_option(FILE *f, const struct command_option *option)
{
	fputs(".TP\n", f);
	if (option->has_letter)
		fprintf(f, "\\fB\\-%c\\fR, ", option->val);
	fputs("\\fB\\-\\-", f);
	put_bold(f, option->name);
	if (option->arg)
		fprintf(f, " \\fI%s\\fR", option->arg);
	putc('\n', f);
	put_man_string(f, option->text);
}

static void put_man_options(FILE *f, const struct command_option *option)
{
	for (; option->name; option++)
		put_man_option(f, option);
}

static void put_examples(FILE *f, const struct command *command)
{
	const char *line, *end;

	for (line = command->examples; *line; line = end + 1) {
		end = strchr(line, '\n');
		put_inline(f, line, end);
	}
}

static void put_title(FILE *f, const char *name, const char *date)
{
	fputs(".\\\" SPDX-License-" "Identifier: GPL-2.0-or-later\n"
	      ".\\\" Made from extractor/cmd/command_table.c and pages/description.c.\n"
	      ".TH EPITAPH", f);
	if (*name)
		fputs("\\-", f);
	for (; *name; name++)
		if (*name == '-')
			fputs("\\-", f);
		else
			putc(toupper((unsigned char)*name), f);
	fprintf(f, " 1 \"%s\" \"epitaph\" \"Epitaph\"\n", date);
}

void man_page_of_command(FILE *f, const struct command *command, const char *date)
{
	put_title(f, command->name, date);
	fputs(".SH NAME\nepitaph\\-", f);
	for (const char *c = command->name; *c; c++)
		fprintf(f, *c == '-' ? "\\-" : "%c", *c);
	fputs(" \\- ", f);
	put_man_string(f, command->summary);
	put_usage(f, command);
	fputs(".SH DESCRIPTION\n", f);
	put_man_text(f, description_of(command->name));
	if (command->about) {
		fputs(".PP\n", f);
		put_man_text(f, command->about);
	}
	fputs(".SH OPTIONS\n", f);
	put_man_options(f, command->options);
	put_man_options(f, common_options);
	fputs(".SH EXIT STATUS\nSee\n.BR epitaph (1).\n.SH EXAMPLES\n.nf\n", f);
	put_examples(f, command);
	fputs(".fi\n.SH SEE ALSO\n.BR epitaph (1),\n.BR epitaph\\-config (5),\n"
	      ".BR epitaph\\-region (5)\n", f);
}

static void put_man_commands(FILE *f)
{
	const struct command *command;
	enum command_group group;

	fputs(".SH COMMANDS\n", f);
	for (group = 0; group < NR_GROUPS; group++) {
		fputs(".SS ", f);
		put_man_string(f, command_group_titles[group]);
		for (command = commands; command->name; command++) {
			if (command->group != group)
				continue;
			fputs(".TP\n\\fBepitaph\\-", f);
			put_bold(f, command->name);
			fputs("(1)\n", f);
			put_man_string(f, command->summary);
		}
	}
}

void man_page_main(FILE *f, const char *date)
{
	const struct description_section *section;
	const struct command *command;

	put_title(f, "", date);
	fputs(".SH NAME\nepitaph \\- read the last events of a Linux kernel that crashed\n"
	      ".SH SYNOPSIS\n.nf\n"
	      "\\fBepitaph\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n"
	      "\\fBepitaph\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR\n"
	      "\\fBepitaph help\\fR [\\fICOMMAND\\fR]\n"
	      "\\fBepitaph\\fR \\fB\\-h\\fR | \\fB\\-\\-help\\fR | \\fB\\-V\\fR | \\fB\\-\\-version\\fR\n"
	      ".fi\n", f);
	for (section = description_main; section->title; section++) {
		fprintf(f, ".SH %s\n", section->title);
		put_man_text(f, section->text);
		if (section == description_main) {
			put_man_commands(f);
			fputs(".SH OPTIONS\nEvery command has these:\n", f);
			put_man_options(f, common_options);
			fputs(".TP\n\\fB\\-\\-help\\fR\n"
			      "Print the options of the command, with examples.\n", f);
		}
	}
	fputs(".SH EXAMPLES\n.nf\n", f);
	for (command = commands; command->name; command++)
		if (command->is_common)
			put_examples(f, command);
	fputs(".fi\n.SH SEE ALSO\n.BR epitaph\\-config (5),\n.BR epitaph\\-region (5),\n.BR crash (8),\n"
	      ".BR babeltrace2 (1),\n.BR kdump (5),\n.BR makedumpfile (8),\n.BR trace\\-cmd (1)\n", f);
}
