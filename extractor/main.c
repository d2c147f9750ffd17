// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/did_you_mean.h"
#include "cmd/common.h"
#include "cmd/help.h"
#include "dump/page_codec.h"
#include "os/sandboxed_child.h"

struct cmd {
	const char *name;
	const char *args;
	const char *help;
	int (*run)(int argc, char **argv);
};

#define WINDOW "[--last SEC|--events N|--all] [--cpu N] [--pid N] [--comm GLOB] [--event GLOB] [--channel GLOB] [--damaged]"

/* The whole command line, in the order epitaph(1) tells it. */
static const struct cmd cmds[] = {
	{ "report", WINDOW " [--source LIST] [--generation N] [--debug-dir DIR] [--debuginfod] [--monotonic] [--json] FILE...",
	  "print the last events in the order of time, newest last", cmd_report },
	{ "info", "[--source LIST] [--generation N|all] [--debug-dir DIR] [--debuginfod] [--json] FILE...",
	  "say what there is: kernel, generations, rings, clock, loss", cmd_info },
	{ "check", "[--generation N] [--json] FILE...",
	  "say what is damaged, print nothing else", cmd_check },
	{ "mce", "[--generation N] [--json|--raw] FILE...",
	  "machine checks, in words", cmd_mce },
	{ "export", "--to json|trace.dat|ctf|perfetto|html -o OUT " WINDOW " [--source LIST] [--generation N] [--debug-dir DIR] [--debuginfod] FILE",
	  "write all events for other programs", cmd_export },
	{ "save", "-o DIR [--json] FILE|--live",
	  "take the region out of a dump, into DIR/region", cmd_save },
	{ "redact", "-o OUT [--key FILE] [--generation N] [--json] FILE",
	  "copy a generation without names, pids, addresses and texts", cmd_redact },
	{ "capture", "[-o DIR] [--keep N] [--keep-size SIZE] [--etc DIR] [FILE]",
	  "in the capture kernel: the region and its texts onto disk", cmd_capture },
	{ "harvest", "[-o DIR] [--force] [--json] [--keep N] [--keep-size SIZE] [--etc DIR] [--device FILE] [--sysfs DIR]",
	  "save what earlier boots left, and let the recorder have the place again", cmd_harvest },
	{ "send", "[--to TARGET] [--check] [--again] [--conf FILE] [--host NAME] [--key FILE] [--within SEC] [DIR...]",
	  "saved traces to another machine", cmd_send },
#ifndef EPITAPH_NO_NAMES	/* no capture kernel listens */
	{ "collect", "--listen [ADDRESS:]PORT|--stdin [--host NAME] [--key FILE|--anybody] [--tls-cert FILE --tls-key FILE [--tls-clients CA]] DIR",
	  "take the traces that others send", cmd_collect },
#endif
	{ "status", "[--json|--notify] [--every SEC] [--sysfs DIR]",
	  "how the recorder of this machine is doing", cmd_status },
	{ "setup", "[--write|--remove] [--size SIZE] [--address ADDRESS] [--json] [--root DIR]",
	  "propose memory for the recorder, and have GRUB reserve it", cmd_setup },
	{ "doctor", "[--brief|--json] [--root DIR]",
	  "will it work when this machine dies?", cmd_doctor },
	{ "test-crash", "[--warm] [--yes] [--force] | --verify [--json] [--root DIR]",
	  "crash this machine, and say afterwards what came back", cmd_test_crash },
	{ "events", "[--json] [--device FILE] [[+|!][?]GLOB...]",
	  "which events are recorded, and change it", cmd_control },
	{ "channel", "[--json] [--device FILE] [add NAME SIZE [overwrite|stop] GLOB...|start NAME|stop NAME|remove NAME]",
	  "channels of their own beside the main one", cmd_control },
	{ "filter", "[--json] [--device FILE] [[CHANNEL] SYSTEM:EVENT EXPRESSION|0]",
	  "record an event only where its fields say so", cmd_control },
	{ "context", "[--json] [--device FILE] [[CHANNEL] GLOB WORD[,WORD]...|0]",
	  "let events say more: interrupts off, task, cgroup, a counter", cmd_control },
	{ "snapshot", "[--json] [--device FILE] [CHANNEL [SIZE]] | -o FILE [--json] [--device FILE] [CHANNEL]",
	  "copy a channel's newest events into the pool, or all to a file", cmd_snapshot },
	{ "trigger", "[--json] [--device FILE] [SYSTEM:EVENT [if EXPRESSION] stop|snapshot CHANNEL [after N|Nms]|remove NUMBER]",
	  "stop or copy a channel when an event comes", cmd_control },
	{ "bridge", "[--json] [--device FILE] [on|off]",
	  "record what ftrace's instance epitaph has on", cmd_control },
	{ "stop", "[--json] [--device FILE]",
	  "record no events until start", cmd_control },
	{ "start", "[--json] [--device FILE]",
	  "go on with recording", cmd_control },
	{ "live", "[--json|--ctf DIR] [--last SEC] [--for SEC] [--cpu N] [--pid N] [--comm GLOB] [--event GLOB] [--channel GLOB] [--device FILE]",
	  "follow what is being recorded", cmd_live },
	{ "mark", "[--device FILE] TEXT...",
	  "leave a mark in what is being recorded", cmd_mark },
};

