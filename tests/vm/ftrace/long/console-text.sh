#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a kernel without the recorder prints on its console: its ftrace buffers, by sysrq-z and by
# ftrace_dump_on_oops, and the tasks that are blocked, by sysrq-w.  The trace files of the guest, which
# were read just before, have the same events.
# shellcheck disable=SC2016,SC2317

VM_DIR=../..
# shellcheck source=tests/vm/lib-ftrace.sh
. "$(dirname "$0")/../../lib-ftrace.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
# shellcheck source=tests/vm/lib-corpus.sh
. "$here/lib-corpus.sh"
build_images

guest <<'END_OF_GUEST'
t=/sys/kernel/tracing
work() {
	for i in 1 2 3; do
		ls -l / >/disk/listing
		(cat /proc/interrupts | wc) >/dev/null
		echo "marker $i of $$: a=1" >$t/trace_marker
		usleep 10000
	done
}
# traced NAME: work, and what the trace file says of it, in /disk/truth.
traced() {
	echo 1 >$t/tracing_on
	work
	echo 0 >$t/tracing_on
	cat $t/trace >/disk/truth/$1
}
with_disk
mkdir -p /disk/truth
echo 0 >$t/tracing_on
echo >$t/trace
echo 60 >$t/buffer_size_kb
for events in sched irq signal task module; do
	echo 1 >$t/events/$events/enable
done
case $boot in
1)
	traced overrun
	echo z >/proc/sysrq-trigger
	echo z >/proc/sysrq-trigger
	echo 'vfs_read vfs_write ext4_file_write_iter' >$t/set_ftrace_filter
	echo function >$t/current_tracer
	echo 0 >$t/events/enable
	echo 1 >$t/events/sched/sched_process_exec/enable
	echo 1 >$t/options/stacktrace
	echo 1 >$t/options/record-tgid
	traced functions
	echo z >/proc/sysrq-trigger
	echo nop >$t/current_tracer
	echo 0 >$t/options/stacktrace
	echo mono >$t/trace_clock
	echo 1 >$t/events/sched/sched_switch/enable
	traced mono
	echo z >/proc/sysrq-trigger
	echo local >$t/trace_clock
	insmod /test/two-mutexes.ko
	usleep 1000000
	echo w >/proc/sysrq-trigger
	echo l >/proc/sysrq-trigger
	usleep 1000000
	echo t >/proc/sysrq-trigger
	echo 4 >$t/buffer_size_kb
	echo 1 >$t/events/sched/enable
	traced panic
	sync
	echo c >/proc/sysrq-trigger
	;;
2)
	echo 1 >$t/events/printk/console/enable
	echo 1 >$t/tracing_on
	work
	sync
	echo c >/proc/sysrq-trigger
	;;
esac
END_OF_GUEST
build_crashes two-mutexes
guest_modules="virtio_pci virtio_blk ext4"
pack_guest "$built/two-mutexes.ko"
append="ftrace_dump_on_oops" warm_boots 3 --allow . --memory 512M

tr -d '\r' <"$out/console.log" >"$out/console.txt"
truth=$saved/truth

# piece N: the text of the Nth dump, and what follows it in that boot.
piece() {
	awk -v n="$1" '/Dumping ftrace buffer:$/ { nr++; is_on = nr == n } / Linux version / { is_on = 0 } is_on' "$out/console.txt"
}

# read_back N NAME: the Nth dump has all events of that trace file, and no others.
read_back() {
	piece "$1" | recovers "$epitaph" report --all --monotonic - | grep -v '] [.]* *[0-9.]*: log: ' >"$out/report" &&
		"$here/ftrace-truth" --cut "$truth/$2" "$out/report"
}
check "sysrq-z of a kernel: events of sched and irq, and of markers" read_back 1 overrun
check "the next one has none: it takes them out of the buffer" grep -q ' (ftrace buffer empty)$' "$out/console.txt"
check "calls, and stacks, with record-tgid" read_back 3 functions
with_module() {
	piece 3 | recovers "$epitaph" report --all --json - | tail -n +2 >"$out/json" &&
		jq -es 'any(.event == "console:function" and .fields.ip == "ext4_file_write_iter" and (.fields.parent_ip | test("write")))' "$out/json"
}
check "of a module as well" with_module
check "another clock" read_back 4 mono
check "a panic's" read_back 5 panic

# The trace files themselves are texts as well.
as_files() {
	for name in overrun functions mono panic; do
		recovers "$epitaph" report --all --monotonic "$truth/$name" >"$out/report" && "$here/ftrace-truth" "$truth/$name" "$out/report" || return
	done
}
check "and the trace files are read as they are" as_files

lost() {
	recovers "$epitaph" report --all --generation 1 --json "$out/console.txt" >"$out/json" &&
		lost=$(sed -n 's/.*CPU:. \[LOST \([0-9]*\) EVENTS\]$/\1/p' "$out/console.txt" | awk '{ n += $1 } END { print n }') &&
		[ "$lost" -gt 0 ] && jq -es --arg lost "$lost" 'map(.lost // 0 | numbers) | add == ($lost | tonumber)' "$out/json"
}
check "what was lost is as many as the kernel says" lost

# A line that is an event as well relates the clocks: the kernel writes both within 2 ms.
related() {
	recovers "$epitaph" report --all --monotonic --generation 2 "$out/console.txt" >"$out/report" &&
		grep -E '(log|console): (\[[ 0-9.]*\] )?sysrq: Trigger a crash' "$out/report" | tee /dev/stderr |
		sed -E 's/.*\] .{5}(.)[^0-9]* ([0-9.]+): .*/\2 \1/' |
		awk '{ t[NR] = $1; unsure += $2 == "~" } END { d = t[2] - t[1]; exit !(NR == 2 && !unsure && d >= 0 && d < 0.002) }'
}
check "events of printk relate its times to those of the log" related

# What was left of a machine that hung, after sysrq-w and sysrq-l.
says_who_is_blocked() {
	sed '/sysrq: Show State/,$d' "$out/console.txt" >"$out/hang.txt"
	recovers "$epitaph" explain --json "$out/hang.txt" >"$out/hang.json"
	for task in watcher configure hotplug; do
		jq -e --arg task "$task" 'any(.evidence[].text; test("^\($task)-[0-9]+ was blocked .*called by \($task)\\(\\) of module two_mutexes$"))' \
			"$out/hang.json" || { jq . "$out/hang.json"; return 1; }
	done
	jq -e '.kind == "hung-task" and .strength == "possible" and (.claim | test("^3 tasks were blocked when sysrq-w"))' "$out/hang.json"
}
check "explain says which tasks sysrq-w listed, and where they wait" says_who_is_blocked

# It crashed later: then that is why, and the list of sysrq-t is found as well.
says_it_beside_the_crash() {
	recovers "$epitaph" explain --generation 1 --json "$out/console.txt" >"$out/crash.json"
	jq -e '.kind == "sysrq-crash" and any(.also[]; test("when sysrq-t was pressed, .*3 tasks were blocked: .*watcher-"))' "$out/crash.json"
}
check "and of a crash that came later it says so beside" says_it_beside_the_crash
finish
