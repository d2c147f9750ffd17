// SPDX-License-Identifier: GPL-2.0-or-later
#include "completion.h"

#include <string.h>

#include "cmd/command.h"

/* What a value of this name completes to. */
enum kind { KIND_NONE, KIND_WORDS, KIND_FILE, KIND_DIR, KIND_GENERATION, KIND_CHANNEL };

static enum kind kind_of_value(const struct command_option *option)
{
	if (!strcmp(option->name, "generation"))
		return KIND_GENERATION;
	if (!strcmp(option->name, "channel"))
		return KIND_CHANNEL;
	if (option->values)
		return KIND_WORDS;
	if (!strcmp(option->arg, "FILE") || !strcmp(option->arg, "OUT"))
		return KIND_FILE;
	return !strncmp(option->arg, "DIR", 3) ? KIND_DIR : KIND_NONE;
}

static void put_names(FILE *f, const struct command_option *option)
{
	for (; option->name; option++) {
		if (option->has_letter)
			fprintf(f, " -%c", option->val);
		fprintf(f, " --%s", option->name);
	}
}

static void put_bash_value(FILE *f, const char *command, const struct command_option *option)
{
	static const char *const words[] = {
		[KIND_NONE] = ":", [KIND_FILE] = "_epitaph_files", [KIND_DIR] = "_epitaph_files -d",
		[KIND_GENERATION] = "_epitaph_words \"$(_epitaph_generations)\"",
		[KIND_CHANNEL] = "_epitaph_words \"$(_epitaph_channels)\"",
	};
	enum kind kind = kind_of_value(option);

	fprintf(f, "\t%s:--%s", command, option->name);
	if (option->has_letter)
		fprintf(f, " | %s:-%c", command, option->val);
	if (kind == KIND_WORDS)
		fprintf(f, ") _epitaph_words \"%s\" ;;\n", option->values);
	else if (kind == KIND_GENERATION && option->values)
		fprintf(f, ") _epitaph_words \"$(_epitaph_generations) %s\" ;;\n", option->values);
	else
		fprintf(f, ") %s ;;\n", words[kind]);
}

void completion_bash(FILE *f)
{
	const struct command_option *option;
	const struct command *command;

	fputs("# SPDX-License-" "Identifier: GPL-2.0-or-later\n"
	      "# bash completion for epitaph(1), made from extractor/cmd/command_table.c.\n\n"
	      "_epitaph_words()\n{\n"
	      "\tmapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n}\n\n"
	      "# _epitaph_files [-d]\n"
	      "_epitaph_files()\n{\n"
	      "\tcompopt -o filenames 2>/dev/null\n"
	      "\tmapfile -t COMPREPLY < <(compgen \"${1:--f}\" -- \"$cur\")\n}\n\n"
	      "# Numbers of the generations in the files that are named already.\n"
	      "_epitaph_generations()\n{\n\tlocal word\n\n"
	      "\tfor word in \"${COMP_WORDS[@]:2}\"; do\n"
	      "\t\t[[ -f $word ]] && epitaph info --generation all --json \"$word\" 2>/dev/null\n"
	      "\tdone | grep -oE '\"generation\":[0-9]+' | grep -oE '[0-9]+'\n}\n\n"
	      "# Names of the channels in the files that are named already.\n"
	      "_epitaph_channels()\n{\n\tlocal word\n\n"
	      "\tfor word in \"${COMP_WORDS[@]:2}\"; do\n"
	      "\t\t[[ -f $word ]] && epitaph info --json \"$word\" 2>/dev/null\n"
	      "\tdone | grep -oE '\"channel\":\"[A-Za-z0-9_.-]+\"' | cut -d '\"' -f 4 | sort -u\n}\n\n"
	      "_epitaph_options()\n{\n\tcase $1 in\n", f);
	for (command = commands; command->name; command++) {
		fprintf(f, "\t%s) echo \"", command->name);
		put_names(f, command->options);
		put_names(f, common_options);
		fputs(" --help\" ;;\n", f);
	}
	fputs("\tesac\n}\n\n"
	      "_epitaph()\n{\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} "
	      "command=${COMP_WORDS[1]}\n\n"
	      "\tCOMPREPLY=()\n"
	      "\tif [[ $COMP_CWORD -eq 1 || ($command == help && $COMP_CWORD -eq 2) ]]; then\n"
	      "\t\t_epitaph_words \"", f);
	for (command = commands; command->name; command++)
		fprintf(f, "%s ", command->name);
	fputs("help --help --version\"\n\t\treturn\n\tfi\n"
	      "\t# bash makes a word of the sign in --color=never.\n"
	      "\t[[ $cur == = ]] && cur=\n"
	      "\t[[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
	      "\tcase $command:$prev in\n", f);
	for (command = commands; command->name; command++)
		for (option = command->options; option->name; option++)
			if (option->arg)
				put_bash_value(f, command->name, option);
	for (option = common_options; option->name; option++)
		if (option->arg)
			put_bash_value(f, "*", option);
	fputs("\t*)\n\t\tif [[ $cur == -* ]]; then\n"
	      "\t\t\t_epitaph_words \"$(_epitaph_options \"$command\")\"\n"
	      "\t\telse\n\t\t\t_epitaph_files\n\t\tfi\n\t\t;;\n\tesac\n}\n\n"
	      "complete -F _epitaph epitaph\n", f);
}

