// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pages DIR DATE: writes the man pages of the commands, of that date, to DIR/man1 and the shells to
 * DIR/completion.  Runs on the machine that builds.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/command.h"
#include "completion.h"
#include "description.h"
#include "man_page.h"

static FILE *open_page(const char *dir, const char *name, const char *suffix)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s%s", dir, name, suffix);
	f = fopen(path, "w");
	if (!f) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	return f;
}

static void close_page(FILE *f)
{
	if (ferror(f) | fclose(f)) {
		perror("pages");
		exit(EXIT_FAILURE);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*write)(FILE *f);
	} pages[] = {
		{ "completion/epitaph.bash", completion_bash },
		{ "completion/_epitaph", completion_zsh },
		{ "completion/epitaph.fish", completion_fish },
	};
	const struct command *command;
	char name[64];
	size_t i;
	FILE *f;

	if (argc != 3) {
		fputs("usage: pages DIR DATE\n", stderr);
		return EXIT_FAILURE;
	}
	for (i = 0; i < ARRAY_SIZE(pages); i++) {
		f = open_page(argv[1], pages[i].name, "");
		pages[i].write(f);
		close_page(f);
	}
	f = open_page(argv[1], "man1/epitaph", ".1");
	man_page_main(f, argv[2]);
	close_page(f);
	for (command = commands; command->name; command++) {
		if (!description_of(command->name)) {
			fprintf(stderr, "pages: no description of %s\n", command->name);
			return EXIT_FAILURE;
		}
		snprintf(name, sizeof(name), "man1/epitaph-%s", command->name);
		f = open_page(argv[1], name, ".1");
		man_page_of_command(f, command, argv[2]);
		close_page(f);
	}
	return EXIT_SUCCESS;
}
