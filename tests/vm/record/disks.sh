#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Events of disks have their names: of one that comes after the recorder, of its partitions, and of
# one that is pulled out as soon as it was read.  The truth is the guest's own /proc/partitions.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
echo 1 >/sys/kernel/tracing/events/block/enable
load_recorder events='default,block:*'
# By the shell alone: a program takes longer to start than the disk is to live.
{
	until [ -b /dev/vdb2 ]; do :; done
	read -r line </dev/vdb1
	read -r line </dev/vdb2
	while read -r line; do echo "$line"; done </proc/partitions >/tmp/partitions
	if [ -e /sys/block/vdb/device/../remove ]; then
		echo 1 >/sys/block/vdb/device/../remove
	else
		echo 0 >/sys/block/vdb/device/../online
	fi
} 2>/dev/null &
with_disk
echo "guest: takes another disk"
wait $!
sed 's/^/# partition /' /tmp/partitions
check "the disk is pulled out" [ ! -e /sys/block/vdb ]
echo x >/disk/x
sync
arm_kdump
load_victim
bug panic
END
pack_guest "$top/extractor/epitaph-static"

# A table of two partitions, 16 and 8 MiB, that begin with an empty line.
truncate -s 32M "$out/pulled.img"
python3 - "$out/pulled.img" <<'END'
import struct, sys
entry = lambda first, sectors: struct.pack("<B3sB3sII", 0, b"", 0x83, b"", first, sectors)
with open(sys.argv[1], "r+b") as f:
    f.seek(446)
    f.write(entry(2048, 32768) + entry(34816, 16384) + bytes(32) + b"\x55\xaa")
    for first in (2048, 34816):
        f.seek(first * 512)
        f.write(b"\n")
END

# names FIELD: what events have in it, with the name that the report gives: "254 17 vdb1", or null.
# shellcheck disable=SC2317 # check calls it
names() {
	jq -r "select(.fields.$1 != null) | \"\(.fields.$1 / 1048576 | floor) \(.fields.$1 % 1048576) \(.devices.$1)\"" \
		"$out/region.json" | sort -u
}

# right FIELD NAME...: each number has the name that the guest says, and these are among them.
# shellcheck disable=SC2317 # check calls it
right() {
	names "$1" >"$out/names"
	cat "$out/names"
	shift
	grep -v ' null$' "$out/names" | grep -vxFf "$out/partitions" && return 1
	while read -r major minor name; do
		! grep -qx "$major $minor null" "$out/names" || { echo "$name is not named"; return 1; }
	done <"$out/partitions"
	for name in "$@"; do
		grep -q " $name\$" "$out/names" || { echo "no $name"; return 1; }
	done
}

# The kernel had no other disk when it died.
# shellcheck disable=SC2317 # check calls it
names_of_kernel() {
	jq -r 'select(.fields.dev != null) | "\(.fields.dev / 1048576 | floor) \(.fields.dev % 1048576) \(.devices.dev)"' \
		"$out/ftrace.json" | sort -u | tee "$out/names"
	vda=$(grep ' vda$' "$out/partitions") vdb=$(grep ' vdb$' "$out/partitions")
	grep -qx "$vda" "$out/names" && grep -qx "${vdb% *} null" "$out/names"
}

VM_QEMU="-drive file=$out/pulled.img,format=raw,if=none,id=pulled"
[ -n "${disk_comes:-}" ] || VM_QEMU="$VM_QEMU -device virtio-blk-pci,drive=pulled,addr=0x10"
export VM_QEMU
capture_args=$(with_all_tasks) append=panic_on_warn=1 crash_and_capture ${disk_comes:+--when "$disk_comes"} \
	--allow 'panic - not syncing: victim: panic'
sed -n 's/^# partition *\([0-9]\+\) *\([0-9]\+\) *[0-9]\+ \(.*\)/\1 \2 \3/p' "$out/guest.log" | tr -d '\r' >"$out/partitions"
check "the guest has disks" grep -q ' vdb2$' "$out/partitions"
check "the region is saved" [ -s "$saved/region" ]
recovers "$epitaph" export --to json -o "$out/region.json" "$saved/region"
check "events of disks have their names" right dev vda vdb
check "so have the partitions that requests came from" right old_dev vdb1 vdb2
recovers "$epitaph" report --all --event 'block:*' "$saved/region" >"$out/text"
vdb1=$(sed -n 's/ vdb1$//p' "$out/partitions" | tr ' ' ,)
vdb=$(sed -n 's/ vdb$//p' "$out/partitions" | tr ' ' ,)
check "they are in the text" grep -q "block_rq_issue: $vdb (vdb) R[A-Z]* " "$out/text"
check "and where a request came from" grep -q "block_bio_remap: $vdb (vdb) R[A-Z]* .* <- ($vdb1 (vdb1)) " "$out/text"
check "of a vmcore too" sh -c "$epitaph report --all --event 'block:*' '$saved/vmcore' | grep -q '($vdb1 (vdb1))'"
recovers "$epitaph" export --to json --source ftrace -o "$out/ftrace.json" "$saved/vmcore"
check "the kernel's own trace has names of disks that were there to the end" names_of_kernel
check "check finds no damage" no_damage "$saved/region"
finish