/* Without what the shell, or _arguments, reads as its own: quotes, brackets, colons. */
static void put_plain(FILE *f, const char *text)
{
	const char *c;

	for (c = text; *c; c++)
		if (*c == '[')
			putc('(', f);
		else if (*c == ']')
			putc(')', f);
		else if (*c == ':')
			putc(';', f);
		else if (!strchr("`'\"\\$", *c))
			putc(*c, f);
}

static void put_zsh_value(FILE *f, const struct command_option *option)
{
	enum kind kind = kind_of_value(option);

	fputs(":", f);
	put_plain(f, option->arg);
	if (option->values)
		fprintf(f, ":(%s)", option->values);
	else if (kind == KIND_FILE || kind == KIND_DIR)
		fputs(kind == KIND_FILE ? ":_files" : ":_files -/", f);
	else
		fputs(": ", f);
}

static void put_zsh_option(FILE *f, const struct command_option *option)
{
	if (option->has_letter)
		fprintf(f, "\t\t\t'(-%c --%s)'{-%c,--%s}", option->val, option->name, option->val,
			option->name);
	else
		fprintf(f, "\t\t\t--%s", option->name);
	fputs("'[", f);
	put_plain(f, option->text);
	putc(']', f);
	if (option->arg)
		put_zsh_value(f, option);
	fputs("' \\\n", f);
}

void completion_zsh(FILE *f)
{
	const struct command_option *option;
	const struct command *command;

	fputs("#compdef epitaph\n"
	      "# SPDX-License-" "Identifier: GPL-2.0-or-later\n"
	      "# zsh completion for epitaph(1), made from extractor/cmd/command_table.c.\n\n"
	      "_epitaph() {\n\tlocal curcontext=$curcontext state line\n\tlocal -a commands\n\n"
	      "\tcommands=(\n", f);
	for (command = commands; command->name; command++) {
		fprintf(f, "\t\t'%s:", command->name);
		put_plain(f, command->summary);
		fputs("'\n", f);
	}
	fputs("\t\t'help:list all commands'\n\t)\n"
	      "\t_arguments -C '(- *)--help[list the common commands]' \\\n"
	      "\t\t'(- *)--version[print the version]' \\\n"
	      "\t\t'1:command:->command' '*::argument:->argument'\n"
	      "\tcase $state in\n"
	      "\tcommand) _describe command commands ;;\n"
	      "\targument)\n\t\tcase $line[1] in\n", f);
	for (command = commands; command->name; command++) {
		fprintf(f, "\t\t%s)\n\t\t\t_arguments \\\n", command->name);
		for (option = command->options; option->name; option++)
			put_zsh_option(f, option);
		for (option = common_options; option->name; option++)
			put_zsh_option(f, option);
		fputs("\t\t\t'--help[print the options, with examples]' '*:file:_files'\n"
		      "\t\t\t;;\n", f);
	}
	fputs("\t\thelp) _describe command commands ;;\n"
	      "\t\tesac\n\t\t;;\n\tesac\n}\n\n_epitaph \"$@\"\n", f);
}

static void put_fish_option(FILE *f, const char *command, const struct command_option *option)
{
	fputs("complete -c epitaph", f);
	if (command)
		fprintf(f, " -n '__fish_seen_subcommand_from %s'", command);
	else
		fputs(" -n 'not __fish_use_subcommand'", f);
	if (option->has_letter)
		fprintf(f, " -s %c", option->val);
	fprintf(f, " -l %s", option->name);
	if (option->arg) {
		enum kind kind = kind_of_value(option);

		if (option->values)
			fprintf(f, " -x -a '%s'", option->values);
		else if (kind == KIND_FILE)
			fputs(" -r -F", f);
		else
			fputs(kind == KIND_DIR ? " -x -a '(__fish_complete_directories)'" : " -x", f);
	}
	fputs(" -d '", f);
	put_plain(f, option->text);
	fputs("'\n", f);
}

void completion_fish(FILE *f)
{
	const struct command_option *option;
	const struct command *command;

	fputs("# SPDX-License-" "Identifier: GPL-2.0-or-later\n"
	      "# fish completion for epitaph(1), made from extractor/cmd/command_table.c.\n", f);
	for (command = commands; command->name; command++) {
		fprintf(f, "complete -c epitaph -n __fish_use_subcommand -f -a %s -d '", command->name);
		put_plain(f, command->summary);
		fputs("'\n", f);
	}
	fputs("complete -c epitaph -n __fish_use_subcommand -f -a help -d 'list all commands'\n", f);
	for (command = commands; command->name; command++)
		for (option = command->options; option->name; option++)
			put_fish_option(f, command->name, option);
	for (option = common_options; option->name; option++)
		put_fish_option(f, NULL, option);
}
