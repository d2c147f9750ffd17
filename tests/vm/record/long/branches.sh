#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# branches=1: the last branches that a report shows are those that the CPUs had.  The truth is the log of
# a patched QEMU, whose CPUs have AMD's LBR v2 (scripts/qemu-skewed).

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

log=$out/branches
guest_modules="virtio_pci virtio_blk ext4 msr"

# What QEMU has of its own: none.
guest <<'END'
load_recorder branches=1
check "a CPU without them: the module is loaded, and the kernel's log says it" kernel_says 'epitaph: no last branches: CPUID has no leaf 0x80000022'
check "so does sysfs" grep -qx 'none: CPUID has no leaf 0x80000022' /sys/kernel/epitaph/last-branches
epitaph-static snapshot -o /tmp/region
check "nothing is shown" refused sh -c "epitaph-static report /tmp/region | grep 'last branches'"
rmmod epitaph
END
pack_guest "$top/extractor/epitaph-static"
boot
check "the guest lives on" guest_ended_well

# 10 minutes of CPU, the first time.
patched=$("$top/scripts/qemu-skewed" 2>"$out/qemu-skewed") || {
	tail -n 20 "$out/qemu-skewed"
	check "scripts/qemu-skewed builds QEMU" false
	finish
}
PATH=$patched:$PATH
EPITAPH_BRANCHES=$log
export EPITAPH_BRANCHES

# CPU 1 is taken by another one first: it is left alone, until that one gives it back.
guest <<'END'
msr() {
	dd if=/dev/cpu/1/msr bs=8 count=1 iflag=skip_bytes skip=$(($1)) 2>/dev/null | od -An -tx8 | tr -d ' '
}
set_msr() {
	printf "$2" | dd of=/dev/cpu/1/msr bs=8 count=1 oflag=seek_bytes seek=$(($1)) conv=notrunc 2>/dev/null
}
says() {
	cat /sys/kernel/epitaph/last-branches
	grep -qx "$1" /sys/kernel/epitaph/last-branches
}
counts_both() {
	says 'AMD LBR v2, on 1 CPUs, 1 left to another one' || says 'AMD LBR v2, on 2 CPUs, 0 left to another one'
}
is_left() {
	echo "$(msr 0xc000010e) $(msr 0xc000010f)"
	[ "$(msr 0xc000010e) $(msr 0xc000010f)" = "0000000000000001 0000000000000040" ]
}
with_disk
if [ "$boot" = 2 ]; then
	load_recorder
	epitaph-static harvest -o /disk/harvested || [ $? = 1 ]
	exit 0
fi
set_msr 0xc000010e '\001\0\0\0\0\0\0\0'
set_msr 0xc000010f '\100\0\0\0\0\0\0\0'
load_recorder branches=1
check "a CPU on which they are on is left alone: sysfs says it" says 'AMD LBR v2, on 1 CPUs, 1 left to another one'
check "so does the log" kernel_says 'on 1 CPUs another one has the registers'
check "its registers are as they were" is_left
rmmod epitaph
check "also behind unloading" is_left
load_recorder branches=1
echo 0 >/sys/devices/system/cpu/cpu1/online
check "it is unplugged: none is left to another one" says 'AMD LBR v2, on 1 CPUs, 0 left to another one'
echo 1 >/sys/devices/system/cpu/cpu1/online
check "it is plugged in again: it is counted once" counts_both
rmmod epitaph
set_msr 0xc000010f '\0\0\0\0\0\0\0\0'
load_recorder branches=1
check "given back, they are kept on both" says 'AMD LBR v2, on 2 CPUs, 0 left to another one'
load_surviving_victim
cat /proc/kallsyms >/disk/kallsyms
sleep 1
sync
echo "guest: dies"
taskset 1 sh -c 'echo process >/sys/kernel/debug/victim/bug'
sleep 60
END
pack_guest "$top/extractor/epitaph-static"
warm_boots 2 --allow 'BUG: kernel NULL pointer|Oops: |Kernel panic - not syncing: Fatal|unrecognized MSR|smpboot: CPU 1 is now offline'
check "the second boot's script ended well" guest_ended_well
region=$(find "$saved/harvested" -name region)
recovers "$epitaph" report "$region" >"$out/report" || true
sed -n '/its last branches/,$p' "$out/report" | comment
check "CPU 0, which faulted: QEMU's own, at the fault" "$here/branches-truth" "$log" "$saved/kallsyms" "$out/report" 0 dereference_null
cat "$out/said"
check "CPU 1, which was stopped: QEMU's own" "$here/branches-truth" "$log" "$saved/kallsyms" "$out/report" 1
cat "$out/said"
finish
