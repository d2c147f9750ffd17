// SPDX-License-Identifier: GPL-2.0-or-later
#include "description.h"

#include <stddef.h>
#include <string.h>

#include "base/types.h"

static const struct {
	const char *command;
	const char *text;
} descriptions[] = {
	{ "report",
	  "Prints the events of a dump in the order of time, newest last. A line has the format of the "
	  "kernel's own trace file: comm-pid, CPU in brackets, flags, time, event and its fields.\n\n"
	  "Lines that begin with # are no events. The head says which kernel this was, when and why it "
	  "died, how exact the times are, from when on the events of each CPU are complete, and which "
	  "events are shown. The reason is given in the kernel's own words: its BUG, oops, warning or "
	  "panic with the place, blocked tasks, stalled CPUs, and what it had survived before. A vmcore "
	  "has the kernel's log for this; a region has the lines of the console. Marks, losses and the "
	  "crash have lines at their times. The end of the report lists what each CPU was doing.\n\n"
	  "Lines that the kernel logged before recording began are events called `log`. Their CPU and "
	  "task are unknown (`[---]`).\n\n"
	  "A vmcore holds more than the recorder's region. `--source` chooses from the region, the "
	  "kernel's own trace buffers (`ftrace`) and the kernel's log (`log`). Neither debuginfo nor a "
	  "kernel image is needed for them. A line of the log that the region has as well is printed "
	  "once.\n\n"
	  "Times are seconds before (T-) or after (T+) the crash. If the time of the crash is not known, "
	  "they are seconds before the last event, and the head says so. With `--monotonic` they are "
	  "the recorded kernel's CLOCK_MONOTONIC.\n\n"
	  "Events of the kernel's own trace have its flags. The recorder does not keep them: its events "
	  "have dots there, unless epitaph-context(1) added them. Behind the flags there may be a "
	  "mark:\n\n"
	  "~ | the clocks cannot tell the order to an event of another CPU\n"
	  "u | no checksum covers this event yet, because its writer was stopped\n"
	  "? | the event comes from a damaged sub-buffer (`--damaged`)\n\n"
	  "If no event matches the options, stderr says which of them matches none, and what would." },
	{ "info",
	  "Lists what is in a dump: the file and its format, the kernel, the generations and what became "
	  "of them, the clock and its error bound, the sections, and for each ring how much it holds, "
	  "from when on it is complete and what was lost. It also says where the memory of the region "
	  "came from, whether it survives a reset, and how long after the kernel's start recording "
	  "began.\n\n"
	  "For a vmcore without a region it lists the format and makedumpfile's dump level, the kernel, "
	  "where and how it died, its clock, symbols, modules and log, each ring of its own trace with "
	  "what is lost of it, what is missing, and what can be done with the file. `--source "
	  "ftrace,log` asks for that although there is a region." },
	{ "check",
	  "Prints one line for each damage, and nothing else. For a vmcore without a region it checks "
	  "the kernel's own log and trace, and what leads to them. Exit status 0 means that nothing is "
	  "damaged." },
	{ "mce",
	  "Prints a block for each machine check: when it was, its bank and CPU, its severity, what "
	  "failed, what the address means, the processor, who reported it, and the registers. The words "
	  "are made from the registers; an unknown code is printed as its number. An error that the "
	  "kernel reported, printed and left in the registers is printed once, with all its sources. "
	  "The recorder keeps the first and the last machine checks; the ones between them are counted. "
	  "More than four are summed up first.\n\n"
	  "For a vmcore without a region they come from the kernel's log and from `mce:mce_record` of "
	  "its own trace. Errors of other hardware (`ras:*`) follow as events.\n\n"
	  "\"no machine checks recorded\" is an answer: the exit status is 0. In a report machine checks "
	  "are events `mce`, which `--event` knows as `epitaph:machine_check`." },
	{ "export",
	  "Writes events in the format of another program:\n\n"
	  "html | one page with a lane for each CPU, a table and search; any browser shows it, offline\n"
	  "perfetto | for ui.perfetto.dev and trace processor\n"
	  "trace.dat | for trace-cmd(1) and KernelShark\n"
	  "ctf | a directory, for babeltrace2(1) and Trace Compass\n"
	  "json | an object a line; docs/json.md has the keys\n\n"
	  "OUT must not exist. It is created for its owner to read. Only html, perfetto and json can be "
	  "written to standard output. What a format cannot express is counted on stderr." },
	{ "save",
	  "Copies the region as it is in the dump to DIR/region. The file is written under a temporary "
	  "name with mode 0400, synced, and renamed. Bytes that are missing in the dump are zeroes in "
	  "the copy, and counted. With `--live` the source is /dev/epitaph, the region of the running "
	  "recorder." },
	{ "redact",
	  "Copies one generation, by default the newest, to OUT. Task names, pids, addresses, texts and "
	  "whatever else identifies the machine get other names. Times, order, losses and kinds of "
	  "events stay. The same name becomes the same other name, also in other copies that are made "
	  "with the same `--key`. What cannot be classified is left out and counted, and the exit status "
	  "is 1." },
	{ "capture",
	  "Runs in the capture kernel of kdump; the hooks of the packages call it. It copies the region "
	  "of FILE into a new directory DIR/epitaph-BOOT-TIME. When the region is on disk it adds "
	  "vmcore-trace.txt, vmcore-trace.jsonl and, if there are machine checks, vmcore-mce.txt. It "
	  "leaves these texts out if they might take the room that the vmcore needs. If an earlier hook "
	  "has saved the region, it only adds what is missing.\n\n"
	  "Then it removes old captures of DIR beyond `--keep` and `--keep-size`. "
	  "epitaph-config(5) has the defaults." },
	{ "harvest",
	  "Saves each generation of an earlier boot that is not saved yet, crashed ones first, into a "
	  "directory DIR/BOOT-TIME of its own: `region`, `trace.txt`, `mce.txt` if there are machine "
	  "checks, and `dmesg.txt` if pstore stored something. When all of it is on disk, it marks the "
	  "generation as harvested: a later boot may use that memory again. It needs the loaded "
	  "recorder, and neither pstore nor kdump.\n\n"
	  "Then it removes old captures of DIR beyond `--keep` and `--keep-size`. "
	  "epitaph-config(5) has the defaults." },
	{ "send",
	  "Sends each capture that `capture` or `harvest` saved and that is not marked as sent, as one "
	  "file: a tar archive with a manifest, compressed by zstd, whose name comes from its content. "
	  "Sending twice makes the same file. After the success answer of the target a file `sent` "
	  "beside the capture marks it. A failed attempt is repeated until `--within` is over. "
	  "/etc/epitaph/send.conf can hold all options; see epitaph-config(5).\n\n"
	  "A file with a secret (`--token`, `--s3-keys`, `--cert-key`) that others can read is refused. "
	  "`http://` is for a TLS tunnel on this machine alone. No redirect is followed." },
	{ "setup",
	  "Proposes memory for the recorder, with the reasons: how much by the size of the RAM, and where "
	  "by /proc/iomem. With `--write` it makes /etc/default/grub.d/epitaph.cfg and runs update-grub; "
	  "the next boot has the memory reserved. `--remove` undoes that. Without a GRUB that reads such "
	  "files it prints what to do by hand. It needs root. Exit status 4: this machine cannot be set "
	  "up, and stderr says why." },
	{ "doctor",
	  "Checks whether a crash of this machine now would leave a trace, and says what to do if not. It "
	  "checks that the recorder is loaded and will be loaded by the next kernel, that its memory "
	  "stays in place, survives a reset and is part of every dump, that a capture kernel is loaded, "
	  "is large enough and has the hook, that no earlier generation still waits to be saved, and "
	  "that there is room for the next one.\n\n"
	  "A finding is a line with its verdict: `ok`, `warning` (one way out less) or `failure`. The "
	  "summary is on stderr. It changes nothing and needs root. Exit status 1: at least one check "
	  "failed." },
	{ "test-crash",
	  "Crashes this machine by sysrq-c, after the machine's name was typed (or with `--yes`). With "
	  "`--warm` the capture kernel is unloaded first, and the machine restarts by itself. It refuses "
	  "if epitaph-doctor(1) finds a failure, unless `--force` is given.\n\n"
	  "After the reboot, `--verify` says for capture, vmcore and harvest whether the trace of that "
	  "crash is there, and how many seconds after the crash it was saved. Exit status 1: something "
	  "is missing." },
	{ "status",
	  "Shows the state of this machine's recorder: since when it records and into which generation, "
	  "its region, how many seconds every CPU's ring reaches back now (the horizon), events a "
	  "second, events that were dropped and why, and the kept generations of earlier boots. It needs "
	  "root.\n\n"
	  "With `--notify` it runs on and reports to systemd; epitaph.service uses that, and `systemctl "
	  "status epitaph` shows it. Exit status 4: nothing is recorded, and stderr says what to do." },
	{ "live",
	  "Prints what the running recorder records, from now on or from `--last` on: as text with times "
	  "of CLOCK_MONOTONIC, as JSON lines, or as a growing CTF trace. Events are in the order of time "
	  "over all CPUs, some ms after they happened. Recording is not slowed down. If this command "
	  "reads too slowly, it prints how much was overwritten (`[LAPPED]`). At the end stderr says how "
	  "many events there were and what is missing." },
	{ "mark",
	  "Leaves TEXT in what is being recorded, with the time, the task and the user. Every user may do "
	  "so: 32 KiB at once, then 16 KiB a second. Marks are events `epitaph:mark` of channel `user`. "
	  "They overwrite older marks, never an event of the kernel. A program can write to "
	  "/dev/epitaph-mark itself (one write, one mark), or include epitaph-mark.h." },
	{ "events",
	  "Lists the events and their states, or changes which events are recorded. A word that matches "
	  "no event is refused, and the answer names the nearest event. It needs root. Exit status 2: the "
	  "recorder did not understand." },
	{ "channel",
	  "Channels are sets of rings beside the main one, each with its own events and size. Their "
	  "memory is a pool that the recorder set aside when it was loaded. A channel in mode `stop` "
	  "ends when it is full, and later events are counted. A removed channel is gone with its "
	  "content. An event in two channels appears twice in a report; `--channel` chooses one." },
	{ "filter",
	  "Records an event only if EXPRESSION is true of its fields, from now on. The kernel parses the "
	  "expression and says what is wrong with it. The fields are those of the event and `common_pid`. "
	  "If the event's module is not loaded, the filter waits for it. A report names the events that "
	  "were filtered." },
	{ "context",
	  "Adds fields to events. They are called `context_NAME` in every export. With `irq` and "
	  "`preempt` the flags column of a report is filled as ftrace fills it. Events with context take "
	  "more room and time, so none have it by default." },
	{ "trigger",
	  "Stops or copies a channel when an event happens, so that its history stays. The event must be "
	  "enabled; a filter that rejects it does not matter. A trigger stays armed: two problems make "
	  "two copies. A trigger that has stopped its channel, or found no memory for another copy, is "
	  "`spent`." },
	{ "snapshot",
	  "Copies the newest events of a channel while recording goes on. Without `-o` the copy is a new "
	  "channel in memory. With `-o` it is a file that every command reads. Sub-buffers that were "
	  "overwritten during the copy are counted. Exit status 1: a whole ring was overwritten, or an "
	  "event was not committed within a second." },
	{ "bridge",
	  "Records what is enabled in ftrace's instance `epitaph`, which it creates if needed. Other "
	  "instances are not recorded, but trace_printk() of all is." },
	{ "stop",
	  "Removes the probes of all events. The report shows a mark at that time." },
	{ "start",
	  "Adds the probes of all chosen events again. The report shows a mark at that time." },
};

