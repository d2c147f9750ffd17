#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Suspended to RAM and resumed: marks before and after have the times that CLOCK_MONOTONIC had.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
load_recorder
# The boot behind the reset.
[ ! -e /sys/kernel/epitaph/generations/1 ] || return 0
sleep 1
for i in 1 2 3 4 5 6 7 8 9 10; do
	mark_of_now before
	sleep 0.1
done
echo 0 >/sys/module/printk/parameters/console_suspend
echo +8 >/sys/class/rtc/rtc0/wakealarm
mark_of_now before
check "is suspended to RAM and resumes" sh -c 'echo mem >/sys/power/state'
for i in 1 2 3 4 5; do
	mark_of_now after
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

# QEMU resets the machine when it wakes up, and loads again the kernel that it put into memory itself.
packed_kernel=yes
warm_boots 2 --allow 'smpboot: CPU 1 is now offline' -- -global ICH9-LPC.disable_s3=0
check "region: times are those of CLOCK_MONOTONIC" marks_have_their_times "$saved/region" 16
# QEMU's CPUs have one clock.  They are measured at load, when CPU 1 comes back, and behind the sleep.
# shellcheck disable=SC2317 # check calls it
measured_as_one() {
	"$epitaph" info --json "$saved/region" | jq -e '[.clock.skew[] | select(.cpu == 1)] |
		length >= 2 and all((.offset_ns | fabs) <= .bound_ns + 1 and .bound_ns > 0)'
}
check "the clocks of the CPUs are measured, and are one" measured_as_one
check "the head says for how long it was suspended" \
	sh -c "'$epitaph' report '$saved/region' | grep -E '^# suspended: 1 time, for [5-9]\.[0-9]* s'"
finish
