#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A kernel that goes on after an oops has no crash stamp, and its CPUs record, also after more
# faults in the midst of events than a CPU has levels of events.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-stamp.sh"

guest <<'EOF'
# steer WORD...: a command to the recorder.
steer() {
	exec 3<>/dev/epitaph-control
	echo "$*" >&3
	exec 3>&-
}
on_cpu_0() {
	(taskset 1 sh -c "$1") || true
}
echo 0 >/proc/sys/kernel/panic_on_oops
load_recorder channels=1M
load_victim
(bug process) || true
sleep 1
await_host survived
# Each of them ends between the begin and the end of an event, first in an added channel alone.
steer channel add own 512K victim:peek
steer events '!victim:peek'
for _ in 1 2 3 4 5 6; do
	on_cpu_0 'echo peek >/sys/kernel/debug/victim/bug'
done
# Then in main, and before the event is in a ring.
steer events +victim:peek
for _ in 1 2 3 4 5 6; do
	on_cpu_0 'echo peek >/sys/kernel/debug/victim/bug'
done
steer filter victim:peek 'seen != "nothing"'
for _ in 1 2 3 4 5 6; do
	on_cpu_0 'echo peek >/sys/kernel/debug/victim/bug'
done
on_cpu_0 'echo peek-at-text >/sys/kernel/debug/victim/bug'
on_cpu_0 'echo CPU 0 records >/dev/epitaph-mark'
sleep 1
await_host had faults
EOF
pack_guest
boot --allow 'BUG: kernel NULL pointer dereference' --allow 'Oops: 0' \
	--when "guest: survived=>pmemsave $region_addr 0x1000000 region" \
	--when "guest: survived=>$host_answers" \
	--when "guest: had faults=>pmemsave $region_addr 0x1000000 region-after" \
	--when "guest: had faults=>$host_answers"
check "the guest lives on" guest_ended_well
check "the region can be read" stamp_of "$out/region"
check "there is no stamp" stamp_says '^stamp: none$'
check "no CPU was stopped" stamp_lacks '^cpu '
check "all faults came" [ "$(grep -c 'RIP: 0010:.*peek' "$out/console.log")" -ge 18 ]
recovers "$epitaph" report --all "$out/region-after" >"$out/report"
check "a CPU records after faults within events" sh -c \
	"sed -n '/CPU 0 records/,\$p' '$out/report' | grep -F ' [000] ' | grep -F sched_switch"
check "in each channel that has the event, and by its filter" [ "$(grep -c ' peek: seen=some text' "$out/report")" = 2 ]
echo "# $test_name: not compared with the kernel's own words: it did not die"
finish
