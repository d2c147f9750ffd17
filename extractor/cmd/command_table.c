// SPDX-License-Identifier: GPL-2.0-or-later
#include "command.h"

#include <string.h>

#include "transfer/send_conf.h"

#define JSON(text)	{ "json", 'j', NULL, text, NULL, false }
#define FLAG(name, val, text)		{ name, val, NULL, text, NULL, false }
#define VALUE(name, val, arg, text)	{ name, val, arg, text, NULL, false }
#define WORDS(name, val, arg, values, text) { name, val, arg, text, values, false }
#define OUTPUT(arg, text)		{ "output", 'o', arg, text, NULL, true }
#define END				{ NULL, 0, NULL, NULL, NULL, false }

#define SOURCES "region ftrace log all"

/* What options_take() understands, but for --last and --damaged. */
#define ONLY								\
	VALUE("cpu", 'C', "N", "only events of this CPU"),		\
	VALUE("pid", 'P', "N", "only events of this thread"),		\
	VALUE("comm", 'c', "GLOB", "only events of threads with such a name"), \
	VALUE("event", 'e', "GLOB", "only events with such a name: `sched:*`"), \
	VALUE("channel", 'h', "GLOB", "only events of such a channel: `main`, `ras`, `user`, added " \
	      "ones; of the kernel's own trace `ftrace`, `ftrace:INSTANCE`, `ftrace (carved)`")

#define WINDOW								\
	VALUE("last", 'l', "SEC", "the last SEC seconds before the crash, and what came after it; " \
	      "0.25 is possible"),					\
	VALUE("events", 'n', "N", "the last N events before the crash, and up to N after it"), \
	FLAG("all", 'a', "all events"),					\
	ONLY,								\
	FLAG("damaged", 'd', "also what damaged sub-buffers seem to hold; it may be anything")

#define SOURCE								\
	WORDS("source", 's', "LIST", SOURCES, "what to read, separated by commas: `region`, the " \
	      "recorder's; `ftrace`, the kernel's own trace; `log`, its log; or `all`. Default: the " \
	      "region, or without one the kernel's own trace and log")

#define GENERATION							\
	VALUE("generation", 'g', "N", "not the newest boot but this one; `epitaph info` lists them")

#define DEBUGINFO							\
	VALUE("debug-dir", 'D', "DIR", "debuginfo, for lines of source: a directory like " \
	      "/usr/lib/debug, or one file. It must have the build id of the dump. May be given " \
	      "several times"),						\
	FLAG("debuginfod", 'F', "fetch debuginfo by build id from the servers in `DEBUGINFOD_URLS`")

#define KEEP								\
	VALUE("keep", 'K', "N", "remove the oldest saved captures beyond N (default 30; 0: no limit)"), \
	VALUE("keep-size", 'Z', "SIZE", "the same by size (default 4G, or a quarter of the file " \
	      "system; 0: no limit)"),					\
	VALUE("etc", 'E', "DIR", "instead of /etc/epitaph, whose retention.conf has these two as " \
	      "COUNT= and SIZE=")

#define MACHINE_ROOT VALUE("root", 'r', "DIR", "the machine whose files are below DIR")

#define CONTROL_DEVICE							\
	VALUE("device", 'd', "FILE", "instead of /dev/epitaph-control"), \
	JSON("the answer as JSON, an object a line")

const struct command_option common_options[] = {
	{ "verbose", 'v', NULL, "say on stderr how the reading process is confined", NULL, true },
	FLAG("no-pager", OPT_NO_PAGER, "start no pager on a terminal"),
	WORDS("color", OPT_COLOR, "WHEN", "auto always never", "`auto`, `always` or `never`"),
	END
};

static const struct command_option report_options[] = {
	WINDOW, SOURCE, GENERATION, DEBUGINFO,
	FLAG("monotonic", 'm', "times of the recorded kernel's CLOCK_MONOTONIC, not before the crash"),
	JSON("JSON, an object a line: docs/json.md"),
	END
};

static const struct command_option info_options[] = {
	WORDS("source", 's', "LIST", "region ftrace,log", "`region`, or what the kernel itself has: " \
	      "`ftrace,log`"),
	WORDS("generation", 'g', "N", "all", "not the newest boot but this one, or `all`"),
	DEBUGINFO,
	JSON("one JSON object"),
	END
};

static const struct command_option check_options[] = {
	GENERATION,
	JSON("one JSON object"),
	END
};

static const struct command_option mce_options[] = {
	GENERATION,
	JSON("JSON, an object a line: docs/json.md"),
	FLAG("raw", 'r', "the registers, a line of numbers for each"),
	END
};

