#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # claims are called by name
#
# What a running recorder does on another machine, in one boot: the guest steers it by its devices and
# its files alone, as that machine's tool is not there, and what it then has in memory is read here.
# Each claim begins with the feature that it is of; tests/matrix/rows has them.

VM_DIR=../..
KERNEL=${KERNEL_OF_MACHINE:-6.12-arm64}
# shellcheck source=tests/vm/lib-arch.sh
. "$(dirname "$0")/../../lib-arch.sh"
build_images
build_recorder
build_victim
region_arg=${region_of_machine:-reserve_mem=16M:4096:epitaph}
# What the recorder advises to boot with here.
advice=${advice_of_machine:-reserve_mem=16M:4096:epitaph}
# Functions that this kernel has not: Debian's of s390x has no kexec.
no_function=none
[ "$system" != s390x ] || {
	guest_modules="$guest_modules zlib_deflate"
	no_function='machine_crash_shutdown|crash_save_cpu'
}

{
	echo "advice='$advice' no_function='$no_function'"
	cat <<'END_OF_GUEST'
t=/sys/kernel/tracing

# ask WORD...: a command for the recorder, and its answer.
ask() {
	exec 3<>/dev/epitaph-control
	echo "$*" >&3 2>/dev/null || true
	cat <&3
	exec 3>&-
}
# answers TEXT WORD...: the answer to that command has TEXT.
answers() {
	wanted=$1
	shift
	ask "$@" >/tmp/answer
	grep -e "$wanted" /tmp/answer || { cat /tmp/answer; return 1; }
}
work() {
	for _ in $(seq "$1"); do
		taskset 1 sh -c 'cat /proc/uptime | wc' >/dev/null
		taskset 2 sh -c 'cat /proc/uptime | wc' >/dev/null
	done
}

with_disk
for where in "addr=0x4000000000 size=16M" "addr=0x45000000 size=16M"; do
	# shellcheck disable=SC2086 # words
	refuses "refused: $where" "boot with $advice" $where
done
refuses "refused: size=much" 'size=much is not a number' addr=0x40000000 size=much
refuses "refused: an event that is none" 'schedd' $(param guest.recorder) events='schedd:*'
refuses "refused: more in one piece than there is" 'at most [0-9]*K in one piece; for more, boot with' pages=1024M
# shellcheck disable=SC2046 # words
load_recorder $(param guest.recorder) bridge=1
dmesg | grep 'epitaph: ' || true
check "records: it says so" kernel_says 'epitaph: recording into '
check "records: into memory of the kind that was given" grep -qE '(reserve_mem|pages)$' /sys/kernel/epitaph/region
check "missing: the log names it" kernel_says 'epitaph: not recorded on this architecture: machine checks'
check "missing: so does sysfs" grep -q '^machine checks' /sys/kernel/epitaph/missing
no_hook() {
	dmesg | grep 'no hook on' | grep -vE "no hook on ($no_function) "
}
check "hooks: each function that this kernel has is hooked" refused no_hook
work 2

check "marks: a shell leaves one" sh -c 'echo "from a shell" >/dev/epitaph-mark'
check "marks: a NUL byte is none" refused sh -c 'printf "a\0b\n" >/dev/epitaph-mark'
check "control: events are listed" answers 'event sched:sched_switch on' events
check "control: a word that is none is refused" answers 'sched_switch' events sched:sched_swich
check "control: events are taken away" answers 'events [0-9]* on' events '!timer:*'
check "control: and are off" answers 'event timer:timer_start off' events
work 2
check "control: and added" answers 'events [0-9]* on' events '+timer:*'
check "control: stopped" answers 'recording no' stop
check "control: started" answers 'recording yes' start
check "filter: one is taken" answers 'sched:sched_waking on ' filter sched:sched_waking 'pid == 1'
check "filter: a field that is none is refused" answers "pid" filter sched:sched_waking 'pidd == 1'
work 2
check "filter: it is taken away" refused answers 'sched:sched_waking on' filter sched:sched_waking 0
check "context: words are taken" answers 'sched:sched_wakeup' context 'sched:sched_wakeup' irq,preempt
work 2
check "channels: one is added" answers 'channel forks overwrite records' channel add forks 256K 'sched:sched_process_*'
check "channels: one without room is refused" answers 'free' channel add large 512M 'sched:*'
work 2
check "trigger: one is armed" answers 'armed' trigger sched:sched_process_exit stop forks after 3
work 3
usleep 500000
check "trigger: it has stopped the channel" answers 'channel forks overwrite stopped' channel
check "snapshot: one is made" answers 'copy main@1' snapshot main 128K
check "snapshot: it is there" answers 'channel main@1 copy kept' channel

i=$t/instances/epitaph
echo 'p:opened do_sys_openat2' >>$t/kprobe_events
echo 1 >$i/events/kprobes/opened/enable
work 3
echo "a line of the marker" >$i/trace_marker
echo 0 >$i/tracing_on
grep -c ' opened: ' $i/trace >/disk/opened
echo 0 >$i/events/kprobes/opened/enable
check "bridge: the kernel itself has events of it" [ "$(cat /disk/opened)" -gt 5 ]

check "module events: the victim's are registered" load_victim
usleep 300000
check "module events: they are on" answers 'event victim:seq on' events
rmmod victim
check "sysrq-z: the last events are printed" sh -c 'echo z >/proc/sysrq-trigger; dmesg | grep -q "last events of"'
check "sysrq-z: with names" kernel_says ': sched_switch: '
cat /dev/epitaph >/disk/region
sync
check "reload: it is unloaded" rmmod epitaph
# shellcheck disable=SC2046 # words
check "reload: and loaded again" load_recorder $(param guest.recorder)
check "sysfs: this boot's generation has a number" grep -qE '^[1-9][0-9]*$' /sys/kernel/epitaph/current
check "kernel: nothing of all this made it complain" refused kernel_says 'WARNING: \|BUG: '
END_OF_GUEST
} | guest
pack_guest
make_disk 128M
boot --system "$system" --machine "$machine" --cpu "$cpu" --memory "$memory" --disk "$out/disk.img" --timeout 400
take_all_of_disk
check "kernel: the guest's script came to its end" guest_ended_well
recovers "$epitaph" report --all --monotonic "$saved/region" >"$out/report" 2>"$out/said" || true
recovers "$epitaph" export --to json -o "$out/json" "$saved/region" 2>>"$out/said" || true

