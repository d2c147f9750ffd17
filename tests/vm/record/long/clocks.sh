#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each clock that can be chosen: marks have the times that CLOCK_MONOTONIC had and the time of day that
# it was, although that is set and gets a leap second in the middle.  What is no clock here is refused.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
with_disk
insmod /test/provoker.ko
# mark: CLOCK_MONOTONIC and the time of day
mark() {
	mark_of_now "day $(date +%s)"
}
# Read once, they are read fast.
sed p /proc/timer_list >/tmp/timers
for clock in tsc local mono boot tai; do
	load_recorder clock=$clock
	sleep 1.1
	mark
	mark
	[ "$clock" != mono ] || check "a leap second is inserted" leap
	sleep 1.1
	then=$(date +%s)
	mark
	date -s "@$((then + 86400))" >/dev/null
	sleep 2.2
	mark
	sleep 1.1
	mark
	check "$clock: what is recorded is saved" epitaph-static snapshot -o "/disk/$clock"
	rmmod epitaph
done
refuses "a clock that is none" 'clock=hpet: no such clock; this machine has: tsc, local, mono, boot, tai' clock=hpet
echo 1 >/sys/kernel/debug/provoker/tsc
refuses "an unstable TSC" 'clock=tsc: the kernel finds the TSC unstable.*; this machine has: local, mono, boot, tai$' clock=tsc
load_recorder
check "without the parameter it is the kernel's clock then" sh -c \
	'epitaph-static snapshot -o /disk/none && epitaph-static info /disk/none | grep trace_clock_local'
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -o "$out/leap" "$here/leap.c"
pack_guest "$out/leap" "${victim%/*}/provoker.ko" "$top/extractor/epitaph-static"
make_disk 256M
boot --disk "$out/disk.img"
check "the guest lives on" guest_ended_well
take_all_of_disk

name_of() {
	case $1 in
	tsc) echo TSC ;;
	local) echo trace_clock_local ;;
	mono) echo CLOCK_MONOTONIC ;;
	boot) echo CLOCK_BOOTTIME ;;
	tai) echo CLOCK_TAI ;;
	esac
}

# has_time_of_day REGION: each mark has the time of day that its text has, by its second.
# shellcheck disable=SC2317 # check calls it
has_time_of_day() {
	recovers "$epitaph" export --to json -o - "$1" >"$out/days.json" || return
	jq -r 'select(.event == "epitaph:mark") | "\(.wall_ns) \(.fields.text)"' "$out/days.json" >"$out/days"
	awk '{ late = $1 / 1e9 - $4; print; print late " s late" }
		late < -0.05 || late > 1.3 { bad++ }
		END { exit bad || NR != 5 }' "$out/days"
}

# A clock that is wrong is so by more.
mark_limit=1
for clock in tsc local mono boot tai; do
	check "$clock: info says it" sh -c "'$epitaph' info --json '$saved/$clock' | jq -e '.clock.name == \"$(name_of $clock)\"'"
	check "$clock: marks have the times of CLOCK_MONOTONIC" marks_have_their_times "$saved/$clock" 5
	check "$clock: marks have the time of day" has_time_of_day "$saved/$clock"
	check "$clock: no damage" no_damage "$saved/$clock"
done
finish