static const struct command_option export_options[] = {
	WORDS("to", 't', "FORMAT", "json trace.dat ctf perfetto html",
	      "`html`, `perfetto`, `trace.dat`, `ctf` or `json`"),
	OUTPUT("OUT", "a new file, or a new directory for `ctf`; `-` is standard output"),
	WINDOW, SOURCE, GENERATION, DEBUGINFO,
	END
};

static const struct command_option save_options[] = {
	OUTPUT("DIR", "made if it is not there; DIR/region must not be there"),
	FLAG("live", 'l', "the region of the running recorder, not of a FILE"),
	JSON("what was saved, as a JSON object"),
	END
};

static const struct command_option redact_options[] = {
	OUTPUT("OUT", "a new file"),
	VALUE("key", 'k', "FILE", "16 bytes or more: the same names as in other copies made with it"),
	GENERATION,
	JSON("what was done, as a JSON object"),
	END
};

static const struct command_option capture_options[] = {
	OUTPUT("DIR", "make the new directory below DIR (default /var/crash)"),
	KEEP,
	END
};

static const struct command_option harvest_options[] = {
	OUTPUT("DIR", "save below DIR (default /var/lib/epitaph)"),
	FLAG("force", 'f', "also generations that are saved already"),
	JSON("JSON, an object a line"),
	FLAG("notify", 'n', "tell systemd when all crashed generations are saved (Type=notify)"),
	VALUE("device", 'd', "FILE", "instead of /dev/epitaph"),
	VALUE("sysfs", 's', "DIR", "instead of /sys/kernel/epitaph"),
	KEEP,
	END
};

/* cmd_send() hands these on as the settings that they are. */
#define SETTING(name, setting, arg, text)	VALUE(name, SEND_OPTION + setting, arg, text)

static const struct command_option send_options[] = {
	SETTING("to", SEND_TO, "TARGET", "https://HOST[:PORT][/PATH], s3://BUCKET[/PATH], " \
		"sftp://[USER@]HOST[:PORT][/PATH] or dir:/PATH"),
	FLAG("check", 'x', "reach the target with the credentials; store nothing"),
	FLAG("again", 'a', "also what is marked as sent"),
	VALUE("conf", 'f', "FILE", "instead of /etc/epitaph/send.conf, which has these options as " \
	      "NAME=value"),
	SETTING("host", SEND_HOST, "NAME", "the name of this machine in the archive"),
	SETTING("ca", SEND_CA, "FILE", "https: trust the certificates in FILE, not the system's"),
	SETTING("cert", SEND_CERT, "FILE", "https: the certificate of this machine"),
	SETTING("cert-key", SEND_CERT_KEY, "FILE", "https: its key"),
	SETTING("token", SEND_TOKEN, "FILE", "https: a bearer token; a name without / is a " \
		"credential of the systemd service"),
	SETTING("method", SEND_METHOD, "METHOD", "https: PUT (default) or POST"),
	SETTING("s3-keys", SEND_S3_KEYS, "FILE", "s3: ACCESS_KEY:SECRET_KEY"),
	SETTING("s3-endpoint", SEND_S3_ENDPOINT, "URL", "s3: the store (default Amazon's)"),
	SETTING("s3-region", SEND_S3_REGION, "NAME", "s3: default us-east-1"),
	SETTING("identity", SEND_IDENTITY, "FILE", "sftp: the private key"),
	SETTING("known-hosts", SEND_KNOWN_HOSTS, "FILE", "sftp: the known hosts"),
	FLAG("same-filesystem", 's', "dir: PATH need not be a mounted file system"),
	FLAG("region-only", 'r', "leave out the texts beside the region"),
	SETTING("within", SEND_WITHIN, "SEC", "no new attempt after SEC seconds (default 120)"),
	SETTING("from", SEND_FROM, "DIRS", "where captures are, if no DIR is given (default " \
		"\"/var/lib/epitaph /var/crash\")"),
	END
};

static const struct command_option status_options[] = {
	JSON("one JSON object"),
	FLAG("notify", 'n', "keep running and report to systemd (Type=notify)"),
	VALUE("every", 'e', "SEC", "seconds between reports to systemd (default 10)"),
	VALUE("sysfs", 's', "DIR", "instead of /sys/kernel/epitaph"),
	END
};

static const struct command_option setup_options[] = {
	FLAG("write", 'w', "write /etc/default/grub.d/epitaph.cfg and run update-grub"),
	FLAG("remove", 'x', "remove that file and run update-grub"),
	VALUE("size", 's', "SIZE", "so much memory, as 16M, instead of a size by the RAM"),
	VALUE("address", 'a', "ADDRESS", "there, as 0x20000000, instead of a place by /proc/iomem"),
	JSON("the proposal as a JSON object"),
	MACHINE_ROOT,
	END
};

