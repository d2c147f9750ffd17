#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ftrace's clock "local" where the kernel does not trust the TSC, from the boot on, or from a moment on:
# each text has the time that CLOCK_MONOTONIC had when it was written, on each CPU.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
t=/sys/kernel/tracing
mount -t tracefs tracefs $t 2>/dev/null || :
insmod /test/provoker.ko
# Where it is unstable from the boot on, ftrace takes "global" by itself.
echo local >$t/trace_clock
echo 1 >$t/events/sched/sched_switch/enable
texts() {
	for cpu in 1 2; do
		for i in 1 2 3 4 5; do
			taskset $cpu sh -c 'sed -n "s/^now at \([0-9]*\) nsecs/\1 '"$1"'/p" /proc/timer_list >/sys/kernel/tracing/trace_marker'
			sleep 0.1
		done
	done
}
texts before
[ "$(param guest.provoke)" != yes ] || echo 1 >/sys/kernel/debug/provoker/tsc
sleep 2
texts behind
arm_kdump
crash
END
not_compared="nothing records in this guest"
recorder=/none
for when in boot later; do
	pack_guest "${victim%/*}/provoker.ko"
	if [ $when = boot ]; then
		clock=tsc=unstable
	else
		clock='' append=guest.provoke=yes
	fi
	crash_and_capture --allow 'panic - not syncing: sysrq triggered crash' \
		--allow 'capture: ERROR no trace saved'
	rm -f "$out/json"
	recovers "$epitaph" export --source ftrace --to json -o "$out/json" "$saved/vmcore" >"$out/said" 2>&1
	jq -r 'select(.event == "ftrace:print") | "\(.cpu) \(.ts_ns) \(.fields.buf)"' "$out/json" >"$out/texts"
	# shellcheck disable=SC2016 # awk expands these
	check "$when: 20 texts, each at its time" awk '{ late = ($2 - $3) / 1e9; print; print late " s late" }
		late < -0.01 || late > 0.25 { bad++ }
		END { print NR " texts"; exit bad || NR != 20 }' "$out/texts"
done
finish
