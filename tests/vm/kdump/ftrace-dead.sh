#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ftrace has switched itself off, as it does after a fault of its own.  A recorder that comes then says
# that it has no hooks, and goes as it came.  One that was there cannot go: ftrace calls its hooks still,
# up to the end of the kernel, and they do what they did.

# shellcheck disable=SC2317 # check calls it
. "$(dirname "$0")/../lib.sh"

guest <<'END'
is_loaded() {
	grep -q '^epitaph ' /proc/modules
}
says_once() {
	dmesg | grep 'ftrace has switched itself off' >/tmp/says
	cat /tmp/says
	[ "$(wc -l </tmp/says)" = 1 ]
}
if [ "$(param guest.ftrace)" = dead ]; then
	insmod /test/ftrace_end.ko
	load_recorder
	check "without ftrace it is said that there are no hooks" says_once
	check "which" kernel_says 'functions of the kernel cannot be hooked until the machine is booted anew'
	check "it records" grep -qx yes /sys/kernel/epitaph/recording
	check "it is unloaded" rmmod epitaph
	return 0
fi
load_recorder
arm_kdump
insmod /test/ftrace_end.ko
rmmod epitaph &
sleep 2
check "its code stays where ftrace calls it" is_loaded
check "which is said" kernel_says 'still calls the recorder, which stays and records on'
sleep 1
crash
END
ftrace_end=${victim%/*}/ftrace_end.ko
pack_guest "$ftrace_end"
cp "$out/initrd.img" "$out/initrd-2.img"
append=guest.ftrace=dead boot
check "the guest ended well" guest_ended_well
mv "$out/initrd-2.img" "$out/initrd.img"
crash_and_capture --allow 'panic - not syncing: sysrq triggered crash'
# Within the last tenth of a second.
recorded_to_the_end() {
	recovers "$epitaph" report --events 2000 "$saved/region" | grep -E 'T-0\.0[0-9]+: sched_'
}
check "it recorded up to the end" recorded_to_the_end
finish