static const struct command_option doctor_options[] = {
	FLAG("brief", 'b', "one line, as epitaph-doctor.timer logs it"),
	JSON("a JSON array of findings"),
	MACHINE_ROOT,
	END
};

static const struct command_option test_crash_options[] = {
	FLAG("warm", 'w', "unload the capture kernel first, so that the machine restarts by itself"),
	FLAG("yes", 'y', "do not ask"),
	FLAG("force", 'f', "crash although doctor found a failure"),
	FLAG("verify", 'V', "after the reboot: did the trace come back?"),
	JSON("of --verify: a JSON array of findings"),
	MACHINE_ROOT,
	END
};

static const struct command_option control_options[] = {
	CONTROL_DEVICE,
	END
};

static const struct command_option snapshot_options[] = {
	OUTPUT("FILE", "copy all channels, or CHANNEL, as they are at one moment on all CPUs, into a " \
	       "new file. --device then stands for /dev/epitaph"),
	CONTROL_DEVICE,
	END
};

static const struct command_option live_options[] = {
	JSON("JSON, an object a line: docs/json.md"),
	VALUE("ctf", 't', "DIR", "a CTF trace that grows, for babeltrace2"),
	VALUE("last", 'l', "SEC", "begin with the last SEC seconds that are recorded"),
	VALUE("for", 'f', "SEC", "end after SEC seconds"),
	ONLY,
	VALUE("device", 'd', "FILE", "instead of /dev/epitaph"),
	END
};

static const struct command_option mark_options[] = {
	VALUE("device", 'd', "FILE", "instead of /dev/epitaph-mark"),
	END
};

const char *const command_group_titles[NR_GROUPS] = {
	[GROUP_READ] = "Read what a kernel left",
	[GROUP_SAVE] = "Save it and pass it on",
	[GROUP_PREPARE] = "Prepare this machine",
	[GROUP_RECORD] = "See and steer the running recorder",
};

