#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ftrace's own buffers out of a vmcore: every event of every instance and of the
# snapshot, with the text of the kernel's trace files; beside our own.
# shellcheck disable=SC2016,SC2317

. "$(dirname "$0")/../lib-ftrace.sh"
. "$(dirname "$0")/../lib.sh"
crashed_beside_recorder
check "trace_printk() was used" grep -q 'print_all: only a text' "$truth/ftrace"
all_as_traced "$core"
check "as many events as in all trace files" counts "$core"

# Both sources in one order, each event with its source.
one_timeline() {
	recovers "$epitaph" report --all --json --source all "$core" >"$out/json" &&
		tail -n +2 "$out/json" | jq -r .ts_ns | sort -nc &&
		grep -q '"channel":"main","event":"sched:sched_switch"' "$out/json" &&
		grep -q '"channel":"ftrace","event":"sched:sched_switch"' "$out/json"
}
check "the recorder's events and ftrace's are one timeline" one_timeline

# What both recorded was recorded at one time: to 3 ms, as exact our anchors are in such a guest.
# They record one after the other, and the host may take the CPU away in between: at a third of a CPU
# it did so in 5 of 82.  Clocks that differ would differ in all, so one in four may be further apart.
at_one_time() {
	for channel in main ftrace; do
		jq -r --arg channel "$channel" 'select(.channel == $channel and .event == "sched:sched_process_fork") |
			"\(.fields.child_pid) \(.ts_ns)"' "$out/json" | sort -k 1,1 >"$out/forks-$channel"
	done
	join "$out/forks-main" "$out/forks-ftrace" |
		awk '{ d = $2 - $3; print d < 0 ? -d : d }' | sort -n |
		awk '{ d[NR] = $1 }
			END { most = d[NR - int(NR / 4)]
				print NR, "in both, 3 of 4 of them", most, "ns apart at most, and all", d[NR]
				exit NR < 20 || most > 3000000 }'
}
check "at the same times" at_one_time

# As the kernel prints enums, flags and all else, so do we of what we recorded.
of_one_text() {
	recovers "$epitaph" report --all --monotonic --source region "$core" >"$out/report" &&
		recovers "$epitaph" report --all --monotonic --source ftrace --channel ftrace "$core" >"$out/report-ftrace" &&
		"$here/ftrace-same" "$out/report" "$out/report-ftrace"
}
check "in the same words" of_one_text

# The report is of the region unless --source asks for the kernel's own trace.
told_of_the_kernel() {
	recovers "$epitaph" info "$core" >"$out/info" && ! grep '^trace ' "$out/info" &&
		recovers "$epitaph" info --source ftrace,log "$core" >"$out/info" &&
		grep '^trace  *CPU 1, channel ftrace:small (clock mono): [1-9]' "$out/info" &&
		grep '^kernel log  *[1-9]' "$out/info"
}
check "info reports the kernel's own trace on request" told_of_the_kernel

# Of CPU 0 a reader has had some events.
rest_is_counted() {
	wanted=$(grep -c '^ .*-[0-9]* *\[000\] ' "$truth/ftrace")
	got=$(sed -n 's/^trace  *CPU 0, channel ftrace (clock [^)]*): \([0-9]*\) event.*/\1/p' "$out/info")
	echo "$got events, $wanted in the trace file"
	[ "$got" = "$wanted" ]
}
check "of a ring that was read in part, info counts what is left" rest_is_counted

# Of these, an event has the address.
texts_in_trace_dat() {
	rm -f "$out/trace.dat"
	recovers "$epitaph" export --to trace.dat --source ftrace -o "$out/trace.dat" "$core" &&
		trace-cmd report -i "$out/trace.dat" >"$out/report" 2>&1 &&
		grep -q 'bputs: *print_all: only a text$' "$out/report" &&
		grep -q 'bprint: *print_all: int -1 2 3 abc' "$out/report" &&
		grep -q 'rcu_utilization: *Start context switch$' "$out/report"
}
check "trace-cmd prints the texts that the dump has" texts_in_trace_dat
# Some pages; long/ftrace-kallsyms.sh has all.
check "and the same whatever page of kallsyms is bad" "$here/kallsyms-pages" "$epitaph" "$core" 200
rm -f "$core" "$out/json" "$out/trace.dat" "$out/report" "$out/report-ftrace"
finish
