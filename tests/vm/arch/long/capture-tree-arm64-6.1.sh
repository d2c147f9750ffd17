#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317,SC2154 # claims are called by name; lib-machine.sh sets them
#
# Debian's 6.1 of arm64 as it is: it has no _text in /proc/kallsyms, so kexec-tools describes the memory
# wrongly, and /proc/vmcore has nothing of it.  The capture kernel finds the region by the device tree.
# The kernel's own trace of the same events and its console are the truth.

VM_DIR=../..
KERNEL=6.1-arm64
crashkernel_of_machine=192M
# shellcheck source=tests/vm/lib-arch.sh
. "$(dirname "$0")/../../lib-arch.sh"
memory=768M
build_images
build_recorder
give_device_tree "${device_tree_of_machine:-mapped}" 16777216
check "the tool is built for the machine" sh "$top/tests/unit/other_hosts" --tool aarch64 "$out/tool"

guest <<'END_OF_GUEST'
with_disk
epitaph=/test/tool
$epitaph save -o /disk/by-vmcore /proc/vmcore || echo "save: status $?"
check "/proc/vmcore has no region" [ ! -e /disk/by-vmcore/region ]
$epitaph capture -o /disk/captures >/disk/said 2>&1
echo "capture: status $?"
cat /disk/said
umount /disk
echo "capture: done"
END_OF_GUEST
recorder=none pack_guest
echo "file /test/tool 0755 $out/tool" >"$out/tool.manifest"
"$top/initramfs/pack" "$kernel" "$out/tool.manifest" "$out/tool.img"
cat "$out/tool.img" >>"$out/initrd.img"
rm "$out/tool.img"
pack_capture

guest_that_records <<'END_OF_GUEST'
with_disk
load_recorder
trace_beside
cat /sys/kernel/epitaph/region >/disk/where
load_capture_kernel
work 6
keep_trace
umount /disk
crash
END_OF_GUEST
pack_guest
cat "$out/kexec.img" >>"$out/initrd.img"
rm "$out/kexec.img"

# "%p" is the address, as we have it, and not its hash.
# shellcheck disable=SC2086 # words
append=no_hash_pointers boot --system "$system" --machine "$machine" --cpu "$cpu" --memory "$memory" \
	--disk "$out/disk.img" --timeout 600 \
	--allow 'Kernel panic - not syncing: sysrq triggered crash' --expect 'capture: done' -- $machine_args
take_all_of_disk
check "the region is where the device tree reserves it" grep -x "$device_tree_region device_tree" "$saved/where"
region=$(echo "$saved"/captures/epitaph-*/region)
check "of /proc/vmcore it says what is wrong" grep '/proc/vmcore: its size would be [0-9]* bytes: kexec-tools' "$saved/said"
check "the capture says where it found it" grep 'looked for in what the device tree reserves: epitaph@50000000' "$saved/said"
check "nothing is missing in the kernel's own trace" nothing_lost
check "each event came, on its CPU, in the kernel's words" as_kernel "$region"
check "cause, place and frames are the kernel's own" says_the_same "$out/console.log" "$region"
check "its texts are there" [ -s "$(dirname "$region")/summary.txt" ]
finish
