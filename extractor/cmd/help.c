// SPDX-License-Identifier: GPL-2.0-or-later
#include "help.h"

#include <string.h>

#include "base/types.h"

#define WINDOW								\
	"  --last SEC          the last seconds before the crash (0.25 is possible)\n" \
	"  --events N          the last N events\n"			\
	"  --all               all of them\n"				\
	"  --cpu N, --pid N, --comm GLOB, --event GLOB, --channel GLOB\n" \
	"                      only of this CPU, thread, task, event (\"sched:*\"), channel\n" \
	"  --damaged           also what damaged sub-buffers seem to hold\n" \
	"  --source LIST       of whom: region, ftrace, log, or all\n"

#define GENERATION							\
	"  --generation N      not the newest boot's, but this one (epitaph info has the numbers)\n"

#define DEBUG_DIR							\
	"  --debug-dir DIR     debuginfo, for lines of source: a directory like /usr/lib/debug, or a file\n" \
	"  --debuginfod        the same from the servers of DEBUGINFOD_URLS, by build id\n"

#define KEEP								\
	"  --keep N, --keep-size SIZE\n"				\
	"                      remove the oldest saved ones beyond that (30, 4G or a quarter of the disk; 0: no limit)\n" \
	"  --etc DIR           instead of /etc/epitaph, whose retention.conf has these as COUNT, SIZE\n"

#define COMMON								\
	"  -v, --verbose       say what the file is read with\n"	\
	"  --no-pager          do not start a pager on a terminal\n"	\
	"  --color WHEN        auto, always or never\n"

#define CONTROL								\
	"  --json              an object a line: tells, words\n"	\
	"  --device FILE       instead of /dev/epitaph-control\n"

