#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The function graph tracer's events, as its trace file draws them: calls, their depth, and
# how long they took; and clocks that ftrace.sh has not.
# shellcheck disable=SC2016,SC2317 # check calls them

VM_DIR=../..
# shellcheck source=tests/vm/lib-ftrace.sh
. "$(dirname "$0")/../../lib-ftrace.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
region_arg=""
core=$out/core

guest <<'END_OF_GUEST'
with_disk
t=/sys/kernel/tracing
work() {
	for i in 1 2 3 4 5; do
		ls -l / >/tmp/listing
		(cat /proc/interrupts | wc) >/dev/null
	done
}
echo 0 >$t/tracing_on
echo 2000 >$t/buffer_size_kb
echo 'vfs_*' >$t/set_graph_function
echo function_graph >$t/current_tracer
for clock in mono_raw counter uptime x86-tsc perf; do
	mkdir $t/instances/$clock
	echo $clock >$t/instances/$clock/trace_clock
	echo 1 >$t/instances/$clock/events/sched/sched_switch/enable
done
echo 1 >$t/tracing_on
work
for dir in $t $t/instances/*; do
	echo 0 >"$dir/tracing_on"
done
mkdir /disk/truth
cat $t/trace >/disk/truth/ftrace
for dir in $t/instances/*; do
	cat "$dir/trace" >"/disk/truth/ftrace:${dir##*/}"
done
sync
umount /disk
echo "guest: its buffers are full"
sleep 60
END_OF_GUEST
guest_modules="virtio_pci virtio_blk ext4 qemu_fw_cfg"
make_disk 64M
pack_guest
boot --memory 384M --disk "$out/disk.img" \
	--when "guest: its buffers are full=>dump-guest-memory -z $core; quit" -- -device vmcoreinfo
take_truth

# Of each CPU, what the tracer drew; not its rules, arrows at interrupts and remarks on other events.
drawn() {
	sed -n 's/^ *\([0-9]*\)) \(.*|  .*\)$/\1 \2/p' "$truth/ftrace" |
		grep -v -e '==========' -e '/\* .* \*/$' | sort -s -n -k 1,1
}

ours() {
	recovers "$epitaph" report --all --source ftrace --channel ftrace "$core" >"$out/report" &&
		sed -n 's/^.* \[0*\([0-9][0-9]*\)\] .....[?~]* *T[-+][0-9.]*: \(.*|  .*\)$/\1 \2/p' "$out/report" |
		grep -v '/\* .* \*/$' | sort -s -n -k 1,1
}

same_graph() {
	drawn >"$out/drawn"
	ours >"$out/ours"
	wc -l <"$out/drawn"
	[ "$(wc -l <"$out/drawn")" -gt 1000 ] && diff "$out/drawn" "$out/ours"
}

check "calls, depths and durations are as the tracer drew them" same_graph
check "every event by mono_raw" as_traced "$core" "$truth/ftrace:mono_raw"
check "every event by perf" as_traced "$core" "$truth/ftrace:perf"

# The trace file has ticks, and we have what time that was.
same_texts() {
	recovers "$epitaph" report --all --source ftrace --channel ftrace:x86-tsc "$core" >"$out/report" &&
		sed -n 's/^ *\(.*\] .....\)[~]* .*: \(sched_switch:.*\)/\1 \2/p' "$truth/ftrace:x86-tsc" >"$out/drawn" &&
		sed -n 's/^ *\(.*\] .....\)[~]* .*: \(sched_switch:.*\)/\1 \2/p' "$out/report" | diff "$out/drawn" - &&
		[ -s "$out/drawn" ]
}

check "every event by x86-tsc, in its order" same_texts

# The numbers of a clock that is none are those of the trace file.
same_counts() {
	recovers "$epitaph" report --all --source ftrace --channel "ftrace:$1" "$core" >"$out/report" || return 1
	sed -n 's/.*\] [^ ]* *\([0-9]*\): sched_switch.*/\1/p' "$truth/ftrace:$1" | sort -n >"$out/drawn"
	sed -n 's/.*\] [^ ]* *\([0-9]*\): sched_switch.*/\1/p' "$out/report" | sort -n | cmp - "$out/drawn" && [ -s "$out/drawn" ]
}

check "counts of the clock counter are given as they are" same_counts counter
check "and the report says that they have no place among other events" \
	sh -c '"$1" report --source ftrace "$2" | grep "ftrace:counter: .* no place"' - "$epitaph" "$core"

# Beside what a guest of it recorded, neither: that is refused.
not_beside_a_guest() {
	"$here/../golden/mkregion" "$here/../golden/guest-of-a-host.region" "$out/guest" || return
	result=0
	"$epitaph" report --channel ftrace:counter --with guest="$out/guest" "$core" >"$out/report" 2>"$out/why" || result=$?
	cat "$out/why"
	[ "$result" = 2 ] && grep 'ftrace:counter has a clock of its own.*leave out --with' "$out/why"
}

check "a guest has no place beside a buffer with a clock of its own" not_beside_a_guest
rm -f "$core"
finish
