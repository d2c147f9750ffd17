#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# One number is that of forty partitions, one after the other, of two loop devices in turn, and there is no
# room for as many names: the last events have the name that their partition had in /proc/partitions, and
# none has the name of another.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest_modules="loop"
guest_programs="/bin/losetup losetup"
guest <<'END'
load_modules /lib/modules
load_recorder events=block:block_bio_remap
# A table with one partition, from sector 8 on.
dd if=/dev/zero of=/tmp/disk bs=1M count=1 2>/dev/null
printf '\000\000\000\000\203\000\000\000\010\000\000\000\000\004\000\000' | dd of=/tmp/disk bs=1 seek=446 conv=notrunc 2>/dev/null
printf '\125\252' | dd of=/tmp/disk bs=1 seek=510 conv=notrunc 2>/dev/null
for n in $(seq 40); do
	disk=loop$((n % 2))
	losetup -P /dev/$disk /tmp/disk
	await_file /dev/${disk}p1
	grep "${disk}p1" /proc/partitions >>/tmp/numbers
	dd if=/dev/${disk}p1 of=/dev/null bs=4096 count=1 iflag=direct 2>/dev/null
	losetup -d /dev/$disk
done
check "all of them have one number" sh -c '[ "$(sed "s/ *loop.*//" /tmp/numbers | sort | uniq -c | grep -c " 40 ")" = 1 ]'
# named N, numbered N: of the last N reads, the name in the report, and that in /proc/partitions.
named() {
	epitaph-static report --all --event block:block_bio_remap /dev/epitaph |
		sed -n 's/.*<- ([0-9]*,[0-9]*\( (\([^)]*\))\)\?).*/name \2/p' | tail -n "$1"
}
numbered() {
	sed 's/^.* /name /' /tmp/numbers | tail -n "$1"
}
named 12 >/tmp/named
numbered 12 >/tmp/right
check "the last ones have their names" diff /tmp/right /tmp/named
named 40 >/tmp/named
numbered 40 >/tmp/right
check "none has the name of another" sh -c '[ "$(paste -d : /tmp/right /tmp/named | grep -cvE "^(.*):(\\1|name [?])$")" = 0 ]'
END
pack_guest "$top/extractor/epitaph-static"
boot
check "the guest's script came to its end" guest_ended_well
finish