/* By the name of the command. */
static const struct {
	const char *name;
	const char *text;
} texts[] = {
	{ "report",
	  WINDOW GENERATION DEBUG_DIR
	  "  --monotonic         times of the recorded kernel, not before the crash\n"
	  "  --json              an object a line: docs/json.md\n"
	  COMMON
	  "\nexamples:\n"
	  "  epitaph report --last 0.5 vmcore\n"
	  "  epitaph report --all --cpu 3 --event 'irq:*' /var/lib/epitaph/*/region\n" },
	{ "info",
	  "  --source LIST       of whom: region; or what the kernel has itself: ftrace,log\n"
	  "  --generation N|all  not the newest boot's, but this one, or all\n"
	  DEBUG_DIR
	  "  --json              as one object\n"
	  COMMON
	  "\nexamples:\n"
	  "  epitaph info vmcore\n"
	  "  epitaph info --generation all --json /var/lib/epitaph/*/region | jq .kernel\n" },
	{ "check",
	  GENERATION
	  "  --json              as one object\n"
	  COMMON
	  "\nexamples:\n"
	  "  epitaph check vmcore && echo whole\n"
	  "  epitaph check --json dump.1 dump.2 dump.3\n" },
	{ "mce",
	  GENERATION
	  "  --json              an object a line: docs/json.md\n"
	  "  --raw               a line of numbers for each\n"
	  COMMON
	  "\nexamples:\n"
	  "  epitaph mce vmcore\n"
	  "  epitaph mce --raw /sys/fs/pstore\n" },
	{ "export",
	  "  --to NAME           the format; docs/exports.md and docs/json.md\n"
	  "  -o, --output OUT    a new file, or a new directory for ctf; - is standard output\n"
	  WINDOW GENERATION DEBUG_DIR COMMON
	  "\nexamples:\n"
	  "  epitaph export --to trace.dat -o trace.dat vmcore && trace-cmd report trace.dat\n"
	  "  epitaph export --to json -o - vmcore | jq -c 'select(.event == \"sched:sched_switch\")'\n" },
	{ "save",
	  "  -o, --output DIR    made if it is not there; DIR/region must not be\n"
	  "  --live              of the recorder that runs, not of a FILE\n"
	  "  --json              what was saved, as an object\n"
	  COMMON
	  "\nexamples:\n"
	  "  epitaph save -o /var/crash/now /proc/vmcore\n"
	  "  makedumpfile -F -d 31 /proc/vmcore | epitaph save -o saved -\n" },
	{ "redact",
	  "  -o, --output OUT    a new file\n"
	  "  --key FILE          16 bytes: the same names as in other copies made with it\n"
	  GENERATION
	  "  --json              what was done, as an object\n"
	  COMMON
	  "\nexamples:\n"
	  "  epitaph redact -o to-send vmcore && epitaph report to-send\n"
	  "  head -c 16 /dev/urandom >key; epitaph redact --key key -o a region.a\n" },
	{ "capture",
	  "  -o, --output DIR    where its directory is made (default /var/crash)\n"
	  KEEP
	  COMMON
	  "\nFILE is /proc/vmcore if none is named.\n"
	  "\nexamples:\n"
	  "  epitaph capture\n"
	  "  epitaph capture -o /mnt/traces vmcore\n" },
	{ "harvest",
	  "  -o DIR              instead of /var/lib/epitaph\n"
	  "  --force             also what somebody has already\n"
	  "  --json              an object a line\n"
	  "  --notify            tell the manager of a service of Type=notify when what\n"
	  "                      crashes left is saved\n"
	  KEEP
	  "  --device FILE, --sysfs DIR\n"
	  "                      instead of /dev/epitaph, /sys/kernel/epitaph\n"
	  "\nexamples:\n"
	  "  epitaph harvest\n"
	  "  epitaph harvest --force -o /srv/traces --json\n" },
	{ "send",
	  "  --to TARGET         dir:/PATH, ssh://[USER@]HOST[:PORT], tls://HOST:PORT, tcp://HOST:PORT\n"
	  "  --check             would a trace be taken now?\n"
	  "  --again             also what is marked as sent\n"
	  "  --conf FILE         instead of /etc/epitaph/send.conf, which has all these as NAME=value\n"
	  "  --host NAME         what this host is called there\n"
	  "  --key FILE          a key that the collector has too\n"
	  "  --ca FILE, --pin SHA256, --cert FILE, --cert-key FILE\n"
	  "                      of tls://: how the collector is known, and how it knows us\n"
	  "  --identity FILE, --known-hosts FILE\n"
	  "                      for ssh\n"
	  "  --same-filesystem   dir:/PATH need not be mounted\n"
	  "  --region-only       not the texts beside it\n"
	  "  --within SEC        no new try after it (default 120)\n"
	  "  --from DIRS         without a DIR (default \"/var/lib/epitaph /var/crash\")\n"
	  "\nDIR is a saved trace, or has some.\n"
	  "\nexamples:\n"
	  "  epitaph send --check\n"
	  "  epitaph send --to dir:/mnt/traces /var/crash\n" },
	{ "collect",
	  "  --listen [ADDRESS:]PORT\n"
	  "                      for tcp://, or with a certificate for tls://\n"
	  "  --stdin             for one that comes through ssh\n"
	  "  --host NAME         who that is, whatever it says\n"
	  "  --key FILE          of those who may send\n"
	  "  --anybody           may send who gets here\n"
	  "  --tls-cert FILE, --tls-key FILE\n"
	  "                      of this collector, PEM\n"
	  "  --tls-clients CA    who may send has a certificate of it, in the name of its host\n"
	  "  --max-trace SIZE, --max-host SIZE, --keep-free SIZE, --max-hosts N\n"
	  "                      limits (1G, 8G, 1G, 4096); 0: none\n"
	  "\nexamples:\n"
	  "  epitaph collect --listen 7788 --key fleet.key /srv/epitaph\n"
	  "  epitaph collect --stdin --host web1 /srv/epitaph\n" },
	{ "status",
	  "  --json              as one object\n"
	  "  --notify            go on telling the manager of a service of Type=notify\n"
	  "  --every SEC         how often it is told (default 10)\n"
	  "  --sysfs DIR         instead of /sys/kernel/epitaph\n"
	  "\nexamples:\n"
	  "  epitaph status\n"
	  "  epitaph status --json | jq '.channels[0].events_per_s'\n" },
	{ "setup",
	  "  --write             make /etc/default/grub.d/epitaph.cfg and run update-grub\n"
	  "  --remove            take that away again\n"
	  "  --size SIZE         not by the size of the RAM: 16M\n"
	  "  --address ADDRESS   not by /proc/iomem: 0x20000000\n"
	  "  --json              what is proposed, as an object\n"
	  "  --root DIR          for a machine whose files are below DIR\n"
	  "\nexamples:\n"
	  "  epitaph setup\n"
	  "  epitaph setup --write && reboot\n" },
	{ "doctor",
	  "  --brief             one line, as epitaph-doctor.timer logs it\n"
	  "  --json              an array of findings\n"
	  "  --root DIR          look at a machine whose files are below DIR\n"
	  "\nexamples:\n"
	  "  epitaph doctor\n"
	  "  epitaph doctor --json | jq '.[] | select(.verdict != \"ok\")'\n" },
	{ "test-crash",
	  "  --warm              without the capture kernel, which is unloaded\n"
	  "  --yes               do not ask\n"
	  "  --force             also where doctor says that nothing will come back\n"
	  "  --verify            after the reboot: did it come back?\n"
	  "  --json              of --verify: an array of findings\n"
	  "  --root DIR          a machine whose files are below DIR\n"
	  "\nexamples:\n"
	  "  epitaph test-crash\n"
	  "  epitaph test-crash --verify\n" },
	{ "events",
	  CONTROL
	  "\nWithout a GLOB: a line for each event, with on, off, absent (its module is not loaded),\n"
	  "refused (the kernel's log says why) or stopped.  A list is a new choice; one that begins\n"
	  "with + or ! adds to what is recorded, or takes away, and the last GLOB that fits decides.\n"
	  "A GLOB is for system:event, or for either of the two; ? before it: it may fit nothing yet.\n"
	  "\nexamples:\n"
	  "  epitaph events '+block:*' '!block:block_touch_buffer'\n"
	  "  epitaph events default 'net:*'\n"
	  "  epitaph events '+?mydriver:*'\n" },
	{ "channel",
	  CONTROL
	  "\nWithout more words: the room there is, and a line for each channel.  A channel has events,\n"
	  "a size for all CPUs together, and a mode: overwrite, or stop when it is full.  It records\n"
	  "from add on, beside main and whatever else there is; main can be started and stopped too.\n"
	  "\nexamples:\n"
	  "  epitaph channel add net 2M 'net:*' 'tcp:*'\n"
	  "  epitaph channel add boot 512K stop 'module:*' && epitaph channel stop boot\n"
	  "  epitaph channel stop net && epitaph report --channel net /dev/epitaph\n" },
	{ "filter",
	  CONTROL
	  "\nWithout more words: a line for each filter.  EXPRESSION is of the kernel's own language:\n"
	  "== != < <= > >= & for numbers, == != ~ (a glob) for texts, && || ! and parentheses.  It holds\n"
	  "in CHANNEL, or where the event is recorded by itself (main); 0 takes it away.\n"
	  "\nexamples:\n"
	  "  epitaph filter sched:sched_switch 'prev_pid != 0 && next_comm ~ \"kworker*\"'\n"
	  "  epitaph filter net raw_syscalls:sys_enter 'id == 202 && common_pid == 4711'\n"
	  "  epitaph filter sched:sched_switch 0\n" },
	{ "context",
	  CONTROL
	  "\nWithout more words: a line for each event that says more than its own fields.  GLOB is\n"
	  "SYSTEM:EVENT, in CHANNEL, or where an event is recorded by itself (main).  Words: irq (what is\n"
	  "off and what runs, as ftrace's flags), preempt (how deep it is off), task (pid, tgid, name),\n"
	  "cgroup (v2: inode, and path), cgroup:CONTROLLER, perf:COUNTER (of the CPU).  They\n"
	  "take the place of those that were told before; 0 takes them away.\n"
	  "\nexamples:\n"
	  "  epitaph context 'sched:*' irq,preempt\n"
	  "  epitaph context net 'net:*' task,cgroup,perf:cycles\n"
	  "  epitaph context 'sched:*' 0\n" },
	{ "trigger",
	  CONTROL
	  "\nWithout more words: a line for each trigger, with how often it was set off.  When the event\n"
	  "comes (and EXPRESSION, as in filter, is true of it), CHANNEL stops or is copied: at once, N\n"
	  "more of that event later, or N ms later.  A stop happens once; copies, as long as there is room.\n"
	  "\nexamples:\n"
	  "  epitaph trigger block:block_rq_error snapshot main after 100ms\n"
	  "  epitaph trigger sched:sched_process_exit if 'comm == \"postgres\"' stop main\n"
	  "  epitaph trigger remove 1\n" },
	{ "snapshot",
	  CONTROL
	  "  -o FILE             all channels, or CHANNEL alone, as they were at one moment on all CPUs,\n"
	  "                      into a new file, which every command reads; --device is then\n"
	  "                      instead of /dev/epitaph\n"
	  "\nRecording goes on.  The copy of channel NAME (main) is the channel NAME@1, @2 ...: it stays\n"
	  "until it is removed.  SIZE: of all CPUs; without, half of what is free.\n"
	  "\nexamples:\n"
	  "  epitaph snapshot\n"
	  "  epitaph snapshot net 256K && epitaph channel\n"
	  "  epitaph snapshot -o /var/tmp/now && epitaph report --last 1 /var/tmp/now\n" },
	{ "bridge",
	  CONTROL
	  "\nWhat the tools of ftrace turn on in its instance epitaph is recorded too: kprobes, uprobes,\n"
	  "synthetic events, functions, markers, events of any module; and trace_printk().\n"
	  "Without a word: is it on?\n"
	  "\nexamples:\n"
	  "  epitaph bridge on && trace-cmd start -B epitaph -p function -l 'nfs_*'\n"
	  "  epitaph bridge off\n" },
	{ "stop",
	  CONTROL
	  "\nMachine checks and marks are recorded all the same.\n"
	  "\nexamples:\n"
	  "  epitaph stop && epitaph report --last 1 /dev/epitaph; epitaph start\n"
	  "  ssh web1 epitaph stop --json\n" },
	{ "start",
	  CONTROL
	  "\nexamples:\n"
	  "  epitaph start\n"
	  "  epitaph start && epitaph events\n" },
	{ "live",
	  "  --json              an object a line: docs/json.md\n"
	  "  --ctf DIR           a trace of CTF that grows, for babeltrace2\n"
	  "  --last SEC          begin with the last seconds that there are\n"
	  "  --for SEC           end after so long; else by ^C, or when nobody reads any more\n"
	  "  --cpu N, --pid N, --comm GLOB, --event GLOB, --channel GLOB\n"
	  "                      only of this CPU, thread, task, event (\"sched:*\"), channel\n"
	  "  --device FILE       instead of /dev/epitaph\n"
	  "\nexamples:\n"
	  "  epitaph live --event 'sched:sched_switch' --cpu 3\n"
	  "  ssh root@host epitaph live --json --for 60 >trace.jsonl\n" },
	{ "mark",
	  "  --device FILE       instead of /dev/epitaph-mark\n"
	  "\nThe text is UTF-8, of at most 4096 bytes.\n"
	  "\nexamples:\n"
	  "  epitaph mark \"deploy 17 begins\"\n"
	  "  epitaph mark $(hostname): the disk is slow again\n" },
};

const char *cmd_help_text(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (!strcmp(texts[i].name, name))
			return texts[i].text;
	return "";
}
