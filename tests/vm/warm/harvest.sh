#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A kernel dies, and the machine reboots warm: epitaph harvest makes files of what
# it left and marks it, not where there is no room; reports find it in the device.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
with_disk
export TMPDIR=/tmp
gens=/sys/kernel/epitaph/generations
fails_without_room() {
	mkdir -p /full
	mount -t tmpfs -o size=128k none /full
	epitaph-static harvest -o /full/h && return 1
	[ $? = 3 ] || return 1
	[ -z "$(ls -A /full/h)" ] && grep -qx evidence $gens/1/state
}
harvests() {
	epitaph-static harvest -o /disk/h || [ $? = 1 ]
}
lists_both() {
	epitaph-static info --generation all /dev/epitaph >/tmp/info || [ $? = 1 ] || return 1
	grep '^generation *1 .*crashed .*: victim: panic; harvested to /disk/h/' /tmp/info &&
		grep '^generation *2 .*(this one)' /tmp/info && grep 'memmap=$' /tmp/info
}
# What the copy lacks are these pages and no others.
harvests_with_holes() {
	epitaph-static harvest -o /disk/bad >/tmp/harvest 2>&1 && return 1
	cat /tmp/harvest
	grep -q 'generation 2: 2 pages of /dev/epitaph could not be read, the first at byte 8388608: bad memory' /tmp/harvest || return 1
	content /disk/bad/*/region || return 1
	mv /tmp/content/region /tmp/copy
	cmp -l /tmp/memory /tmp/copy | awk '{ print int(($1 - 1) / 4096) }' | sort -un | tr '\n' ' ' >/tmp/pages
	cat /tmp/pages
	[ "$(cat /tmp/pages)" = '0 517 ' ] && dd if=/tmp/copy bs=4096 skip=517 count=1 2>/dev/null | grep -qx 'unreadable page'
}
# But for the mark.
content_is_of_device() {
	content "$1" && dd if=/dev/epitaph bs=1M count=8 of=/tmp/device 2>/dev/null || return 1
	cmp -l /tmp/device /tmp/content/region | awk '{ print int(($1 - 1) / 4096) }' | sort -u >/tmp/pages
	cat /tmp/pages
	[ "$(stat -c %s /tmp/content/region)" = 8388608 ] && [ "$(wc -l </tmp/pages)" -le 1 ]
}
# The events, whatever the header says by now.
agrees_with_the_device() {
	epitaph-static report --generation 1 --all /dev/epitaph | grep -v '^#' >/tmp/events
	[ -s /tmp/events ] && epitaph-static report --all "$1/region" | grep -v '^#' | cmp - /tmp/events
}
case $boot in
1)
	load_recorder
	load_victim
	sleep 1
	die panic
	;;
2)
	load_recorder
	check "it is not saved yet" grep -qx evidence $gens/1/state
	check "a full disk: nothing is left and nothing marked" fails_without_room
	check "it is harvested" harvests
	check "and marked" grep -qx harvested $gens/1/state
	check "in one directory" [ "$(ls /disk/h | wc -l)" = 1 ]
	dir=$(ls -d /disk/h/*)
	check "named by boot id" [ "${dir#/disk/h/$(cat $gens/1/boot_id)-}" != "$dir" ]
	check "the bytes are those of the device" content_is_of_device "$dir/region"
	check "info lists both" lists_both
	check "a report of it is what the device says" agrees_with_the_device "$dir"
	check "there is nothing more to do" sh -c 'epitaph-static harvest -o /disk/h | grep -qx "nothing to harvest"'
	sync
	die reboot
	;;
3)
	load_recorder
	check "what is harvested made room" [ ! -e $gens/1 ]
	check "an orderly end is reported as one" \
		sh -c 'epitaph-static report --generation 2 /dev/epitaph | grep "^# ended in order: restart"'
	rmmod epitaph
	check "no address" refused load_recorder skip=0x20a05000,here
	check "the log says which" kernel_says 'skip=.*: "here" is no address in the region'
	check "with a bad page in each slot nothing is recorded" refused load_recorder skip=0x20000000,0x20a05000
	check "and the log says so" kernel_says 'no place to record: in each of 2 slots'
	dd if=/dev/mem of=/tmp/memory bs=4096 skip=$((0x20800)) count=2048 2>/dev/null
	# Of generation 2: its header, and a page of its events.
	load_recorder skip=0x20800000,0x20a05123
	check "the log names the pages" kernel_says 'the page at 0x20a05000 cannot be read'
	check "a generation is found by the other header" kernel_says 'generation 2 at 0x20800000, .* its first header is damaged'
	check "and shown" [ "$(cat $gens/2/release)" = "$(uname -r)" ]
	check "nothing is recorded around a bad page" kernel_says 'recording into .* at 0x0*20000000, generation 4'
	check "the device has the pages before" dd if=/dev/epitaph of=/dev/null bs=4096 skip=$((0xa04)) count=1
	check "not this one" refused dd if=/dev/epitaph of=/dev/null bs=4096 skip=$((0xa05)) count=1
	check "and the one behind it" dd if=/dev/epitaph of=/dev/null bs=4096 skip=$((0xa06)) count=1
	check "it is harvested, and the page named" harvests_with_holes
	check "a report of the device goes past it" \
		sh -c 'epitaph-static report --generation 2 /dev/epitaph >/tmp/report; [ $? = 1 ] && [ -s /tmp/report ]'
	;;
esac
END
pack_guest "$top/extractor/epitaph-static"
warm_boots 3 --allow 'panic - not syncing: victim: panic' --timeout 300
check "the guest ended well" guest_ended_well
dir=$(echo "$saved"/h/*)
check "why it died is in the summary" grep '^# died: Kernel panic - not syncing: victim: panic' "$dir/summary.txt"
check "what was logged before is in the region" sh -c "'$epitaph' report --all '$dir/region' | grep 'log: <[0-9]*>Linux version'"
compare_boot 1 "$dir/region"
check "the copy is whole" "$epitaph" check "$dir/region"
check "the host says the same of it" sh -c "'$epitaph' report --events 40 '$dir/region' | cmp - '$dir/summary.txt'"
finish