const char *description_of(const char *command)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(descriptions); i++)
		if (!strcmp(descriptions[i].command, command))
			return descriptions[i].text;
	return NULL;
}

const struct description_section description_main[] = {
	{ "DESCRIPTION",
	  "The recorder, the kernel module epitaph.ko, keeps trace events and machine checks in reserved "
	  "memory that survives a panic or a warm reboot. This command finds them in what a kernel left "
	  "and prints them as one account in the order of time. It needs neither a kernel image nor "
	  "debuginfo.\n\n"
	  "FILE is a vmcore (ELF, or compressed by makedumpfile(8), flattened or not; all parts of a "
	  "split one), /proc/vmcore, a saved region, or a directory of the records that epitaph_pstore "
	  "shows (/sys/fs/pstore, or where systemd-pstore moved them). Its content decides which of these "
	  "it is, not its name. `-` is standard input.\n\n"
	  "A region holds what several boots left: its generations. Commands read the newest one unless "
	  "`--generation` chooses another.\n\n"
	  "Damaged, lost, unfinished and uncertain events are shown as such, and everything else is "
	  "recovered. No event is ever invented." },
	{ "IN CRASH(8)",
	  "The extension epitaph.so adds `report`, `info` and `mce` to a session of crash(8). They read "
	  "the memory of the session:\n\n"
	  "    crash> extend epitaph.so\n"
	  "    crash> epitaph report --last 0.1\n"
	  "    crash> epitaph mce | less\n" },
	{ "EXIT STATUS",
	  "0 | Whole. Old events that were overwritten and writers that the crash interrupted are normal "
	  "for a flight recorder.\n"
	  "1 | Recovered, with damage or with lost events; stderr and the head of the report say which.\n"
	  "2 | Wrong usage.\n"
	  "3 | A system call failed.\n"
	  "4 | Nothing to read: no region, and no kernel whose log or trace could be read. For `save` and "
	  "`redact`, and with `--generation`: no region.\n"
	  "5 | Damaged beyond recovery; stderr says what was found where. Or the process that read the "
	  "file died.\n\n"
	  "With several files the highest status counts." },
	{ "ENVIRONMENT",
	  "EPITAPH_PAGER, PAGER | The pager, a command of the shell; the first one that is set. Default: "
	  "less(1) with LESS=FRX. `cat` or an empty value: none.\n"
	  "NO_COLOR | If set: no colours, unless `--color=always`.\n"
	  "TERM | If missing or `dumb`: no colours, no pager, no progress.\n"
	  "TMPDIR | Where input that cannot seek is copied to. Default: /var/tmp.\n"
	  "DEBUGINFOD_URLS | Servers for `--debuginfod`." },
	{ "NOTES",
	  "A process that can open, start and connect to nothing reads the file; it has at most 248 MiB "
	  "of memory. Nothing is read from the current directory or the running kernel unless it is "
	  "named.\n\n"
	  "Texts of a file (task names, reasons, marks) may hold anything. Control characters, bidi "
	  "controls and bytes that are not UTF-8 are printed as \\xHH.\n\n"
	  "At most 524288 sub-buffers and 4096 rings are read; more are counted as not read." },
	{ NULL, NULL }
};