static const struct cmd *find_cmd(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cmds); i++)
		if (!strcmp(cmds[i].name, name))
			return &cmds[i];
	return NULL;
}

static void put_usage(FILE *f, const struct cmd *cmd)
{
	fprintf(f, "usage: epitaph %s %s\n", cmd->name, cmd->args);
}

int cmd_usage(const char *name)
{
	put_usage(stderr, find_cmd(name));
	return ERR_USAGE;
}

static void help(FILE *f)
{
	size_t i;

	fputs("usage: epitaph COMMAND [OPTION]... FILE...\n\n", f);
	for (i = 0; i < ARRAY_SIZE(cmds); i++)
		fprintf(f, "  %-10s %s\n             epitaph %s %s\n", cmds[i].name,
			cmds[i].help, cmds[i].name, cmds[i].args);
	fputs("\nFILE is a vmcore (ELF, kdump-compressed, flattened, or all parts of a split one),\n"
	      "/proc/vmcore, a saved region, or a directory of what pstore shows of one; - is standard input.\n"
	      "Exit status: 0 whole, 1 recovered with damage or loss, 2 usage, 3 a system call failed,\n"
	      "4 nothing of ours in it, 5 ours and unusable.  See epitaph(1).\n", f);
}

static int no_command(const char *name)
{
	const char *names[ARRAY_SIZE(cmds)], *near;
	char escaped[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cmds); i++)
		names[i] = cmds[i].name;
	near = did_you_mean(name, names, ARRAY_SIZE(cmds));
	err_escape(escaped, sizeof(escaped), name, strlen(name));
	fprintf(stderr, "epitaph: no command %s", escaped);
	if (near)
		fprintf(stderr, "; did you mean %s?", near);
	fputs("\nepitaph --help has all of them\n", stderr);
	return ERR_USAGE;
}

/* Wherever it stands among the options; the short one only before all else. */
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
	const struct cmd *cmd;

	use_large_buffer();
	/* A pipe that is closed early, or a file that may not be as long, is no crash: the write fails, and ends it. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sandboxed_child_disown();
	if (argc < 2) {
		help(stderr);
		return ERR_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		help(stdout);
		return cmd_flush("--help");
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("epitaph, format %d.%d; pages: %s\n", EPITAPH_MAJOR, EPITAPH_MINOR,
		       codec_list());
		return cmd_flush("--version");
	}
	cmd = find_cmd(argv[1]);
	if (!cmd) {
		return no_command(argv[1]);
	}
	if (wants_help(argc - 2, argv + 2)) {
		put_usage(stdout, cmd);
		printf("%s.\n\n%s", cmd->help, cmd_help_text(cmd->name));
		return cmd_flush(cmd->name);
	}
	return cmd->run(argc - 1, argv + 1);
}