undamaged() {
	recovers "$epitaph" check "$saved/region" >"$out/checked" 2>&1
	cat "$out/checked"
	! grep -vE 'events? (was|were) lost' "$out/checked"
}

# has FILTER: an event of the export for which jq's FILTER holds.
has() {
	jq -c "select(.event) | select($1)" "$out/json" >"$out/found" && [ -s "$out/found" ]
}

has_marks() {
	for mark; do
		grep "^# .* $mark" "$out/report" || { echo "lacks: $mark"; return 1; }
	done
}

opened_come_over() {
	ours=$(grep -c ' opened: ' "$out/report")
	echo "$ours here, $(cat "$saved/opened") in the trace file"
	[ "$ours" = "$(cat "$saved/opened")" ]
}

check "records: what is read of it is undamaged" undamaged
check "records: events of both CPUs" has '.cpu == 1 and .event == "sched:sched_switch"'
check "marks: it is in the timeline" has '.event == "epitaph:mark" and .fields.text == "from a shell"'
check "control: stop and start are in the timeline" has_marks 'mark: stop' 'mark: start'
check "filter: when it held is in the timeline" has_marks 'mark: filter .*sched:sched_waking pid == 1' 'mark: filter .*sched:sched_waking 0'
check "context: an event says it" grep -qE 'sched_wakeup: .*preempt' "$out/report"
check "channels: it has events of its own" has '.channel == "forks"'
check "snapshot: the copy is a channel" grep -q 'main@1' "$out/report"
check "bridge: each event came over" opened_come_over
check "bridge: so did the marker" grep -q 'a line of the marker' "$out/report"
check "module events: they are read" has '.event == "victim:seq"'
finish
