#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The region of a live machine, out of /proc/kcore: where it is plain memory; and
# in words where the kernel shows it in /dev/epitaph only.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
extract() {
	/test/epitaph-static "$@"
	result=$?
	[ "$result" -le "${at_most:-1}" ]
}
found_there() {
	extract info /proc/kcore >/tmp/info && grep "ELF core of a live kernel" /tmp/info &&
		grep "region .*4 MiB" /tmp/info
}
victims_events() {
	extract report --all --event 'victim*:*' /proc/kcore >/tmp/report &&
		[ "$(grep -c ' seq: value=' /tmp/report)" -gt 100 ] || { tail -n 5 /tmp/report; return 1; }
}
points_to_the_device() {
	/test/epitaph-static "$@" /proc/kcore >/tmp/said 2>/tmp/why
	result=$?
	head -n 5 /tmp/said /tmp/why
	[ "$result" = "$expected" ] && grep "in /dev/epitaph only" /tmp/why /tmp/said
}
load_recorder pages=4M
load_victim
sleep 2
check "the region is found in /proc/kcore" found_there
check "the events of the last seconds are there" victims_events
rmmod victim epitaph
insmod /test/epitaph.ko addr=0x20000000 size=16M
expected=4
check "a region of memmap= is not, and the message says so" points_to_the_device report --source region
expected=1
check "the log is reported instead of it, and where it is" points_to_the_device report
END
pack_guest "$top/extractor/epitaph-static"
region_arg="memmap=$region_size!$region_addr"
boot
check "the guest's script ends well" guest_ended_well
finish
