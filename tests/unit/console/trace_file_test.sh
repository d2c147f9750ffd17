#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The text of the kernel's file "trace": its events are read, or it is refused by name.  The texts are parts
# of what guests of tests/vm/ftrace/long/console-text.sh had.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck source=tests/unit/console/lib-console.sh
. "$here/lib-console.sh"

for name in tgid latency tsc graph; do
	cp "$here/trace-$name.text" "$dir/$name"
done

# events_of FILE: each line that is an event or a part of one, without the process.
events_of() {
	grep -v '^#\|LOST' "$1" | sed -E 's/ \([ 0-9-]{7}\) \[/ [/; s/ +/ /g'
}

as_it_stands() {
	of report --all --monotonic "$1" >printed && events_of "$1" >want && grep -v '^#' printed | sed -E 's/ +/ /g' >got && diff want got
}

with_processes_and_stacks() {
	as_it_stands tgid && says "a trace file of the kernel, 28 events" && says ", 2 CPUs"
}

without_letters() {
	sed -E '/^#/b; s/\[(...)\] .{5} /[\1] /' tgid >bare && of report --all --monotonic bare >printed &&
		says "[000] .....     9.477777: sched_switch: prev_comm=swapper/0" && says " 28 events"
}

lost() {
	of report --json tgid | jq -es 'map(select(.lost?)) | map(select(.event?)) | .[0] | .lost == 78 and .cpu == 0'
}

fields() {
	of report --json tgid >got.json && jq -es 'map(select(.event? == "sched:sched_switch"))[0].fields.prev_state == 32' got.json &&
		jq -es 'map(select(.event? == "console:kernel_stack")) | length == 2' got.json
}

latency_format() {
	of report --all --monotonic latency >printed && says "6.1.0-56-amd64" &&
		sed -nE 's/^ *(.{1,8}-[0-9]+) +([0-9])(.{5}) +([0-9]+)us.: (.*)/\1 [00\2] \3 \4 \5/p' latency >want &&
		grep -v '^#' printed | sed -E 's/^ +//; s/ +/ /g; s/ 0\.0*([0-9]+): / \1 /' >got && [ -s want ] && diff want got
}

other_clocks() {
	sed -E '/^#/b; s/  ([0-9]+\.[0-9]{6}): / 179578522\1: /' tgid >tai && as_it_stands tai
}

# refused FILE WORDS
refused() {
	"$epitaph" report "$1" >printed 2>&1
	[ $? = 4 ] && says "$2"
}

clocks_that_count() {
	refused tsc "a clock that counts (uptime, counter, x86-tsc)" && says 'echo mono >trace_clock"'
}

function_graph() {
	refused graph "a trace of function_graph" && says "or a vmcore"
}

no_events() {
	sed -n '/^#/p' tgid >empty && refused empty "a trace file without events" &&
		sed -E '/^#/b; s/^.*[0-9]: ([a-z<])/\1/' tgid >nocontext && refused nocontext "nocontext-info"
}

of_trace_cmd() {
	printf 'cpus=2\n          <idle>-0     [001]     5.848006: sched_switch:         swapper/1:0 [120] R ==> init:95 [120]\n' >report &&
		refused report 'the text of trace-cmd report' && says '/sys/kernel/tracing/trace, or a vmcore'
}

one_boot() {
	! "$epitaph" report --generation 2 tgid >printed 2>&1 && says "there is no boot 2"
}

other_commands() {
	of explain tgid >printed && says "The kernel did not say how it ended" && of info tgid >printed && says "a trace file of the kernel" &&
		of export --to perfetto -o out.perfetto tgid && of export --to trace.dat -o out.dat tgid && of export --to ctf -o out.ctf tgid
}

standard_input() {
	of report - <tgid >printed && says " 28 events"
}

escaped() {
	sed 's/marker 1 of 1/\x1b[31m/; s/cat-136/c\x1b-136/' tgid >hostile && of report --all hostile >printed &&
		! grep -q "$(printf '\033')" printed
}

cut_anywhere() {
	size=$(wc -c <tgid)
	for n in $(seq 1 97 "$size"); do
		head -c "$n" tgid >short
		"$epitaph" report --all short >printed 2>&1
		[ $? -le 4 ] || { echo "cut at $n"; cat printed; return 1; }
	done
}

# shellcheck disable=SC2154 # lib.sh has dir
cd "$dir" || exit
for name in with_processes_and_stacks without_letters lost fields latency_format other_clocks clocks_that_count function_graph \
	no_events of_trace_cmd one_boot other_commands standard_input escaped cut_anywhere; do
	ok $name $name
done
finish
