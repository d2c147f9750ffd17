#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A kernel lives on behind oopses, one of them in the midst of an event, for HOURS (3) of its own
# time, of which QEMU skips what is idle; then it dies of something else.  The death is that one, marks
# of all those hours have their times, and the CPU of the oopses records.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

cat >"$out/guest.sh" <<END
marks=$((6 * ${HOURS:-3}))
END
cat >>"$out/guest.sh" <<'END'
echo 0 >/proc/sys/kernel/panic_on_oops
load_recorder channels=1M
arm_kdump
load_victim work=0
(bug process) || true
exec 3<>/dev/epitaph-control
echo 'channel add own 512K victim:peek' >&3
exec 3>&-
(taskset 1 sh -c 'echo peek >/sys/kernel/debug/victim/bug') || true
i=0
while [ $i -lt $marks ]; do
	sleep 600
	taskset 1 sh -c 'true'
	mark_of_now "$i"
	i=$((i + 1))
done
echo "guest: up $(cut -d . -f 1 /proc/uptime) s"
crash
END
pack_guest
not_compared='the region has lost the lines of the oopses' crash_and_capture --timeout 1800 --cpus 1 --allow 'panic - not syncing: sysrq triggered crash' \
	--allow 'BUG: kernel NULL pointer dereference' --allow 'Oops: 0' \
	-- -icount shift=0,sleep=off -rtc base=2026-01-01,clock=vm
check "vmcore: cause, place and frames are the kernel's own" says_the_same "$out/console.log" "$saved/vmcore"

# Their lines were overwritten long ago; that they were, and where, is kept.
# shellcheck disable=SC2317 # check calls it
region_says() {
	recovers "$epitaph" report --events 1 "$saved/region" | sed -n '/^# died: /,/^# clock: /p'
	recovers "$epitaph" report --events 1 "$saved/region" | grep -q '^# died: Kernel panic - not syncing: sysrq triggered crash' &&
		[ "$(recovers "$epitaph" report --events 1 "$saved/region" | grep -cE '^# earlier: T-1[0-9]{4}\..* at (dereference_null|epitaph_probe_peek)\+')" = 2 ]
}
check "region: it died of the last one, and has the place of both others" region_says
check "it lived for hours" [ "$(sed -n 's/^guest: up \([0-9]*\) s.*/\1/p' "$out/guest.log")" -ge $((3600 * ${HOURS:-3})) ]
check "both oopses came" [ "$(grep -c 'Oops: 0' "$out/console.log")" = 2 ]
for file in region vmcore; do
	check "$file: the marks of all hours, each at its time" marks_have_their_times "$saved/$file" $((6 * ${HOURS:-3}))
done
check "CPU 0 recorded to the end" sh -c "'$epitaph' report --last 660 '$saved/region' | grep -F ' [000] ' | grep -F sched_switch"
check "region: no damage" no_damage "$saved/region"
finish
