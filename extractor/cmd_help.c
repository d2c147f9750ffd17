// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd_help.h"

#include <string.h>

#include "types.h"

#define WINDOW								\
	"  --last SEC          the last seconds before the crash (0.25 is possible)\n" \
	"  --events N          the last N events\n"			\
	"  --all               all of them\n"				\
	"  --cpu N, --pid N, --comm GLOB, --event GLOB, --channel GLOB\n" \
	"                      only of this CPU, thread, task, event (\"sched:*\"), channel\n" \
	"  --damaged           also what damaged sub-buffers seem to hold\n" \
	"  --source LIST       of whom: epitaph, ftrace\n"

#define GENERATION							\
	"  --generation N      not the newest boot's, but this one (epitaph info has the numbers)\n"

#define COMMON								\
	"  -v, --verbose       say what the file is read with\n"	\
	"  --no-pager          do not start a pager on a terminal\n"	\
	"  --color WHEN        auto, always or never\n"

/* By the name of the command. */
static const struct {
	const char *name;
	const char *text;
} texts[] = {
	{ "report",
	  WINDOW GENERATION
	  "  --monotonic         times of the recorded kernel, not before the crash\n"
	  "  --json              an object a line: docs/json.md\n"
	  COMMON
	  "\nexamples:\n"
	  "  epitaph report --last 0.5 vmcore\n"
	  "  epitaph report --all --cpu 3 --event 'irq:*' /var/lib/epitaph/*/region\n" },
	{ "info",
	  "  --generation N|all  not the newest boot's, but this one, or all\n"
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
	  "  -o OUT              a new file, or a new directory for ctf; - is standard output\n"
	  WINDOW GENERATION COMMON
	  "\nexamples:\n"
	  "  epitaph export --to trace.dat -o trace.dat vmcore && trace-cmd report trace.dat\n"
	  "  epitaph export --to json -o - vmcore | jq -c 'select(.event == \"sched:sched_switch\")'\n" },
	{ "save",
	  "  -o DIR              made if it is not there; DIR/region must not be\n"
	  "  --live              of the recorder that runs, not of a FILE\n"
	  "  --json              what was saved, as an object\n"
	  COMMON
	  "\nexamples:\n"
	  "  epitaph save -o /var/crash/now /proc/vmcore\n"
	  "  makedumpfile -F -d 31 /proc/vmcore | epitaph save -o saved -\n" },
	{ "redact",
	  "  -o OUT              a new file\n"
	  "  --key FILE          16 bytes: the same names as in other copies made with it\n"
	  GENERATION
	  "  --json              what was done, as an object\n"
	  COMMON
	  "\nexamples:\n"
	  "  epitaph redact -o to-send vmcore && epitaph report to-send\n"
	  "  head -c 16 /dev/urandom >key; epitaph redact --key key -o a region.a\n" },
	{ "harvest",
	  "  -o DIR              instead of /var/lib/epitaph\n"
	  "  --force             also what somebody has already\n"
	  "  --json              an object a line\n"
	  "  --device FILE, --sysfs DIR\n"
	  "                      instead of /dev/epitaph, /sys/kernel/epitaph\n"
	  "\nexamples:\n"
	  "  epitaph harvest\n"
	  "  epitaph harvest --force -o /srv/traces --json\n" },
	{ "doctor",
	  "  --json              an array of findings\n"
	  "  --root DIR          look at a machine whose files are below DIR\n"
	  "\nexamples:\n"
	  "  epitaph doctor\n"
	  "  epitaph doctor --json | jq '.[] | select(.verdict != \"ok\")'\n" },
};

const char *cmd_help_text(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (!strcmp(texts[i].name, name))
			return texts[i].text;
	return "";
}