const struct command commands[] = {
	{ "report", GROUP_READ, true,
	  "print the last events before a crash, newest last",
	  { "[OPTION]... FILE..." }, report_options,
	  "Without --last, --events or --all: the last 5 seconds if they hold 200 to 1000 events, "
	  "else the last 200 events before the crash and the first 200 after it.",
	  "epitaph report --last 0.5 vmcore\n"
	  "epitaph report --all --cpu 3 --event 'irq:*' /var/lib/epitaph/*/region\n"
	  "epitaph report --source ftrace,log vmcore\n" },
	{ "info", GROUP_READ, false,
	  "list kernel, generations, rings, clock and losses of a dump",
	  { "[OPTION]... FILE..." }, info_options, NULL,
	  "epitaph info vmcore\n"
	  "epitaph info --generation all --json /var/lib/epitaph/*/region | jq .kernel\n" },
	{ "check", GROUP_READ, false,
	  "list what is damaged in a dump, and nothing else",
	  { "[OPTION]... FILE..." }, check_options, NULL,
	  "epitaph check vmcore && echo whole\n"
	  "epitaph check --json dump.1 dump.2 dump.3\n" },
	{ "mce", GROUP_READ, false,
	  "print machine checks in words",
	  { "[OPTION]... FILE..." }, mce_options, NULL,
	  "epitaph mce vmcore\n"
	  "epitaph mce --raw /sys/fs/pstore\n" },
	{ "export", GROUP_READ, true,
	  "write events as html, perfetto, trace.dat, ctf or json",
	  { "--to FORMAT -o OUT [OPTION]... FILE" }, export_options,
	  "Without --last, --events or --all: all events.",
	  "epitaph export --to html -o crash.html vmcore\n"
	  "epitaph export --to trace.dat -o trace.dat vmcore\n"
	  "epitaph export --to json -o - vmcore | jq -c '{event, fields}'\n" },
	{ "save", GROUP_SAVE, false,
	  "copy the recorder's region out of a dump, byte for byte",
	  { "-o DIR [--json] FILE", "-o DIR [--json] --live" }, save_options, NULL,
	  "epitaph save -o /var/crash/now /proc/vmcore\n"
	  "makedumpfile -F -d 31 /proc/vmcore | epitaph save -o saved -\n" },
	{ "redact", GROUP_SAVE, false,
	  "copy a generation without names, pids, addresses and texts",
	  { "-o OUT [OPTION]... FILE" }, redact_options, NULL,
	  "epitaph redact -o to-send vmcore && epitaph report to-send\n"
	  "head -c 16 /dev/urandom >key; epitaph redact --key key -o a region.a\n" },
	{ "capture", GROUP_SAVE, false,
	  "save region and texts to disk, in a kdump capture kernel",
	  { "[OPTION]... [FILE]" }, capture_options,
	  "Without FILE: /proc/vmcore.",
	  "epitaph capture\n"
	  "epitaph capture -o /mnt/captures vmcore\n" },
	{ "harvest", GROUP_SAVE, true,
	  "save what earlier boots left in memory to disk",
	  { "[OPTION]..." }, harvest_options, NULL,
	  "epitaph harvest\n"
	  "epitaph harvest --force -o /srv/captures --json\n" },
	{ "send", GROUP_SAVE, false,
	  "send saved captures to another machine",
	  { "[OPTION]... [DIR...]" }, send_options,
	  "DIR is a saved capture, or a directory of saved captures.",
	  "epitaph send --check\n"
	  "epitaph send --to https://captures.example/in --token /etc/epitaph/token\n" },
	{ "setup", GROUP_PREPARE, true,
	  "reserve memory for the recorder in GRUB's configuration",
	  { "[--write|--remove] [OPTION]..." }, setup_options,
	  "Without --write or --remove: print the proposal, and write nothing.",
	  "epitaph setup\n"
	  "epitaph setup --write && reboot\n" },
	{ "doctor", GROUP_PREPARE, true,
	  "check that a crash of this machine would leave a trace",
	  { "[OPTION]..." }, doctor_options, NULL,
	  "epitaph doctor\n"
	  "epitaph doctor --json | jq '.[] | select(.verdict != \"ok\")'\n" },
	{ "test-crash", GROUP_PREPARE, false,
	  "crash this machine, then check what came back",
	  { "[--warm] [--yes] [--force] [--root DIR]", "--verify [--json] [--root DIR]" },
	  test_crash_options, NULL,
	  "epitaph test-crash\n"
	  "epitaph test-crash --verify\n" },
	{ "status", GROUP_RECORD, true,
	  "show what is recorded and how far back it reaches",
	  { "[OPTION]..." }, status_options, NULL,
	  "epitaph status\n"
	  "epitaph status --json | jq '.channels[0].events_per_s'\n" },
	{ "live", GROUP_RECORD, false,
	  "follow what is being recorded",
	  { "[OPTION]..." }, live_options,
	  "It ends after --for, at an interrupt, or when its output is closed.",
	  "epitaph live --event 'sched:sched_switch' --cpu 3\n"
	  "ssh root@host epitaph live --json --for 60 >trace.jsonl\n" },
	{ "mark", GROUP_RECORD, false,
	  "leave a mark in what is being recorded",
	  { "[--device FILE] TEXT..." }, mark_options,
	  "The words of TEXT are joined by blanks. It is UTF-8, of at most 4096 bytes.",
	  "epitaph mark \"deploy 17 begins\"\n"
	  "epitaph mark $(hostname): the disk is slow again\n" },
	{ "events", GROUP_RECORD, false,
	  "list or choose the events that are recorded",
	  { "[OPTION]... [[+|!][?]GLOB...]" }, control_options,
	  "Without GLOB: a line for each event. Its state is `on`, `off`, `absent` (its module is not "
	  "loaded), `refused` (the kernel's log says why) or `stopped`.\n\n"
	  "A list of GLOBs is a new choice. If the first begins with + or !, the list changes the "
	  "present choice: + adds, ! removes, and the last GLOB that matches an event decides. A GLOB "
	  "matches `system:event`, or one of both. With ? in front it may match no event yet.",
	  "epitaph events '+block:*' '!block:block_touch_buffer'\n"
	  "epitaph events default 'net:*'\n"
	  "epitaph events '+?mydriver:*'\n" },
	{ "channel", GROUP_RECORD, false,
	  "list or change channels with events and memory of their own",
	  { "[OPTION]...", "[OPTION]... add NAME SIZE [overwrite|stop] GLOB...",
	    "[OPTION]... start|stop|remove NAME" }, control_options,
	  "Without words: the free memory, and a line for each channel. SIZE is for all CPUs together. "
	  "A channel overwrites its oldest events, or stops when it is full. It records from `add` on. "
	  "Channel `main` can be started and stopped, but not removed.",
	  "epitaph channel add net 2M 'net:*' 'tcp:*'\n"
	  "epitaph channel add boot 512K stop 'module:*' && epitaph channel stop boot\n"
	  "epitaph channel stop net && epitaph report --channel net /dev/epitaph\n" },
	{ "filter", GROUP_RECORD, false,
	  "record an event only if its fields match an expression",
	  { "[OPTION]...", "[OPTION]... [CHANNEL] SYSTEM:EVENT EXPRESSION",
	    "[OPTION]... [CHANNEL] SYSTEM:EVENT 0" }, control_options,
	  "Without words: a line for each filter. EXPRESSION is a filter of ftrace: == != < <= > >= & "
	  "for numbers, == != ~ (a glob) for texts, && || ! and parentheses. Without CHANNEL it is for "
	  "the channel `main`, or `ras` for hardware errors. 0 removes the filter.",
	  "epitaph filter sched:sched_switch 'prev_pid != 0 && next_comm ~ \"kworker*\"'\n"
	  "epitaph filter net raw_syscalls:sys_enter 'id == 202 && common_pid == 4711'\n"
	  "epitaph filter sched:sched_switch 0\n" },
	{ "context", GROUP_RECORD, false,
	  "record more with an event: irq state, task, cgroup, counters",
	  { "[OPTION]...", "[OPTION]... [CHANNEL] GLOB WORD[,WORD]...",
	    "[OPTION]... [CHANNEL] GLOB 0" }, control_options,
	  "Without words: a line for each event with context. GLOB matches `system:event`. A WORD is "
	  "`irq` (ftrace's flags), `preempt` (depth of disabled preemption), `task` (pid, tgid, name), "
	  "`cgroup` (v2), `cgroup:CONTROLLER` or `perf:COUNTER`. New words replace the earlier ones; 0 "
	  "removes them.",
	  "epitaph context 'sched:*' irq,preempt\n"
	  "epitaph context net 'net:*' task,cgroup,perf:cycles\n"
	  "epitaph context 'sched:*' 0\n" },
	{ "trigger", GROUP_RECORD, false,
	  "stop or copy a channel when an event happens",
	  { "[OPTION]...", "SYSTEM:EVENT [if EXPRESSION] ACTION CHANNEL [after N|Nms]",
	    "[OPTION]... remove NUMBER" }, control_options,
	  "Without words: a line for each trigger, with its number and how often it fired. ACTION is "
	  "`stop` or `snapshot`. When the event happens and EXPRESSION is true (see epitaph-filter(1)), "
	  "CHANNEL is stopped or copied: at once, N such events later, or N ms later. A stop happens "
	  "once. Copies are made as long as there is memory.",
	  "epitaph trigger block:block_rq_error snapshot main after 100ms\n"
	  "epitaph trigger sched:sched_process_exit if 'comm == \"postgres\"' stop main\n"
	  "epitaph trigger remove 1\n" },
	{ "snapshot", GROUP_RECORD, false,
	  "copy the newest events of a channel, in memory or to a file",
	  { "[OPTION]... [CHANNEL [SIZE]]", "-o FILE [OPTION]... [CHANNEL]" }, snapshot_options,
	  "Recording goes on. Without -o the copy of CHANNEL (default `main`) is a channel CHANNEL@1, "
	  "then @2 and so on, which stays until it is removed. SIZE is for all CPUs; default: half of "
	  "the free memory.",
	  "epitaph snapshot\n"
	  "epitaph snapshot net 256K && epitaph channel\n"
	  "epitaph snapshot -o /var/tmp/now && epitaph report --last 1 /var/tmp/now\n" },
	{ "bridge", GROUP_RECORD, false,
	  "also record what ftrace's instance \"epitaph\" has enabled",
	  { "[OPTION]... [on|off]" }, control_options,
	  "Without a word: is it on? The bridge records kprobes, uprobes, synthetic events, functions, "
	  "markers and events of any module, as the tools of ftrace enable them in that instance; and "
	  "trace_printk().",
	  "epitaph bridge on && trace-cmd start -B epitaph -p function -l 'nfs_*'\n"
	  "epitaph bridge off\n" },
	{ "stop", GROUP_RECORD, false,
	  "stop recording events; machine checks and marks go on",
	  { "[OPTION]..." }, control_options, NULL,
	  "epitaph stop && epitaph report --last 1 /dev/epitaph; epitaph start\n"
	  "ssh web1 epitaph stop --json\n" },
	{ "start", GROUP_RECORD, false,
	  "resume recording events",
	  { "[OPTION]..." }, control_options, NULL,
	  "epitaph start\n"
	  "epitaph start && epitaph events\n" },
	{ NULL, NR_GROUPS, false, NULL, { NULL }, NULL, NULL, NULL }
};

const struct command *command_find(const char *name)
{
	const struct command *command;

	for (command = commands; command->name; command++)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}
