// SPDX-License-Identifier: GPL-2.0-or-later
#include "help.h"

#include <stddef.h>

char *crash_help[] = {
	"epitaph",
	"last events and machine checks of the flight recorder",
	CRASH_SYNOPSIS,
	"  This command reads what the Epitaph flight recorder left in the memory of",
	"  the session, and prints it as the epitaph(1) program does of a file:\n",
	"    explain why the kernel died, with the evidence",
	"    report  the last events in the order of time, the newest last",
	"    info    what there is: kernel, generations, rings, clock, loss",
	"    mce     machine checks, in words\n",
	"  Options of report:\n",
	"    --last SEC     the last SEC seconds; the default is the last 5 s, or 200 events",
	"    --events N     the last N events",
	"    --all          all of them",
	"    --cpu N        of one CPU",
	"    --pid N        of one task",
	"    --comm GLOB    of tasks with such a name",
	"    --event GLOB   such events, as \"sched:*\"",
	"    --damaged      also what does not check",
	"    --monotonic    CLOCK_MONOTONIC and not seconds before the crash\n",
	"  Options of all:\n",
	"    --generation N an earlier boot; \"info --generation all\" tells them all",
	"    --json         for other programs; also \"mce --raw\"",
	"    -v             say in what the reader is locked in\n",
	"  With a FILE, the command reads it instead of the session's dump.",
	"\nEXAMPLES",
	"  The last tenth of a second, on the CPU that crashed:\n",
	"    %s> epitaph report --last 0.1 --cpu 1\n",
	"  All events, into a file:\n",
	"    %s> epitaph report --all > trace.txt",
	NULL
};
