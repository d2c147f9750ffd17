// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <epitaph/epitaph.h>
#include <epitaph/format.h>

#include "base/did_you_mean.h"
#include "base/escape.h"
#include "cmd/command.h"
#include "cmd/common.h"
#include "cmd/help.h"
#include "os/sandboxed_child.h"

/* The table of what they are is cmd/commands.text. */
static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} runs[] = {
	{ "report", cmd_report },
	{ "explain", cmd_explain },
	{ "info", cmd_info },
	{ "check", cmd_check },
	{ "mce", cmd_mce },
	{ "export", cmd_export },
	{ "list", cmd_list },
	{ "save", cmd_save },
	{ "redact", cmd_redact },
	{ "capture", cmd_capture },
	{ "harvest", cmd_harvest },
	{ "send", cmd_send },
	{ "seal", cmd_seal },
	{ "unseal", cmd_unseal },
	{ "setup", cmd_setup },
	{ "doctor", cmd_doctor },
	{ "test-crash", cmd_test_crash },
	{ "inject", cmd_inject },
	{ "status", cmd_status },
	{ "size", cmd_size },
	{ "live", cmd_live },
	{ "record", cmd_record },
	{ "guest", cmd_guest },
	{ "mark", cmd_mark },
	{ "snapshot", cmd_snapshot },
	{ "events", cmd_control },
	{ "channel", cmd_control },
	{ "filter", cmd_control },
	{ "context", cmd_control },
	{ "trigger", cmd_control },
	{ "bridge", cmd_control },
	{ "stop", cmd_control },
	{ "start", cmd_control },
};

int cmd_usage(const char *name)
{
	command_put_usage(stderr, command_find(name));
	return ERR_USAGE;
}

static int report_unknown_command(const char *name)
{
	const char *names[ARRAY_SIZE(runs)], *near;
	char escaped[256];
	size_t i;

	/* For one release: units and keys of ssh still run it. */
	if (!strcmp(name, "collect")) {
		fputs("epitaph collect: this command is gone, with its protocol; a web server, an object store or sshd\n"
		      "receives captures: see \"From tcp:// and tls://\" in docs/send.md\n", stderr);
		return ERR_USAGE;
	}
	for (i = 0; i < ARRAY_SIZE(runs); i++)
		names[i] = runs[i].name;
	near = did_you_mean(name, names, ARRAY_SIZE(runs));
	escape_text(escaped, sizeof(escaped), name, strlen(name));
	fprintf(stderr, "epitaph: no command %s", escaped);
	if (near)
		fprintf(stderr, "; did you mean %s?", near);
	fputs("\n\"epitaph help\" lists all commands\n", stderr);
	return ERR_USAGE;
}

static int put_help(const char *name)
{
	const struct command *command = command_find(name);

	if (!command)
		return report_unknown_command(name);
	command_put_help(stdout, command);
	return status_flush(name);
}

static int put_all_help(int argc, char **argv)
{
	if (argc)
		return put_help(*argv);
	command_put_all(stdout);
	return status_flush("help");
}

/* --help is accepted anywhere before "--"; -h only as the first option. */
static bool wants_help(int argc, char **argv)
{
	int i;

	if (argc && !strcmp(*argv, "-h"))
		return true;
	for (i = 0; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "--help"))
			return true;
	return false;
}

/* Into a file or a pipe, not 4 KiB at a time. */
static void use_large_buffer(void)
{
	static char buffer[64U << 10];

	if (!isatty(STDOUT_FILENO))
		setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
}

int main(int argc, char **argv)
{
	size_t i;

	use_large_buffer();
	/* A closed pipe or a limit on file sizes makes the write fail; it must not kill. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sandboxed_child_disown();
	if (argc < 2) {
		command_put_common(stderr);
		return ERR_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		command_put_common(stdout);
		return status_flush("--help");
	}
	if (!strcmp(argv[1], "help"))
		return put_all_help(argc - 2, argv + 2);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("epitaph %s, format %d.%d; pages: %s\n", epitaph_version(), EPITAPH_MAJOR,
		       EPITAPH_MINOR, epitaph_page_codecs());
		return status_flush("--version");
	}
	for (i = 0; i < ARRAY_SIZE(runs); i++)
		if (!strcmp(runs[i].name, argv[1]))
			return wants_help(argc - 2, argv + 2) ? put_help(argv[1])
							      : runs[i].run(argc - 1, argv + 1);
	return report_unknown_command(argv[1]);
}
