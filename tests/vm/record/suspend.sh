#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Suspended to RAM and resumed: marks before and after have the times that CLOCK_MONOTONIC had.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
# /proc/timer_list says in its third line what CLOCK_MONOTONIC is.
leave_mark() {
	now=$(sed -n 's/^now at \([0-9]*\) nsecs/\1/p' /proc/timer_list)
	echo "$1 $now" >/dev/epitaph-mark
}
load_recorder
# The boot behind the reset.
[ ! -e /sys/kernel/epitaph/generations/1 ] || return 0
sleep 1
for i in 1 2 3 4 5 6 7 8 9 10; do
	leave_mark before
	sleep 0.1
done
echo 0 >/sys/module/printk/parameters/console_suspend
echo +8 >/sys/class/rtc/rtc0/wakealarm
leave_mark before
check "is suspended to RAM and resumes" sh -c 'echo mem >/sys/power/state'
for i in 1 2 3 4 5; do
	leave_mark after
	sleep 0.1
done
check "the kernel suspended" kernel_says 'ACPI: PM: Waking up from system sleep state S3'
# The disk's driver is not suspended with the rest.
with_disk
check "what is recorded is saved" epitaph-static snapshot -o /disk/region
sync
# QEMU does not power off once it has been in S3.
die sysrq-b
END
pack_guest "$top/extractor/epitaph-static"

# The time in the text was read a moment before the mark was written, by two processes.
# shellcheck disable=SC2317 # check calls it
times_are_right() {
	"$epitaph" export --to json -o "$out/$1.json" "$saved/$1" || [ $? = 1 ]
	jq -r 'select(.event == "epitaph:mark") | "\(.ts_ns) \(.fields.text)"' "$out/$1.json" >"$out/marks"
	awk '{ late = ($1 - $3) / 1e9; print $2, late; if (late < 0 || late > 0.25) bad++; n++ }
	     END { exit bad || n != 16 }' "$out/marks"
}

# QEMU resets the machine when it wakes up, and loads again the kernel that it put into memory itself.
packed_kernel=yes
warm_boots 2 --allow 'smpboot: CPU 1 is now offline' -- -global ICH9-LPC.disable_s3=0
check "region: times are those of CLOCK_MONOTONIC" times_are_right region
check "the head says for how long it was suspended" \
	sh -c "'$epitaph' report '$saved/region' | grep -E '^# suspended: 1 time, for [5-9]\.[0-9]* s'"
finish
